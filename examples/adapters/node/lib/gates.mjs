// Which layers can act in one call: a preset, or a map that changes the preset `documented`.

import { unknownChoice } from './errors.mjs';
import { isObject } from './json.mjs';

const OPEN_AS_DOCUMENTED = ['session_memory', 'sm_compact', 'message_sum'];
const GATES = [
  'memory_prefetch',
  'team_memory',
  'cache_break_detection',
  'snip',
  'collapse',
  'reactive',
  'reactive_only',
  'token_budget',
  'time_micro',
  'cached_micro',
  'break_cache',
  ...OPEN_AS_DOCUMENTED,
];

/** An object of every gate to true or false. */
export function makeGates(value) {
  const preset = value ?? 'documented';
  const isOpen = (name) => preset !== 'released' && OPEN_AS_DOCUMENTED.includes(name);
  const gates = Object.fromEntries(GATES.map((name) => [name, isOpen(name)]));
  if (preset === 'documented' || preset === 'released') return gates;
  if (!isObject(preset)) throw unknownChoice('not a registered preset');
  for (const [name, on] of Object.entries(preset)) {
    const isKnown = GATES.includes(name) && typeof on === 'boolean';
    if (!isKnown) throw unknownChoice(`not a registered gate and value: ${name}`);
    gates[name] = on;
  }
  return gates;
}
