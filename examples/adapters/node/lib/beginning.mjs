// The longest beginning of a text that keeps to a number of tokens; no character is split. [EST-001]

import { cutAtBytes, cutAtUnits } from './text.mjs';

const RATIO = 4;

/** The beginning whose documented estimate is at most `limit`. */
export function beginningOf(text, limit, choices) {
  const most = limit * RATIO + RATIO / 2 - 1; // what rounds half up to the limit at most
  const cut = choices['tokens.unit'] === 'utf8' ? cutAtBytes : cutAtUnits;
  return text.slice(0, cut(text, most));
}
