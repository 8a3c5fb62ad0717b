// What a row of a session file costs, what responses used, and how large the context is. [TRN-005, TRN-030 to TRN-033]

import { isObject } from './json.mjs';
import { RowCosts } from './row-costs.mjs';
import { readUsage, TERMS, toWire } from './usage.mjs';

const SYNTHETIC = '<synthetic>';

const isVoid = ({ isError, model }) => isError || model === SYNTHETIC; // [TRN-032]
const sumOf = (usages) => Object.fromEntries(TERMS.map((name) => [name, sum(usages, name)]));
const sum = (usages, name) => toWire(usages.reduce((total, { terms }) => total + terms[name], 0n));

/** One row of the result for each response that used something, by its first line. [TRN-030] */
export function usageOfResponses(responses, conversation) {
  const inside = new Set(conversation);
  return responses.flatMap((rows) => {
    const best = largestOf(rows);
    if (best === null) return [];
    const { usage, model } = best;
    return {
      usage,
      row: {
        lines: rows.map(({ line }) => line),
        usage: sumOf([usage]),
        context: toWire(usage.input),
        model,
        in_conversation: rows.some((row) => inside.has(row)),
      },
    };
  });
}

/** The usage with the largest total, of equal ones the last. */
function largestOf(rows) {
  let best = null;
  for (const row of rows) {
    const usage = readUsage(row.usage);
    if (isVoid(row) || usage.total === 0n) continue;
    if (best === null || usage.total >= best.usage.total) best = { usage, model: row.model };
  }
  return best;
}

/** [TRN-031] */
export const totalsOf = (usages) => ({ responses: usages.length, ...sumOf(usages) });

/** The usages of every row that has one. [TRN-031] */
export const usagesOfRows = (rows) =>
  rows
    .filter(({ isAnswer }) => isAnswer)
    .map(({ usage }) => readUsage(usage))
    .filter(({ total }) => total > 0n);

/** [TRN-033] */
export function contextOfView({ view, kept }, method, choices) {
  const keptRows = new Set(kept);
  const measures = (row) => row.isAnswer && !isVoid(row) && !keptRows.has(row) && readUsage(row.usage).total > 0n;
  const anchor = view.findLast(measures);
  const measured = anchor === undefined ? 0n : readUsage(anchor.usage).total;
  const first = view.findIndex(({ response }) => response !== undefined && response === anchor?.response);
  const isSkipped = (row) => choices['tokens.fragments'] === 'skip' && row.isAnswer && row.response === anchor?.response;
  const behind = view.slice(first + 1).filter((row) => !isSkipped(row));
  const estimated = behind.reduce((total, row) => total + costOf(row, method), 0);
  return { tokens: toWire(measured + BigInt(estimated)), measured: toWire(measured), estimated };
}

/** [TRN-005] */
function costOf(row, method) {
  if (row.isForScreen) return 0; // [TRN-004]
  const contents = row.isSaid ? [row.content] : row.kind === 'attachment' ? textsOf(row.attachment) : [];
  const costs = new RowCosts(method);
  return contents.reduce((total, content) => total + costs.row({ role: row.isSaid ? row.kind : 'user', content }, 0), 0);
}

/** The texts that an attachment carries. */
function textsOf({ files, content }) {
  const isText = (value) => typeof value === 'string';
  if (Array.isArray(files)) return files.filter(isObject).flatMap((file) => (isText(file.content) ? file.content : []));
  if (isText(content)) return [content];
  if (Array.isArray(content)) {
    const texts = content.filter((block) => isObject(block) && block.type === 'text' && isText(block.text));
    return [texts.map(({ text }) => text).join('\n')];
  }
  if (!isObject(content)) return [];
  const inner = isObject(content.file) ? content.file.content : content.content;
  return isText(inner) ? [inner] : [];
}
