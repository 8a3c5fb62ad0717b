// A session file as lines, and what each of them says: an object, nothing, or a reason to leave it out. [TRN-002, TRN-034]

import { decodeStrictly, fromBase64, utf8Bytes } from './bytes.mjs';
import { invalidArgument } from './errors.mjs';
import { isObject } from './json.mjs';
import { parseExactly } from './json-exact.mjs';

const LF = 0x0a;
const MAX_LINE = 64 * 1024 * 1024;
const MAX_LEVELS = 200;
const WAYS = ['text', 'b64', 'lines'];

/** The bytes of the file that a call gives in one of three ways. [TRN-034] */
export function fileOf(args) {
  const given = WAYS.filter((way) => (args[way] ?? null) !== null);
  if (given.length !== 1) throw invalidArgument('one of text, b64 and lines is needed');
  const { text, b64, lines } = args;
  switch (given[0]) {
    case 'text':
      if (typeof text !== 'string') throw invalidArgument('text is no text');
      return utf8Bytes(text);
    case 'b64':
      return bytesOf(b64);
    default:
      if (!Array.isArray(lines)) throw invalidArgument('lines is no list');
      return Buffer.concat(lines.flatMap((item) => [bytesOfLine(item), Buffer.of(LF)]));
  }
}

function bytesOfLine(item) {
  if (typeof item === 'string') return utf8Bytes(item);
  if (!isObject(item)) throw invalidArgument('lines holds something that is neither a text nor an object');
  const isBytes = Object.keys(item).length === 1 && Object.hasOwn(item, 'b64');
  return isBytes ? bytesOf(item.b64) : Buffer.from(JSON.stringify(item));
}

function bytesOf(b64) {
  const bytes = fromBase64(b64);
  if (bytes === null) throw invalidArgument('b64 is no base64');
  return bytes;
}

/** Each line as {line, bytes} with its `object` or a `reason`; with neither where it is blank. [TRN-002] */
export function* linesOf(file) {
  for (let from = 0, line = 1; from < file.length; line++) {
    const end = file.indexOf(LF, from);
    const bytes = file.subarray(from, end < 0 ? file.length : end);
    yield { line, bytes, ...meaningOf(bytes, end < 0) };
    from = end < 0 ? file.length : end + 1;
  }
}

function meaningOf(bytes, isCutOff) {
  if (skipBlanks(bytes, 0) === bytes.length) return {};
  if (bytes.length > MAX_LINE) return { reason: 'long-line' };
  const { depth, endOfFirst } = nesting(bytes);
  if (depth > MAX_LEVELS) return { reason: 'deep-line' };
  const value = parseBytes(bytes);
  if (value !== undefined) return isObject(value) ? { object: value } : { reason: 'not-an-object' };
  if (isJoined(bytes, endOfFirst)) return { reason: 'joined-lines' };
  return { reason: isCutOff ? 'incomplete-line' : 'broken-line' };
}

/** The value of the bytes; undefined where they are no JSON, which no value is. */
function parseBytes(bytes) {
  const text = decodeStrictly(bytes);
  if (text === null) return undefined;
  try {
    return parseExactly(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Does an object stand first, and a second one begin behind it? */
function isJoined(bytes, endOfFirst) {
  if (endOfFirst < 0 || bytes[skipBlanks(bytes, endOfFirst)] !== 0x7b) return false;
  return isObject(parseBytes(bytes.subarray(0, endOfFirst)));
}

export const isBlankByte = (byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d;

function skipBlanks(bytes, from) {
  let at = from;
  while (at < bytes.length && isBlankByte(bytes[at])) at++;
  return at;
}

/** How deep brackets nest outside strings, and where the first outermost pair of them ends. */
function nesting(bytes) {
  let level = 0;
  let depth = 0;
  let endOfFirst = -1;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 0x22) inString = !inString;
    else if (inString) at += Number(byte === 0x5c);
    else if (byte === 0x5b || byte === 0x7b) depth = Math.max(depth, ++level);
    else if ((byte === 0x5d || byte === 0x7d) && --level === 0 && endOfFirst < 0) endOfFirst = at + 1;
  }
  return { depth, endOfFirst };
}
