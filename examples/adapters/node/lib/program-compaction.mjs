// Automatic compaction, by hand, and after a refused request. [CMP-070 to CMP-079, CMP-170, CMP-171]

import { declines, MAX_FAILURES } from './automatic.mjs';
import { attempt } from './program-attempt.mjs';
import { restore } from './program-restore.mjs';
import { isSaid } from './program-rows.mjs';

const REFILL_STRETCH = 3;
const MAX_REFILLS = 3;

/** Layer 5. The word that stands as `compact`. */
export function compactIfDue(session, source, used, outcomes) {
  const { limits, failures } = session;
  const why = declines({ limits, gates: session.config.gates, source, failures });
  if (why !== null) return why;
  if (used < limits.auto) return 'not-due';
  if (!session.rows.some(isSaid)) return 'nothing-to-summarise';
  if (refillsTooOften(session)) return 'refill-guard';
  return compactByItself(session, outcomes);
}

/** Counts a failure. */
function compactByItself(session, outcomes) {
  const word = compact(session, outcomes);
  if (word === 'compacted') Object.assign(session.refills, { sent: 0, isJudged: false });
  else if (word !== 'aborted' || session.config.choices['compaction.abort_counts'] === 'yes') session.failures++;
  return word;
}

/** [CMP-076] */
function refillsTooOften({ refills, config }) {
  if (config.choices['compaction.refill_guard'] === 'off') return false;
  if (!refills.isJudged && refills.sent !== null) {
    refills.count = refills.sent <= REFILL_STRETCH ? refills.count + 1 : 0;
    refills.isJudged = true;
  }
  return refills.count >= MAX_REFILLS;
}

/** One full compaction. Nothing changes where it fails. [CMP-091] */
function compact(session, outcomes) {
  const { costs, config } = session;
  const { tokens, why } = attempt(session.rows, outcomes, costs);
  if (why) return why;
  const restored = restore(session);
  const rows = [{ id: 'boundary', kind: 'boundary' }, { id: 'summary', kind: 'summary', tokens }, ...restored.rows];
  const refuses = config.choices['compaction.inflated_summary'] === 'refuse'; // [CMP-094]
  if (refuses && costs.sum(rows) > costs.sum(session.rows)) return 'inflated';
  const { readState } = restored;
  Object.assign(session, { rows, readState, failures: 0, suppressed: true, cleared: new Set() });
  return 'compacted';
}

/** The word that stands as `why`. [CMP-079] */
export function compactByHand(session, outcomes) {
  if (!session.limits.manual) return 'compact-disabled';
  if (!session.rows.some(isSaid)) return 'nothing-to-summarise';
  return compact(session, outcomes);
}

/** Did a compaction repair a request that was refused? [CMP-171] */
export function react(session, outcomes) {
  const { gates } = session.config;
  const isOpen = gates.reactive || gates.reactive_only;
  const mayRun = isOpen && session.limits.enabled && session.failures < MAX_FAILURES && !session.hasReacted;
  if (!mayRun || !session.rows.some(isSaid)) return false;
  session.hasReacted = true;
  const isRepaired = compactByItself(session, outcomes) === 'compacted';
  if (isRepaired) session.refills.sent++; // the request is sent again
  return isRepaired;
}
