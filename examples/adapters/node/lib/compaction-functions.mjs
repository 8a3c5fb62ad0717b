// The functions of the area compaction that need no list, or a list alone.

import { declines, isBlocked } from './automatic.mjs';
import { BREAKERS, openAfter } from './breakers.mjs';
import { cleanup } from './cleanup.mjs';
import { dropHead } from './drop-head.mjs';
import { invalidArgument } from './errors.mjs';
import { excessIn } from './excess.mjs';
import { makeGates } from './gates.mjs';
import { rebuild } from './rebuild.mjs';
import { strip } from './strip.mjs';
import { judge } from './summary-text.mjs';
import { nextOf, OUTCOMES } from './turn-end.mjs';
import { oneOf, typed } from './typed.mjs';
import { percentOf, Variables } from './variables.mjs';
import { readWindow } from './window-arguments.mjs';
import { limitsOf } from './window-limits.mjs';

const FLAGS = ['capped', 'drained', 'reacted', 'escalated', 'can_drain', 'can_react', 'hook_blocks', 'budget'];
const CLEARING = { API_MAX_INPUT_TOKENS: 180_000, API_TARGET_INPUT_TOKENS: 40_000 };

/** What both questions about a use are asked with. */
function useOf(args, choices, config) {
  const used = Math.max(0, typed(args, 'used', 'amount') - typed(args, 'freed', 'amount', 0)); // [CMP-041]
  const source = typed(args, 'source', 'text', null);
  return { used, source, limits: limitsOf(readWindow(args), choices).limits, gates: makeGates(config.gates) };
}

export const COMPACTION_FUNCTIONS = {
  'compaction.due'(args, choices, config) {
    const use = useOf(args, choices, config);
    const failures = typed(args, 'failures', 'amount', 0);
    const why = declines({ ...use, failures }) ?? (use.used < use.limits.auto ? 'not-due' : null);
    return why === null ? { due: true } : { due: false, why };
  },

  'compaction.blocking'(args, choices, config) {
    const compacted = typed(args, 'compacted', 'flag', false);
    return { blocked: isBlocked({ ...useOf(args, choices, config), compacted }) };
  },

  'compaction.breaker'(args) {
    const name = oneOf(args, 'name', BREAKERS);
    const events = typed(args, 'events', 'list', []);
    if (!events.every((event) => event === 'fail' || event === 'succeed')) throw invalidArgument('an unknown event');
    return { open: openAfter(name, events) };
  },

  'compaction.summary'(args) {
    const { content } = args;
    if (typeof content !== 'string' && !Array.isArray(content)) throw invalidArgument('content is no text and no list');
    return judge(content, typed(args, 'error', 'flag', false));
  },

  'compaction.continue'(args) {
    const facts = { outcome: oneOf(args, 'outcome', OUTCOMES) };
    for (const name of ['calls', 'nudges']) facts[name] = typed(args, name, 'amount', 0);
    for (const name of FLAGS) facts[name] = typed(args, name, 'flag', false);
    return nextOf(facts);
  },

  /** [CMP-043, CMP-044] */
  'compaction.points'(args, choices) {
    const request = readWindow(args);
    const isInternal = typed(args, 'internal', 'flag', false);
    const { effective } = limitsOf(request, choices).limits;
    const share = (percent) => percentOf(effective, { digits: BigInt(percent), places: 0n });
    const points = { collapse_commit: share(90), collapse_block: share(95) };
    if (!isInternal) return points;
    const variables = new Variables(request.env, choices, () => {});
    const [trigger, target] = Object.entries(CLEARING).map(([name, usual]) => variables.whole(name) ?? usual);
    return { ...points, clearing: { trigger, target, at_least: Math.max(0, trigger - target) } };
  },

  'compaction.strip'(args) {
    return strip(typed(args, 'messages', 'list'));
  },

  'compaction.drop_head'(args, choices) {
    const rows = typed(args, 'messages', 'list');
    const excess = typed(args, 'excess', 'whole', null) ?? excessIn(typed(args, 'error', 'text', ''));
    return dropHead({ rows, excess, retries: typed(args, 'retries', 'amount', 0), choices });
  },

  'compaction.cleanup'(args, choices, config) {
    const source = typed(args, 'source', 'text', null);
    const agent = typed(args, 'agent', 'text', null);
    return cleanup({ source, agent, isWatched: makeGates(config.gates).cache_break_detection });
  },

  'compaction.rebuild'(args) {
    const messages = typed(args, 'messages', 'list');
    const from = typed(args, 'from', 'amount', messages.length);
    if (from > messages.length) throw invalidArgument('from is above the number of rows');
    return rebuild({
      messages,
      from,
      trigger: oneOf(args, 'trigger', ['auto', 'manual']),
      tokensBefore: typed(args, 'tokens_before', 'amount'),
      summaries: typed(args, 'summaries', 'objects'),
      attachments: typed(args, 'attachments', 'list', []),
      hooks: typed(args, 'hooks', 'list', []),
      discovered: typed(args, 'discovered_tools', 'texts', []),
      uuid: typed(args, 'uuid', 'text', null),
      at: typed(args, 'at', 'whole', null),
      log: typed(args, 'log', 'text', null),
    });
  },
};
