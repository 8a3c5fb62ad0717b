// HTML as CommonMark sees it: tags, the beginnings and ends of HTML blocks, inline HTML.
// Everything is scanned by hand or by patterns that cannot backtrack. [MEM-092]

const RAW_TAG = /^<(?:script|pre|textarea|style)(?=[ \t\n>]|$)/i;
const RAW_END = /<\/(?:script|pre|textarea|style)>/i;
const RAW_NAME = /^(?:script|pre|textarea|style)$/i;
const BLOCK_TAG = new RegExp(
  `^</?(?:${[
    'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt',
    'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu',
    'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr',
    'track|ul',
  ].join('|')})(?=[ \\t]|$|/?>)`,
  'i',
);

export const COMMENT_BLOCK = 2;

const BLOCK_ENDS = [null, RAW_END, /-->/, /\?>/, />/, /\]\]>/];

/** The number of the start condition (1 to 7) that a line meets, or 0. */
export function htmlBlockKind(line, mayBeAnyTag) {
  if (RAW_TAG.test(line)) return 1;
  if (line.startsWith('<!--')) return COMMENT_BLOCK;
  if (line.startsWith('<?')) return 3;
  if (/^<![A-Za-z]/.test(line)) return 4;
  if (line.startsWith('<![CDATA[')) return 5;
  if (BLOCK_TAG.test(line)) return 6;
  if (!mayBeAnyTag) return 0;
  const tag = scanTag(line, 0);
  if (!tag || !/^[ \t]*$/.test(line.slice(tag.end))) return 0;
  return !tag.closing && RAW_NAME.test(tag.name) ? 0 : 7;
}

/** Does a block of this kind end with this line? Kinds 6 and 7 end with a blank one instead. */
export function htmlBlockEnds(kind, line) {
  return BLOCK_ENDS[kind]?.test(line) ?? false;
}

const TAG_NAME = /[A-Za-z][A-Za-z0-9-]*/y;
const ATTRIBUTE_NAME = /[A-Za-z_:][A-Za-z0-9_.:-]*/y;
const UNQUOTED = /[^ \t\n"'=<>`]+/y;
const SPACE = /[ \t\n]*/y;

function matchAt(pattern, text, at) {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found ? at + found[0].length : -1;
}

/** The open or closing tag that begins at `at`: {name, closing, end}, or null. */
function scanTag(text, at) {
  const closing = text[at + 1] === '/';
  const start = at + (closing ? 2 : 1);
  let pos = matchAt(TAG_NAME, text, start);
  if (pos < 0) return null;
  const name = text.slice(start, pos);
  for (;;) {
    const behind = matchAt(SPACE, text, pos);
    if (text[behind] === '>') return { name, closing, end: behind + 1 };
    if (closing) return null;
    if (text.startsWith('/>', behind)) return { name, closing, end: behind + 2 };
    if (behind === pos) return null;
    pos = scanAttribute(text, behind);
    if (pos < 0) return null;
  }
}

function scanAttribute(text, at) {
  const name = matchAt(ATTRIBUTE_NAME, text, at);
  if (name < 0) return -1;
  const equals = matchAt(SPACE, text, name);
  if (text[equals] !== '=') return name;
  const value = matchAt(SPACE, text, equals + 1);
  const quote = text[value];
  if (quote !== '"' && quote !== "'") return matchAt(UNQUOTED, text, value);
  const end = text.indexOf(quote, value + 1);
  return end < 0 ? -1 : end + 1;
}

/** Finds inline HTML in one text. What was sought in vain once is not sought again. */
export class InlineHtml {
  #text;
  #missing = new Set();

  constructor(text) {
    this.#text = text;
  }

  /** The end of the inline HTML that begins at `at`, or -1. */
  end(at) {
    const text = this.#text;
    if (text[at + 1] === '?') return this.#behind('?>', at + 2);
    if (text[at + 1] !== '!') return scanTag(text, at)?.end ?? -1;
    if (text.startsWith('<!-->', at)) return at + 5;
    if (text.startsWith('<!--->', at)) return at + 6;
    if (text.startsWith('<!--', at)) return this.#behind('-->', at + 4);
    if (text.startsWith('<![CDATA[', at)) return this.#behind(']]>', at + 9);
    return /[A-Za-z]/.test(text[at + 2] ?? '') ? this.#behind('>', at + 3) : -1;
  }

  #behind(mark, from) {
    if (this.#missing.has(mark)) return -1;
    const found = this.#text.indexOf(mark, from);
    if (found < 0) this.#missing.add(mark);
    return found < 0 ? -1 : found + mark.length;
  }
}
