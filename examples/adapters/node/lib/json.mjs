// JSON: what is an object, the serialised form of a value, and whether a text is JSON as a whole.

const MAX_LEVELS = 200;

export const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * The serialised form. [EST-010]
 *
 * JSON.stringify gives it but for lone surrogates, which it escapes, and for the large numbers of a session
 * file. Those of the wire need no care: they are whole and within ±(2^53−1), so a parser has lost nothing.
 */
export function serialise(value) {
  const text = stringify(value);
  if (!text.includes('\\ud')) return text;
  return text.replace(ESCAPE, (escape, half) => (half ? String.fromCharCode(Number.parseInt(half, 16)) : escape));
}

/** JSON.stringify, but with the digits of a BigInt. */
function stringify(value) {
  if (!holdsBigInt(value)) return JSON.stringify(value);
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(stringify).join(',')}]`;
  return `{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${stringify(item)}`).join(',')}}`;
}

function holdsBigInt(value) {
  if (value === null || typeof value !== 'object') return typeof value === 'bigint';
  return Object.values(value).some(holdsBigInt);
}

// Every escape is matched, so that a backslash which is escaped itself does not begin one.
const ESCAPE = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g;

/** Is the text one object or one array, at most 200 levels deep? [EST-004] */
export function isWholeJson(text) {
  if (!/^[ \t\n\r]*[[{]/.test(text) || depthOf(text) > MAX_LEVELS) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** How deep brackets nest outside strings. The value would not do: of a key that stands twice it has the last. */
function depthOf(text) {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') inString = !inString;
    else if (inString) at += Number(character === '\\');
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return deepest;
}
