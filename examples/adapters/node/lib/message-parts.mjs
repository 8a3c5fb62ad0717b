// The five parts of the messages. [CTX-105, CTX-106]

import { isObject } from './json.mjs';
import { RowCosts } from './row-costs.mjs';
import { viewStart } from './rows.mjs';

/** {parts, findings}: tokens of each part, and what could not be taken of a row. */
export function partsOf(rows, method) {
  const costs = new RowCosts(method);
  const parts = { tool_call: 0, tool_result: 0, attachment: 0, assistant: 0, user: 0 };
  for (let index = viewStart(rows); index < rows.length; index++) {
    for (const { item, tokens } of costs.items(rows[index], index)) parts[partOf(item, rows[index])] += tokens;
  }
  return { parts, findings: costs.findings };
}

function partOf(item, row) {
  const role = isObject(row) ? row.role : null;
  if (role === 'attachment') return role;
  const type = isObject(item) && typeof item.type === 'string' ? item.type : '';
  if (type === 'tool_use' || type.endsWith('_tool_use')) return 'tool_call';
  if (type === 'tool_result' || type.endsWith('_tool_result')) return 'tool_result';
  return role === 'assistant' ? role : 'user';
}
