// From rows to messages: parts of a response find together, and so do neighbours of one role. [MSG-007]

import { isSameResponse } from './rows.mjs';

/** Joins an assistant row to the last one of its response, across attachments and results. */
export function joinRows(rows) {
  const messages = [];
  let last = null; // the last assistant row, as {id, message}, until something lies behind it
  for (const { kind, id, parts } of rows) {
    if (parts.length === 0) continue;
    if (kind !== 'assistant') {
      messages.push({ role: 'user', parts });
      const holdsResultsAlone = parts.every(({ block }) => block.type === 'tool_result');
      if (kind === 'user' && !holdsResultsAlone) last = null;
    } else if (last !== null && isSameResponse(last, { id })) {
      append(last.message.parts, parts);
    } else {
      last = { id, message: { role: 'assistant', parts } };
      messages.push(last.message);
    }
  }
  return messages;
}

/** Messages without a block go, neighbours of one role become one. */
export function joinNeighbours(messages) {
  const joined = [];
  for (const { role, parts } of messages) {
    if (parts.length === 0) continue;
    if (joined.at(-1)?.role === role) append(joined.at(-1).parts, parts);
    else joined.push({ role, parts: [...parts] });
  }
  return joined;
}

// One by one: a call takes only so many arguments.
function append(list, items) {
  for (const item of items) list.push(item);
}
