// What declines an automatic compaction, and what blocks a request. [CMP-070, CMP-073, CMP-078]

export const MAX_FAILURES = 3;

const OWN_SOURCES = ['session_memory', 'compact'];

const hasOwnSource = (source) => OWN_SOURCES.includes(source);

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
