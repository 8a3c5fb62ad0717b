// White space, sizes and cuts. JavaScript's own `\s` and `trim` are the list of [MEM-071].

const NOT_WHITE = /\S/;

export const isBlank = (text) => !NOT_WHITE.test(text);

/** The documented estimate, (UTF-16 units + 2) / 4, rounded down. [MEM-001] */
export const estimateTokens = (text) => Math.floor((text.length + 2) / 4);

/** Bytes of the UTF-8 form; a lone surrogate counts three. */
export const utf8Length = (text) => Buffer.byteLength(text);

export function sizes(text) {
  let pairs = 0;
  for (let at = 0; at + 1 < text.length; at++) {
    if (startsPair(text, at)) {
      pairs++;
      at++;
    }
  }
  return { utf8: utf8Length(text), utf16: text.length, code_points: text.length - pairs };
}

export function countLineFeeds(text) {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** The index of the nth LF, counted from one; -1 if there are fewer. */
export function nthLineFeed(text, n) {
  let at = -1;
  for (let seen = 0; seen < n; seen++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return -1;
  }
  return at;
}

/** The largest index at or below `limit` UTF-16 units that splits no character. [MEM-123] */
export function cutAtUnits(text, limit) {
  if (text.length <= limit) return text.length;
  return limit > 0 && startsPair(text, limit - 1) ? limit - 1 : limit;
}

/** The largest index whose prefix has at most `limit` bytes and splits no character. [MEM-123] */
export function cutAtBytes(text, limit) {
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const pair = startsPair(text, at);
    const code = text.charCodeAt(at);
    const width = pair ? 4 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    if (bytes + width > limit) break;
    bytes += width;
    at += pair ? 2 : 1;
  }
  return at;
}

function startsPair(text, at) {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}
