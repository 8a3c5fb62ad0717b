// One run through all layers, before one request. [CMP-001]

import { isBlocked } from './automatic.mjs';
import { Outcomes } from './program-attempt.mjs';
import { compactIfDue } from './program-compaction.mjs';
import { clearOldResults } from './program-micro.mjs';
import { limitResults } from './program-results.mjs';
import { isSaid } from './program-rows.mjs';

const STOPS = new Set(['aborted', 'refill-guard']);

export function pass(session, { source, at, summary, snip, fails }) {
  const acted = [];
  const { gates } = session.config;
  session.readState.turn();
  if (limitResults(session, new Set(fails))) acted.push('results');
  const freed = gates.snip ? snipRows(session, new Set(snip), acted) : 0;
  session.suppressed = false; // [CMP-064]
  if (clearOldResults(session, source, at)) {
    acted.push('micro');
    session.suppressed = true;
  }

  const outcomes = new Outcomes(summary);
  const used = Math.max(0, session.count - freed); // [CMP-041]
  const word = compactIfDue(session, source, used, outcomes);
  const compacted = word === 'compacted';
  if (compacted || word === 'refill-guard') acted.push('compact'); // an abort is the user's doing
  let end = STOPS.has(word) ? 'stopped' : 'sent';
  if (end === 'sent' && isBlocked({ limits: session.limits, gates, source, used, compacted })) {
    end = 'blocked';
    acted.push('blocking');
  }

  if (end === 'sent' && session.refills.sent !== null) session.refills.sent++;
  const sent = end === 'sent' ? session.rows.filter(isSaid).map(({ id }) => id) : [];
  const standing = session.standing(compacted ? session.count : used);
  return { acted, compact: word, end, ...standing, sent, calls: outcomes.calls };
}

/** The tokens that were freed. [CMP-040] */
function snipRows(session, numbers, acted) {
  const gone = session.rows.filter(({ id }) => numbers.has(id));
  if (gone.length === 0) return 0;
  const freed = session.costs.sum(gone);
  session.rows = session.rows.filter(({ id }) => !numbers.has(id));
  acted.push('snip');
  return freed;
}
