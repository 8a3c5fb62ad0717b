// The limits of MEMORY.md. [MEM-121 to MEM-123]

import { countLineFeeds, cutAtBytes, cutAtUnits, nthLineFeed, utf8Length } from './text.mjs';

const MAX_ENTRYPOINT_LINES = 200;
const MAX_ENTRYPOINT_BYTES = 25_000; // in the unit of the choice, whatever the name says

/** {text, lines, size, cut}: what is kept; lines and size of the original; the limits it exceeded. */
export function cutIndex(untrimmed, unit) {
  const measure = unit === 'utf8' ? utf8Length : (text) => text.length;
  const cutAt = unit === 'utf8' ? cutAtBytes : cutAtUnits;
  const original = untrimmed.trim();
  const lines = original === '' ? 0 : countLineFeeds(original) + 1;
  const size = measure(original);

  let text = original;
  if (lines > MAX_ENTRYPOINT_LINES) text = text.slice(0, nthLineFeed(text, MAX_ENTRYPOINT_LINES));
  if (measure(text) > MAX_ENTRYPOINT_BYTES) {
    const limit = cutAt(text, MAX_ENTRYPOINT_BYTES);
    const feed = text.lastIndexOf('\n', limit);
    text = text.slice(0, feed < 0 ? limit : feed);
  }
  const cut = [];
  if (lines > MAX_ENTRYPOINT_LINES) cut.push('lines');
  if (size > MAX_ENTRYPOINT_BYTES) cut.push('size');
  return { text, lines, size, cut };
}
