// Texts inside YAML: escapes of double quotes, and the lines of block scalars.

const ESCAPES = {
  0: '\0', a: '\x07', b: '\b', t: '\t', '\t': '\t', n: '\n', v: '\v', f: '\f', r: '\r', e: '\x1b', ' ': ' ',
  '"': '"', '/': '/', '\\': '\\', N: '\x85', _: '\xa0', L: '\u2028', P: '\u2029',
};
const HEX_DIGITS = { x: 2, u: 4, U: 8 };

/** The escape whose character behind the backslash stands at `at`; null if there is no such escape. */
export function unescape(text, at) {
  const c = text[at] ?? '';
  if (Object.hasOwn(ESCAPES, c)) return { text: ESCAPES[c], length: 1 };
  if (!Object.hasOwn(HEX_DIGITS, c)) return null;
  const digits = text.slice(at + 1, at + 1 + HEX_DIGITS[c]);
  if (digits.length < HEX_DIGITS[c] || /[^0-9a-fA-F]/.test(digits)) return null;
  const code = Number.parseInt(digits, 16);
  return code > 0x10ffff ? null : { text: String.fromCodePoint(code), length: 1 + digits.length };
}

/** The text of a block scalar: literal or folded, its end kept, clipped or stripped by `chomp`. */
export function foldBlock(lines, folded, chomp) {
  let text = '';
  let feeds = 0; // empty lines in front of the next text
  let first = true;
  let afterIndented = false;
  for (const line of lines) {
    if (line === '') {
      feeds++;
      continue;
    }
    const indented = line[0] === ' ' || line[0] === '\t';
    if (first) text = '\n'.repeat(feeds);
    else if (!folded || indented || afterIndented) text += '\n'.repeat(feeds + 1);
    else text += feeds > 0 ? '\n'.repeat(feeds) : ' ';
    text += line;
    feeds = 0;
    first = false;
    afterIndented = indented;
  }
  if (chomp === '+') return text + '\n'.repeat(feeds + (first ? 0 : 1));
  return chomp === '-' || first ? text : text + '\n';
}
