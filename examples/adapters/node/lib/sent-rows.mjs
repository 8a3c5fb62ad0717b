// Which rows are sent, where attachments go, and which blocks pass. [MSG-001, MSG-004, MSG-007]

import { isObject } from './json.mjs';
import { contentOf, isId, viewStart } from './rows.mjs';

const SENT = new Set(['user', 'assistant', 'attachment']);
const NEVER_SENT = new Set(['system', 'progress']);

/** The rows of the view that are sent, as {kind, index, id, content}. */
export function sentRows(rows, report) {
  const sent = [];
  for (let index = viewStart(rows); index < rows.length; index++) {
    const row = rows[index];
    if (!isObject(row)) report('bad-row', index);
    else if (SENT.has(row.role)) sent.push({ kind: row.role, index, id: row.id, content: contentOf(row) });
    else if (!NEVER_SENT.has(row.role)) report('unknown-role', index);
  }
  return sent;
}

/** Each attachment moves up to the nearest place above it, or to the very front. [MSG-004] */
export function moveAttachments(rows) {
  const stretches = [{ attached: [], others: [] }]; // each but the first begins behind a place
  for (const row of rows) {
    const { attached, others } = stretches.at(-1);
    if (row.kind === 'attachment') {
      attached.push(row);
      continue;
    }
    others.push(row);
    if (isPlace(row)) stretches.push({ attached: [], others: [] });
  }
  return stretches.flatMap(({ attached, others }) => [...attached, ...others]);
}

function isPlace({ kind, content }) {
  return kind === 'assistant' || (Array.isArray(content) && content.some((item) => item?.type === 'tool_result'));
}

/** {kind, id, parts}: the blocks of a row that pass. Each that does not is reported. */
export function readBlocks({ kind, index, id, content }, report) {
  const parts = [];
  for (const item of itemsOf(content, index, report)) {
    const reason = faultOf(item, kind);
    if (reason === null) parts.push({ block: item, row: index });
    else report(reason, index, idOf(item));
  }
  return { kind, id, parts };
}

function itemsOf(content, index, report) {
  if (typeof content === 'string' && content !== '') return [{ type: 'text', text: content }];
  const isEmpty = (content ?? '') === '' || (Array.isArray(content) && content.length === 0);
  if (isEmpty) report('empty', index);
  else if (!Array.isArray(content)) report('bad-content', index);
  else return content;
  return [];
}

function faultOf(item, kind) {
  if (!isObject(item) || typeof item.type !== 'string') return 'bad-block';
  switch (item.type) {
    case 'text':
      if ((item.text ?? '') === '') return 'empty';
      return typeof item.text === 'string' ? null : 'bad-block';
    case 'tool_use':
      return kind === 'assistant' && isId(item.id) ? null : 'bad-block';
    case 'tool_result':
      return kind === 'user' ? null : 'bad-block';
    default:
      return null;
  }
}

/** The id of a call or of the call that a result answers. */
function idOf(item) {
  if (item?.type === 'tool_use') return item.id;
  return item?.type === 'tool_result' ? item.tool_use_id : undefined;
}
