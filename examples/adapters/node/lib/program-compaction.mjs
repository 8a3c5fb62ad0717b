// Automatic compaction, compaction by hand, and compaction after a refused request. [CMP-070 to CMP-079, CMP-170, CMP-171]

import { attempt } from './program-attempt.mjs';
import { restore } from './program-restore.mjs';
import { isSaid } from './program-rows.mjs';

const MAX_FAILURES = 3;
const REFILL_STRETCH = 3;
const MAX_REFILLS = 3;
const OWN_SOURCES = ['session_memory', 'compact'];

export const hasOwnSource = (source) => OWN_SOURCES.includes(source);

/** Why nothing is counted, or null. [CMP-070] */
export function declines({ limits, gates, source, failures }) {
  if (!limits.manual) return 'compact-disabled';
  if (failures >= MAX_FAILURES) return 'breaker-open';
  if (hasOwnSource(source) || (source === 'marble_origami' && gates.collapse)) return 'own-source';
  if (!limits.enabled) return 'auto-off';
  if (gates.reactive_only) return 'reactive-only';
  return gates.collapse ? 'collapse-on' : null;
}

/** [CMP-078] */
export function isBlocked({ limits, gates, source, used, compacted }) {
  const ownsOverflow = limits.enabled && (gates.collapse || gates.reactive);
  return !compacted && !hasOwnSource(source) && !ownsOverflow && used >= limits.blocking;
}

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
  Object.assign(session, { rows, readState: restored.readState, failures: 0, suppressed: true });
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
  return compactByItself(session, outcomes) === 'compacted';
}
