// Names that are not UTF-8. Inside this program a path is a JavaScript string; a byte that does
// not decode stands in it as one lone surrogate, U+DC80 to U+DCFF. So a stray byte is one UTF-16
// unit [MEM-124], every name is comparable, and the way back to bytes is exact.

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of the bytes, or null where they are not UTF-8. */
export function decodeStrictly(bytes) {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** The path that the bytes spell. */
export function pathFromBytes(bytes) {
  const text = decodeStrictly(bytes);
  if (text !== null) return text;
  let path = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at]);
    const character = length > 0 ? decodeStrictly(bytes.subarray(at, at + length)) : null;
    path += character ?? String.fromCharCode(0xdc00 + bytes[at]);
    at += character === null ? 1 : length;
  }
  return path;
}

function sequenceLength(lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

const LONE_SURROGATE = /[\ud800-\udfff]/u; // with the flag u a pair is one character
const LONE_SURROGATES = /[\ud800-\udfff]/gu;
const SURROGATE = /[\ud800-\udfff]/; // without it, each half of a pair too
const STRAY_BYTE = /[\udc80-\udcff]/u;

/** The bytes of a path. A lone surrogate that is no stray byte takes three, as in WTF-8. */
function pathToBytes(path) {
  if (!LONE_SURROGATE.test(path)) return Buffer.from(path);
  const parts = [];
  for (const character of path) {
    const code = character.codePointAt(0);
    if (code >= 0xdc80 && code <= 0xdcff) parts.push(Buffer.from([code - 0xdc00]));
    else if (code >= 0xd800 && code <= 0xdfff) parts.push(Buffer.from(bytesOfSurrogate(code)));
    else parts.push(Buffer.from(character));
  }
  return Buffer.concat(parts);
}

/** The bytes of the UTF-8 form; a lone surrogate takes three, as in WTF-8. [EST-031] */
export function utf8Bytes(text) {
  const bytes = Buffer.from(text); // U+FFFD stands for a lone surrogate, of three bytes as well
  let at = 0;
  let from = 0;
  for (const { 0: surrogate, index } of text.matchAll(LONE_SURROGATES)) {
    at += Buffer.byteLength(text.slice(from, index));
    at += Buffer.from(bytesOfSurrogate(surrogate.charCodeAt(0))).copy(bytes, at);
    from = index + 1;
  }
  return bytes;
}

const bytesOfSurrogate = (code) => [0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];

/** The order of the UTF-8 bytes, which is the order of code points. [MEM-031] */
export function compareNames(one, other) {
  if (!SURROGATE.test(one) && !SURROGATE.test(other)) return one < other ? -1 : Number(one > other);
  return Buffer.compare(pathToBytes(one), pathToBytes(other));
}

/** The bytes of strict base64, or null. */
export function fromBase64(text) {
  if (typeof text !== 'string') return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

/** A path as it travels: text, or {b64} where it is not UTF-8. Null for anything else. */
export function pathFromWire(value) {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return null;
  const bytes = fromBase64(value.b64);
  return bytes === null ? null : pathFromBytes(bytes);
}

export function pathToWire(path) {
  return STRAY_BYTE.test(path) ? { b64: pathToBytes(path).toString('base64') } : path;
}
