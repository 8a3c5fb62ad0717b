// The points on which implementations may differ. The first value of each is the default.

import { unknownChoice } from './errors.mjs';

const CHOICES = {
  'memory.root': ['skip', 'read'],
  'memory.include_order': ['parent-first', 'child-first'],
  'memory.include_hops': ['4', '5'],
  'memory.index_unit': ['utf16', 'utf8'],
  'memory.identity': ['path', 'real'],
  'memory.brace_nesting': ['first-close', 'nested'],
  'memory.bom': ['hides', 'ignored'],
  'memory.bare_added': ['all', 'added-only'],
  'memory.injected_filter': ['off', 'on'],
  'memory.nested_cut': ['off', 'on'],
  'env.truthy': ['wide', 'strict'],
  'tokens.unit': ['utf16', 'utf8'],
  'tokens.json_results': ['4', '2'],
  'tokens.fragments': ['count', 'skip'],
  'tokens.message_pad': ['four-thirds', 'none'],
};

/** All choices, at their defaults but for what `settings`, a list of `NAME=VALUE`, say. */
export function makeChoices(settings = []) {
  const choices = Object.fromEntries(Object.entries(CHOICES).map(([name, [first]]) => [name, first]));
  for (const setting of settings) {
    const [name, value] = setting.split('=');
    if (!Object.hasOwn(CHOICES, name) || !CHOICES[name].includes(value)) {
      throw unknownChoice(`not a registered choice and value: ${setting}`);
    }
    choices[name] = value;
  }
  return choices;
}

const GATES = ['memory_prefetch', 'team_memory']; // off in both presets
const PRESETS = ['documented', 'released'];

/** The gates of one call: a preset, or a map that changes the preset `documented`. */
export function makeGates(value = 'documented') {
  const gates = Object.fromEntries(GATES.map((name) => [name, false]));
  if (PRESETS.includes(value)) return gates;
  const isMap = value !== null && typeof value === 'object' && !Array.isArray(value);
  if (!isMap) throw unknownChoice('not a registered preset');
  for (const [name, on] of Object.entries(value)) {
    const isKnown = GATES.includes(name) && typeof on === 'boolean';
    if (!isKnown) throw unknownChoice(`not a registered gate and value: ${name}`);
    gates[name] = on;
  }
  return gates;
}
