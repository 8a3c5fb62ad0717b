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
  'env.number': ['prefix', 'strict'],
  'window.warning_base': ['switch', 'auto'],
  'compaction.restore_recency': ['mtime', 'read'],
  'compaction.oversize_restore': ['reference', 'truncate'],
  'compaction.abort_counts': ['yes', 'no'],
  'compaction.inflated_summary': ['accept', 'refuse'],
  'compaction.refill_guard': ['on', 'off'],
  'results.unit': ['utf16', 'utf8'],
  'tools.defer_edge': ['above', 'at'],
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
