// The steps of a program. Each reads its arguments before it changes anything. [protocol.md, Steps]

import { invalidArgument } from './errors.mjs';
import * as read from './program-arguments.mjs';
import { Outcomes } from './program-attempt.mjs';
import { compactByHand, react } from './program-compaction.mjs';
import { readUnder } from './program-config.mjs';
import { pass } from './program-pass.mjs';
import { UNITS_A_TOKEN } from './program-rows.mjs';

export const STEPS = {
  append(session, args) {
    session.append(read.row(args));
    return session.standing();
  },

  pass(session, args) {
    return pass(session, {
      source: read.source(args.source),
      at: read.time(args.at),
      summary: read.summary(args.summary),
      snip: read.numbers(args.snip, 'snip'),
      fails: read.numbers(args.fails, 'fails'),
    });
  },

  compact(session, args) {
    const one = args.summary_tokens ?? null;
    const outcomes = new Outcomes(one === null ? read.summary(args.summary) : [{ tokens: read.tokens(one) }]);
    const why = compactByHand(session, outcomes);
    return { done: why === 'compacted', why, ...session.standing(), ids: session.ids, calls: outcomes.calls };
  },

  overflow(session, args) {
    const kind = args.kind ?? 'prompt';
    if (kind !== 'prompt' && kind !== 'media') throw invalidArgument('kind is neither prompt nor media');
    const outcomes = new Outcomes(read.summary(args.summary));
    const isRepaired = react(session, outcomes);
    const result = isRepaired ? { end: 'retry', by: 'reactive' } : { end: 'error', by: null };
    return { ...result, ...session.standing(), calls: outcomes.calls };
  },

  observe(session) {
    const standing = session.standing();
    const { ids, failures, suppressed } = session;
    return { ...standing, percent_left: session.percentLeft(standing.used), ids, failures, suppressed };
  },

  read(session, args) {
    const path = read.name(args.path, 'path');
    const tokens = read.tokens(args.tokens);
    session.disk.set(path, { tokens, at: read.time(args.at) ?? 0 });
    session.readState.read(path, tokens * UNITS_A_TOKEN);
    return {};
  },

  write(session, args) {
    const path = read.name(args.path, 'path');
    const tokens = (args.tokens ?? null) === null ? null : read.tokens(args.tokens);
    const at = read.time(args.at) ?? 0;
    if (tokens === null) session.disk.delete(path);
    else session.disk.set(path, { tokens, at });
    return {};
  },

  skill(session, args) {
    const name = read.name(args.name, 'name');
    const tokens = read.tokens(args.tokens);
    session.skills.delete(name);
    session.skills.set(name, tokens);
    return {};
  },

  set(session, args) {
    session.set(readUnder(args, session.under));
    return session.standing();
  },

  clear(session) {
    session.clear();
    return session.standing();
  },

  fork(session, args, sessions) {
    const to = read.name(args.to, 'to');
    sessions.set(to, session.copy());
    return session.standing();
  },

  resume(session) {
    session.resume();
    return session.standing();
  },
};
