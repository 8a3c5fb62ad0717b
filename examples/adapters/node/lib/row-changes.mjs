// Changed copies of rows; the rows that are given never change. [CMP-036]

import { Documented } from './documented.mjs';
import { isObject } from './json.mjs';
import { estimateRows } from './row-costs.mjs';
import { contentOf, isId } from './rows.mjs';

/** The blocks of a row, where it has a list of them. */
export const blocksOf = (row) => (isObject(row) && Array.isArray(contentOf(row)) ? contentOf(row) : []);

/** A row with other content; `text`, where it stood for the content, is gone. */
export function withContent(row, content) {
  const { text, ...rest } = row;
  return (row.content ?? null) === null ? { ...rest, content } : { ...row, content };
}

const isBlock = (item, type) => isObject(item) && item.type === type;

/** The results that stand directly in user rows: {row, place, id, block}; an id that is none is null. */
export function resultsOf(rows) {
  return standing(rows, 'user', 'tool_result', (block) => block.tool_use_id);
}

/** The calls that stand directly in assistant rows, likewise. */
export function callsOf(rows) {
  return standing(rows, 'assistant', 'tool_use', (block) => block.id);
}

function standing(rows, role, type, idOf) {
  const found = [];
  for (const [row, item] of rows.entries()) {
    if (!isObject(item) || item.role !== role) continue;
    for (const [place, block] of blocksOf(item).entries()) {
      if (!isBlock(block, type)) continue;
      found.push({ row, place, id: isId(idOf(block)) ? idOf(block) : null, block });
    }
  }
  return found;
}

/** The results, each with the last call of its id in a row above it as `call`, null where there is none. */
export function answersOf(rows) {
  const calls = callsOf(rows);
  const above = new Map();
  let next = 0;
  return resultsOf(rows).map((result) => {
    for (; next < calls.length && calls[next].row < result.row; next++) above.set(calls[next].id, calls[next]);
    return { ...result, call: result.id === null ? null : (above.get(result.id) ?? null) };
  });
}

/** The list with other contents of results; `changes` are {row, place, content}. */
export function withResults(rows, changes) {
  const changed = [...rows];
  for (const { row, place, content } of changes) {
    const blocks = [...blocksOf(changed[row])];
    blocks[place] = { ...blocks[place], content };
    changed[row] = withContent(changed[row], blocks);
  }
  return changed;
}

export const firstChanged = (changes) => (changes.length > 0 ? Math.min(...changes.map(({ row }) => row)) : null);

/** The documented estimate of a list. [EST-012, EST-021] */
export const estimate = (rows, choices, padded = false) => estimateRows(rows, new Documented(choices), padded).tokens;

/** A decision without what it has not. [CMP-003] */
export function decision(layer, why, { row, id, path, tokens } = {}) {
  const parts = { layer, why, row, id: id ?? undefined, path, tokens };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}
