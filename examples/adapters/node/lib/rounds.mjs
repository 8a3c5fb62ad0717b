// Rounds: a list, cut before each new response. [MSG-010 to MSG-015]

import { isAssistant, isSameResponse } from './rows.mjs';

/** Stretches [from, to] that tile the list. */
export function rounds(rows) {
  const starts = rows.length > 0 ? [0] : [];
  let last = null;
  for (const [index, row] of rows.entries()) {
    if (!isAssistant(row)) continue;
    const opens = last === null || !isSameResponse(last, row);
    if (opens && index > 0) starts.push(index); // at 0 one is open already [MSG-011]
    last = row;
  }
  return starts.map((from, round) => [from, starts[round + 1] ?? rows.length]);
}
