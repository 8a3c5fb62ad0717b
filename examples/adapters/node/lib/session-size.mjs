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

/** EST-016 of the view. [TRN-033] */
export function contextOfView({ view, kept }, method, choices) {
  const keptRows = new Set(kept);
  const usageOf = (row) => (!row.isAnswer || isVoid(row) || keptRows.has(row) ? 0n : readUsage(row.usage).total);
  const anchor = view.findLastIndex((row) => usageOf(row) > 0n);
  const fragments = anchor < 0 ? [-1] : fragmentsOf(view, anchor);
  const isSkipped = (index) => choices['tokens.fragments'] === 'skip' && fragments.includes(index);
  const behind = view.filter((_row, index) => index > fragments[0] && !isSkipped(index));
  const estimated = behind.reduce((total, row) => total + costOf(row, method), 0);
  const measured = anchor < 0 ? 0n : usageOf(view[anchor]);
  return { tokens: toWire(measured + BigInt(estimated)), measured: toWire(measured), estimated };
}

/** The indices of the rows that are of one answer with the anchor, by the id of the message alone. [EST-017, EST-018] */
function fragmentsOf(view, anchor) {
  const { messageId } = view[anchor];
  const isOther = ({ isAnswer, messageId: other }) => isAnswer && (other === null || other !== messageId);
  const before = view.slice(0, anchor).findLastIndex(isOther);
  const after = view.findIndex((row, index) => index > anchor && isOther(row));
  const answers = [...view.keys()].slice(before + 1, after < 0 ? view.length : after).filter((index) => view[index].isAnswer);
  return messageId === null ? [anchor] : answers;
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
