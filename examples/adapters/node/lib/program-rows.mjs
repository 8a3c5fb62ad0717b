// The rows of a program: kinds, costs, count. [CMP-180, EST-016]

import { isId } from './rows.mjs';

const IMAGE = 2_000;
const CLEARED = 8;

const ANSWERS = new Set(['assistant', 'tool_call']);
const SILENT = new Set(['progress', 'system', 'boundary']);

export const UNITS_A_TOKEN = 4;

/** Is it written by the model? */
export const isAnswer = ({ kind }) => ANSWERS.has(kind);

/** Is it said to the model or by it? */
export const isSaid = ({ kind }) => !SILENT.has(kind);

export const isFragment = (one, other) => isId(one.response) && one.response === other.response;

/** What a result of so many units costs as a preview. */
const previewTokens = (units) => Math.floor((units + UNITS_A_TOKEN / 2) / UNITS_A_TOKEN);

/** What rows cost in a session: `replaced` and `cleared` have the pairs whose results are shown as something else. */
export class Costs {
  #preview;
  #replaced;
  #cleared;

  constructor(preview, replaced, cleared) {
    this.#preview = previewTokens(preview);
    this.#replaced = replaced;
    this.#cleared = cleared;
  }

  of(row) {
    if (!isSaid(row)) return 0;
    if (row.kind === 'image') return IMAGE;
    if (row.kind === 'tool_result' && this.#cleared.has(row.pair)) return CLEARED;
    if (row.kind === 'tool_result' && this.#replaced.has(row.pair)) return this.#preview;
    return row.tokens;
  }

  sum(rows) {
    return rows.reduce((total, row) => total + this.of(row), 0);
  }
}

/** The count of a context: the last usage, and the costs behind the first fragment of its response. */
export function countOf(rows, costs, choices) {
  const anchor = rows.findLastIndex((row) => isAnswer(row) && row.usage > 0);
  if (anchor < 0) return costs.sum(rows);
  let first = anchor;
  for (let index = anchor - 1; index >= 0; index--) {
    if (!isAnswer(rows[index])) continue;
    if (!isFragment(rows[index], rows[anchor])) break;
    first = index;
  }
  return rows[anchor].usage + costs.sum(behind(rows, first, choices));
}

/** The rows behind the first fragment; without the later ones, where they do not count. [EST-018] */
function behind(rows, first, choices) {
  const later = rows.slice(first + 1);
  if (choices['tokens.fragments'] === 'count') return later;
  const end = later.findIndex((row) => isAnswer(row) && !isFragment(row, rows[first]));
  return later.filter((row, index) => !isAnswer(row) || (end >= 0 && index >= end));
}
