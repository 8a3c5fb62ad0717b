// The size of the context: the last usage, and an estimate of what came after. [EST-016 to EST-020]

import { RowCosts } from './row-costs.mjs';
import { isAssistant, isSameResponse, viewStart } from './rows.mjs';
import { readUsage, toWire } from './usage.mjs';

export function contextSize(rows, method, choices) {
  const costs = new RowCosts(method);
  const start = viewStart(rows);
  const { anchor, measured } = findAnchor(rows, start, costs);
  const first = anchor < 0 ? start - 1 : firstFragment(rows, start, anchor);
  const skipped = choices['tokens.fragments'] === 'skip' ? laterFragments(rows, first, anchor) : new Set();

  let estimated = 0;
  for (let index = first + 1; index < rows.length; index++) {
    if (!skipped.has(index)) estimated += costs.row(rows[index], index);
  }
  const tokens = measured + BigInt(estimated);
  return { tokens: toWire(tokens), measured: toWire(measured), estimated, ...costs.findings };
}

/** The last assistant row with a usage that is not void; index -1 where there is none. */
function findAnchor(rows, start, costs) {
  for (let index = rows.length - 1; index >= start; index--) {
    const row = rows[index];
    if (!isAssistant(row) || row.error === true || row.kept === true) continue; // [EST-019, EST-020]
    const { total, isBad } = readUsage(row.usage);
    if (isBad) costs.report('bad-usage', { row: index });
    if (total > 0n) return { anchor: index, measured: total };
  }
  return { anchor: -1, measured: 0n };
}

/** [EST-017] */
function firstFragment(rows, start, anchor) {
  let first = anchor;
  for (let index = anchor - 1; index >= start; index--) {
    if (!isAssistant(rows[index])) continue;
    if (!isSameResponse(rows[index], rows[anchor])) break;
    first = index;
  }
  return first;
}

/** The rows of the anchor's response behind its first one. [EST-018] */
function laterFragments(rows, first, anchor) {
  const later = new Set();
  if (anchor < 0) return later;
  for (let index = first + 1; index < rows.length; index++) {
    if (!isAssistant(rows[index])) continue;
    if (!isSameResponse(rows[index], rows[anchor])) break;
    later.add(index);
  }
  return later;
}
