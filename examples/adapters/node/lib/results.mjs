// Limits on what results and messages hold: media, and results that hold nothing. [MSG-005, MSG-020]

import { isObject } from './json.mjs';
import { isBlank } from './text.mjs';

const MAX_MEDIA = 100;
const NO_OUTPUT = 'The tool completed without output.';

const isMedia = (item) => isObject(item) && (item.type === 'image' || item.type === 'document');
const holdsBlocks = (item) => isObject(item) && item.type === 'tool_result' && Array.isArray(item.content);

/** Removes the oldest media above the cap, also from within results. [MSG-005] */
export function limitMedia(messages, report) {
  let surplus = -MAX_MEDIA;
  for (const { parts } of messages) for (const { block } of parts) surplus += countMedia(block);
  if (surplus <= 0) return messages;

  /** [what is left of the item], or nothing. */
  const prune = (item, row) => {
    if (surplus === 0) return [item];
    if (holdsBlocks(item)) return [{ ...item, content: item.content.flatMap((inner) => prune(inner, row)) }];
    if (!isMedia(item)) return [item];
    surplus--;
    report('media-cap', row);
    return [];
  };
  return messages.map(({ role, parts }) => ({
    role,
    parts: parts.flatMap(({ block, row }) => prune(block, row).map((left) => ({ block: left, row }))),
  }));
}

function countMedia(item) {
  if (!holdsBlocks(item)) return Number(isMedia(item));
  return item.content.reduce((count, inner) => count + countMedia(inner), 0);
}

/** Gives each result that holds nothing a short text. [MSG-020] */
export function fillEmptyResults(messages, report) {
  const fill = (part) => {
    const { block, row } = part;
    if (block.type !== 'tool_result' || !holdsNothing(block.content)) return part;
    report('empty-result', row, block.tool_use_id);
    return { block: { ...block, content: NO_OUTPUT }, row };
  };
  return messages.map(({ role, parts }) => ({ role, parts: parts.map(fill) }));
}

function holdsNothing(content) {
  return Array.isArray(content) ? content.every(isEmptyText) : isEmpty(content);
}

const isEmptyText = (item) => isObject(item) && item.type === 'text' && isEmpty(item.text);

const isEmpty = (text) => (text ?? null) === null || (typeof text === 'string' && isBlank(text));
