// The third layer of a pass, by its path of time. [CMP-052 to CMP-057]

import { isCompactable } from './compactable.mjs';
import { isAnswer } from './program-rows.mjs';

const MILLISECONDS = 60_000;

/** Clears old results. True where it did. */
export function clearOldResults(session, source, now) {
  const { config, rows } = session;
  if (!config.gates.time_micro || !source?.startsWith('repl_main_thread')) return false;
  const at = rows.findLast(isAnswer)?.at ?? null;
  if (at === null || now === null || at > now || now - at < config.gap_minutes * MILLISECONDS) return false;

  const pairs = new Set(); // in the order of their last calls [CMP-056]
  for (const { kind, tool, pair } of rows) {
    if (kind !== 'tool_call' || !isCompactable(tool)) continue;
    pairs.delete(pair);
    pairs.add(pair);
  }
  const old = new Set([...pairs].slice(0, -Math.max(1, config.keep_results)));
  const isOld = (row) => row.kind === 'tool_result' && old.has(row.pair) && !session.cleared.has(row.pair);
  if (!rows.some(isOld)) return false;
  for (const { pair } of rows.filter(isOld)) session.cleared.add(pair);
  return true;
}
