// JSON whose whole numbers keep all their digits. What JSON.parse would round becomes a BigInt. [EST-010]

const LONG_DIGITS = /\d{16}/;
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
const LONG_WHOLE = /^-?\d{16,}$/;

/** The value of a text of JSON; a SyntaxError where it is none. */
export function parseExactly(text) {
  const value = JSON.parse(text); // also tells whether this is JSON at all
  if (!LONG_DIGITS.test(text)) return value;
  const isRounded = (token) => LONG_WHOLE.test(token) && !Number.isSafeInteger(Number(token));
  const mark = unusedIn(JSON.stringify(value));
  const marked = text.replace(TOKENS, (token) => (isRounded(token) ? `"${mark}${token}"` : token));
  if (marked.length === text.length) return value;
  const isMarked = (item) => typeof item === 'string' && item.startsWith(mark);
  return JSON.parse(marked, (_key, item) => (isMarked(item) ? BigInt(item.slice(mark.length)) : item));
}

function unusedIn(text) {
  let mark = '#';
  while (text.includes(mark)) mark += '#';
  return mark;
}
