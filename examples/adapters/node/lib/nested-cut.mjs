// The cut of attached texts under `memory.nested_cut` `on`. [MEM-145]

import { countLineFeeds, cutAtBytes, nthLineFeed } from './text.mjs';

const MAX_MEMORY_LINES = 200;
const MAX_MEMORY_BYTES = 4_096;

export function cutAttached(text) {
  const lines = countLineFeeds(text) + (text.endsWith('\n') ? 0 : 1); // a final LF begins no further line
  const kept = lines > MAX_MEMORY_LINES ? text.slice(0, nthLineFeed(text, MAX_MEMORY_LINES)) : text;
  return kept.slice(0, cutAtBytes(kept, MAX_MEMORY_BYTES));
}
