// The functions that change what results show. [CMP-020 to CMP-064]

import { invalidArgument } from './errors.mjs';
import { makeGates } from './gates.mjs';
import { isObject } from './json.mjs';
import { microcompact } from './microcompact.mjs';
import { limitsOfTools, MESSAGE_LIMIT } from './result-limits.mjs';
import { ResultState } from './result-state.mjs';
import { Measure } from './result-text.mjs';
import { decision } from './row-changes.mjs';
import { limitToolResults } from './tool-results.mjs';
import { typed } from './typed.mjs';

/** The edits of the cached path. [CMP-062] */
function pinnedOf(cached) {
  if (cached === null) return [];
  const isEdit = ({ row, ids }) =>
    Number.isSafeInteger(row) && row >= 0 && Array.isArray(ids) && ids.every((id) => typeof id === 'string');
  const pinned = cached.pinned ?? [];
  const isRight = Array.isArray(pinned) && pinned.every((edit) => isObject(edit) && isEdit(edit));
  if (!isRight) throw invalidArgument('cached has another form');
  return pinned;
}

export const LIST_FUNCTIONS = {
  'compaction.tool_results'(args, choices, config) {
    const decisions = [];
    const rows = typed(args, 'messages', 'list');
    const report = (id) => decisions.push(decision('results', 'override-ignored', { id }));
    const sumLimit = typed(args, 'sum_units', 'amount', MESSAGE_LIMIT);
    return limitToolResults({
      rows,
      state: new ResultState(args.state ?? null),
      limitOf: limitsOfTools(typed(args, 'declared', 'object', {}), typed(args, 'overrides', 'object', {}), report),
      measure: new Measure(choices['results.unit']),
      folder: typed(args, 'session_folder', 'text', '/s'),
      names: typed(args, 'names', 'object', {}),
      failed: new Set(typed(args, 'failed', 'texts', [])),
      sumLimit: makeGates(config.gates).message_sum ? sumLimit : null,
      choices,
      decisions,
    });
  },

  'compaction.microcompact'(args, choices, config) {
    const start = typed(args, 'cached_start', 'amount', 1);
    const cachedKeep = typed(args, 'cached_keep', 'amount', 0);
    if (cachedKeep >= start) throw invalidArgument('cached_keep is not less than cached_start');
    return microcompact({
      rows: typed(args, 'messages', 'list'),
      now: args.now ?? null,
      source: typed(args, 'source', 'text', null),
      gap: args.gap_minutes ?? null,
      keep: args.keep ?? null,
      suppressed: typed(args, 'suppressed', 'flag', false),
      pinned: pinnedOf(typed(args, 'cached', 'object', null)),
      isSupported: typed(args, 'cached_supported', 'flag', false),
      start,
      cachedKeep,
      gates: makeGates(config.gates),
      choices,
    });
  },
};
