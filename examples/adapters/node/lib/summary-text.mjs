// What counts as a summary, and what stands in it. [CMP-093, CMP-095, CMP-153]

import { textOf } from './result-text.mjs';
import { isBlank } from './text.mjs';

const OPEN_DRAFT = '<analysis>';
const END_DRAFT = '</analysis>';
const NEEDED = ['current work', 'next step'];
const MARKS = /^[\s0-9#*\-_>.)(]*/;

const lower = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Without each draft that has an end. */
function withoutDrafts(text) {
  let rest = '';
  let from = 0;
  for (;;) {
    const open = text.indexOf(OPEN_DRAFT, from);
    const end = open < 0 ? -1 : text.indexOf(END_DRAFT, open);
    if (end < 0) return rest + text.slice(from);
    rest += text.slice(from, open);
    from = end + END_DRAFT.length;
  }
}

/** The parts without the tags, trimmed, by two LF. */
function withoutTags(text) {
  const open = text.indexOf('<summary>');
  const end = text.lastIndexOf('</summary>');
  if (open < 0 || end < open) return text.trim();
  const inside = text.slice(open + '<summary>'.length, end);
  return [text.slice(0, open), inside, text.slice(end + '</summary>'.length)]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');
}

/** What is left of a summary: without drafts, tags, and white space around. [CMP-153] */
export const bodyOf = (text) => withoutTags(withoutDrafts(text));

/** {valid, why?, missing?} of an answer. */
export function judge(content, isError) {
  if (isError) return { valid: false, why: 'summary-error' };
  const body = bodyOf(textOf(content));
  if (isBlank(body)) return { valid: false, why: 'summary-empty' };
  const heads = body.split('\n').map((line) => lower(line.replace(MARKS, '')));
  return { valid: true, missing: NEEDED.filter((name) => !heads.some((head) => head.startsWith(name))) };
}
