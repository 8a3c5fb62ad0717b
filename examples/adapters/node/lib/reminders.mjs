// When a mode is called to mind. [CTX-040 to CTX-044]

import { isObject } from './json.mjs';
import { contentOf, viewStart } from './rows.mjs';

const TURNS_BETWEEN_ATTACHMENTS = 5;
const FULL_ONE_IN = 5;

const isAttachment = (row, name) => isObject(row) && row.role === 'attachment' && row.attachment === name;

/** {mode, due, turns, reminders}: what the view says, read from its end. */
export function reminderOf(mode, rows) {
  const name = `${mode}_mode`;
  let turns = null; // since the last reminder; null while there is none
  let prompts = 0;
  let reminders = 0;
  for (let at = rows.length - 1; at >= viewStart(rows); at--) {
    const row = rows[at];
    if (isAttachment(row, `${name}_exit`)) break; // [CTX-043]
    if (isPrompt(row)) prompts++;
    if (!isAttachment(row, name)) continue;
    turns ??= prompts;
    reminders++;
    if (row.form !== 'short') break; // the last full one [CTX-041]
  }
  return { mode, due: dueOf(turns, reminders), turns, reminders };
}

function dueOf(turns, reminders) {
  if (turns === null) return 'full'; // [CTX-040]
  if (turns < TURNS_BETWEEN_ATTACHMENTS) return null;
  return reminders % FULL_ONE_IN === 0 ? 'full' : 'short'; // [CTX-041]
}

/** Does a turn begin with it? [CTX-042] */
function isPrompt(row) {
  if (!isObject(row) || row.role !== 'user' || row.is_meta === true || row.summary === true) return false;
  const content = contentOf(row);
  if (!Array.isArray(content)) return typeof content === 'string';
  return content.some((block) => isObject(block) && !isResult(block));
}

const isResult = ({ type }) => type === 'tool_result' || String(type).endsWith('_tool_result');
