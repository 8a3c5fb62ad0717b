// Which files kept rows still show. [CMP-112]

import { CLEARED } from './cleared-text.mjs';
import { isObject } from './json.mjs';
import { answersOf } from './row-changes.mjs';
import { isBlank } from './text.mjs';

const isShown = (text) => typeof text === 'string' && !isBlank(text) && text !== CLEARED;

function holdsText({ is_error: isError, content }) {
  if (isError === true) return false;
  if (!Array.isArray(content)) return isShown(content);
  return content.some((item) => isObject(item) && isShown(item.text));
}

/** The paths, as they are written. */
export function shownFiles(kept) {
  const shown = new Set();
  for (const { block, call } of answersOf(kept)) {
    if (call?.block.name !== 'Read' || !holdsText(block)) continue;
    const path = isObject(call.block.input) ? call.block.input.file_path : null;
    if (typeof path === 'string') shown.add(path);
  }
  return shown;
}
