// Which rows are kept behind the notes. [CMP-142 to CMP-145]

import { isObject } from './json.mjs';
import { answersOf, estimate } from './row-changes.mjs';
import { contentOf, isAssistant, isBoundary, isSameResponse } from './rows.mjs';
import { isBlank } from './text.mjs';

const MIN_TOKENS = 10_000;
const MIN_MESSAGES = 5;
const MAX_TOKENS = 40_000;

/** {from, isKnown}: the index of the first kept row, and whether the reach of the notes is known. */
export function keptTail(rows, lastCovered, choices) {
  const floor = rows.findLastIndex(isBoundary) + 1;
  const last = lastCovered === null ? -1 : rows.findLastIndex((row) => isObject(row) && row.uuid === lastCovered);
  if (last < 0) return { from: floor, isKnown: false };
  const grown = growTail(rows, floor, Math.max(floor, last + 1), choices);
  return { from: makeWhole(rows, floor, grown), isKnown: true };
}

function growTail(rows, floor, first, choices) {
  const single = (row) => estimate([row], { ...choices, 'tokens.message_pad': 'none' });
  const padded = (sum) => (choices['tokens.message_pad'] === 'four-thirds' ? Math.ceil((sum * 4) / 3) : sum);
  let start = first;
  let sum = rows.slice(start).reduce((total, row) => total + single(row), 0);
  let messages = rows.slice(start).filter(hasText).length;
  while (start > floor) {
    if (padded(sum) >= MIN_TOKENS && messages >= MIN_MESSAGES) break;
    const next = sum + single(rows[start - 1]);
    if (padded(next) > MAX_TOKENS) break;
    sum = next;
    start--;
    messages += Number(hasText(rows[start]));
  }
  return start;
}

const isShown = (text) => typeof text === 'string' && !isBlank(text);

/** [CMP-143] */
function hasText(row) {
  if (!isObject(row) || (row.role !== 'user' && row.role !== 'assistant')) return false;
  const content = contentOf(row);
  if (!Array.isArray(content)) return isShown(content);
  return content.some((item) => isObject(item) && item.type === 'text' && isShown(item.text));
}

/** [CMP-144] */
function makeWhole(rows, floor, first) {
  const firstCall = new Map(); // of a row with results the uppermost row with a call of theirs, not above the floor
  for (const { row, call } of answersOf(rows)) {
    if (call !== null && call.row >= floor) firstCall.set(row, Math.min(call.row, firstCall.get(row) ?? Infinity));
  }
  const sameAbove = new Map(); // of an assistant row the one before it, where that is of one response
  let before = -1;
  for (let row = floor; row < rows.length; row++) {
    if (!isAssistant(rows[row])) continue;
    if (before >= 0 && isSameResponse(rows[before], rows[row])) sameAbove.set(row, before);
    before = row;
  }
  let start = first;
  for (let row = rows.length - 1; row >= start; row--) {
    // going up, so what the start takes in is looked at in its turn
    start = Math.min(start, firstCall.get(row) ?? Infinity, sameAbove.get(row) ?? Infinity);
  }
  return start;
}
