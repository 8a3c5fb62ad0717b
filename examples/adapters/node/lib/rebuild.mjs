// The new list behind a compaction. [CMP-150 to CMP-154, CMP-162]

import { compareNames } from './bytes.mjs';
import { invalidArgument } from './errors.mjs';
import { isObject } from './json.mjs';
import { decision } from './row-changes.mjs';
import { isBoundary, isId } from './rows.mjs';
import { bodyOf } from './summary-text.mjs';

export function rebuild(request) {
  const { messages, summaries, from, attachments, hooks } = request;
  const kept = [];
  const decisions = [];
  for (let row = from; row < messages.length; row++) {
    const why = whyLeftOut(messages[row], attachments);
    if (why) decisions.push(decision('compact', why, { row }));
    else kept.push(isObject(messages[row]) ? { ...messages[row], kept: true } : messages[row]);
  }
  const rows = summaries.map((summary) => summaryRow(summary, request));
  if (rows.length === 0) throw invalidArgument('there is no summary');
  const boundary = boundaryRow(request, kept, rows.at(-1));
  return { messages: [boundary, ...rows, ...kept, ...attachments, ...hooks], decisions };
}

const nameOf = (row) => (isObject(row) && isId(row.uuid) ? row.uuid : null);

/** `uuid` and `at`, where they are given. */
const named = (uuid, at) => ({ ...(isId(uuid) && { uuid }), ...(at !== null && { at }) });

function boundaryRow({ messages, trigger, tokensBefore, uuid, at, discovered }, kept, lastSummary) {
  const isTalk = (row) => isObject(row) && (row.role === 'user' || row.role === 'assistant');
  const lastBefore = nameOf(messages.findLast((row) => isTalk(row) && nameOf(row) !== null));
  const before = messages.findLast(isBoundary)?.discovered_tools;
  const known = Array.isArray(before) ? before.filter((name) => typeof name === 'string') : [];
  return {
    role: 'system',
    subtype: 'compact_boundary',
    ...named(uuid, at),
    trigger,
    tokens_before: tokensBefore,
    ...(lastBefore !== null && { last_before: lastBefore }),
    discovered_tools: [...new Set([...known, ...discovered])].sort(compareNames),
    ...(kept.length > 0 && {
      kept_segment: { head: nameOf(kept[0]), anchor: nameOf(lastSummary), tail: nameOf(kept.at(-1)) },
    }),
  };
}

/** [CMP-153] */
function summaryRow(summary, { at, log }) {
  const written = summary.text ?? '';
  const uuid = summary.uuid ?? null;
  if (typeof written !== 'string' || (uuid !== null && typeof uuid !== 'string')) {
    throw invalidArgument('a summary has a text or a uuid that is no text');
  }
  const text = bodyOf(written);
  if (text === '') throw invalidArgument('nothing is left of a summary');
  const where = log === null ? '' : ` The whole of it is in ${log}.`;
  const said = `The talk so far was replaced by this summary.${where}`;
  const content = [said, text].map((part) => ({ type: 'text', text: part }));
  return { role: 'user', summary: true, ...named(uuid, at), content };
}

function whyLeftOut(row, attachments) {
  if (isBoundary(row)) return 'boundary-left-out';
  return attachments.some((other) => isAboutTheSame(row, other)) ? 'attachment-replaced' : null;
}

const FILES = ['file', 'file_reference'];

/** [CMP-162] */
function isAboutTheSame(one, other) {
  if (![one, other].every((row) => isObject(row) && row.role === 'attachment')) return false;
  const type = one.attachment;
  if (typeof type !== 'string' || type === 'hook') return false;
  const isSameType = type === other.attachment || (FILES.includes(type) && FILES.includes(other.attachment));
  const isSamePath = (one.path ?? null) === (other.path ?? null);
  const names = ({ names: list }) => JSON.stringify(list ?? null);
  return isSameType && isSamePath && (type !== 'agent_state' || names(one) === names(other));
}
