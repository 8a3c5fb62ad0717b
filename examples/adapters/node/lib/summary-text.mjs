// What counts as a summary, and what stands in it. [CMP-093, CMP-095, CMP-153]

import { isObject } from './json.mjs';
import { isBlank } from './text.mjs';

const OPEN_DRAFT = '<analysis>';
const END_DRAFT = '</analysis>';
const TAGS = /<\/?summary>/g;
const NEEDED = ['current work', 'next step'];
const MARKS = /^[\s\x21-\x40\x5b-\x60\x7b-\x7e]*/; // white space, and what in ASCII is no letter

/** Without each draft that has an end. */
export function withoutDrafts(text) {
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
export function withoutTags(text) {
  const open = text.indexOf('<summary>');
  const end = text.lastIndexOf('</summary>');
  if (open < 0 || end < open) return text.trim();
  const parts = [text.slice(0, open), text.slice(open + '<summary>'.length, end), text.slice(end + '</summary>'.length)];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');
}

const isTextBlock = (item) => isObject(item) && item.type === 'text' && typeof item.text === 'string';

/** {valid, why?, missing?} of an answer. */
export function judge(content, isError) {
  if (isError) return { valid: false, why: 'summary-error' };
  const whole = typeof content === 'string' ? content : content.filter(isTextBlock).map(({ text }) => text).join('\n');
  const lines = withoutDrafts(whole).replace(TAGS, '\n');
  if (isBlank(lines)) return { valid: false, why: 'summary-empty' };
  const heads = lines.split('\n').map((line) => line.replace(MARKS, '').toLowerCase());
  return { valid: true, missing: NEEDED.filter((name) => !heads.some((head) => head.startsWith(name))) };
}
