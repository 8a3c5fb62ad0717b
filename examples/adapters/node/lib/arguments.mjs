// The arguments of tokens.*, messages.* and text.sizes, checked and given their defaults.

import { Bound, isFamily } from './bound.mjs';
import { fromBase64 } from './bytes.mjs';
import { Documented } from './documented.mjs';
import { invalidArgument } from './errors.mjs';

const isString = (value) => typeof value === 'string';

function check(isRight, message) {
  if (!isRight) throw invalidArgument(message);
}

/** Exactly one of `text` and `b64`. [EST-001] */
export function text({ text, b64 }) {
  check((text === undefined) !== (b64 === undefined), 'one of text and b64 is needed');
  check(b64 !== undefined || isString(text), 'text is no text');
  if (b64 === undefined) return text;
  const bytes = fromBase64(b64);
  check(bytes !== null, 'b64 is no base64');
  return bytes.toString('utf8'); // [MEM-106]
}

export function kind({ kind = 'text' }) {
  check(['text', 'json'].includes(kind), 'kind is neither text nor json');
  return kind;
}

export function extension({ extension = '' }) {
  check(isString(extension), 'extension is no text');
  return extension;
}

export function method({ method = 'documented', family = 'any' }, choices) {
  check(['documented', 'bound'].includes(method), 'method is neither documented nor bound');
  check(isFamily(family), 'family has no table');
  return method === 'bound' ? new Bound(family) : new Documented(choices);
}

export function padded({ padded = false }) {
  check(typeof padded === 'boolean', 'padded is neither true nor false');
  return padded;
}

export function messages({ messages }) {
  check(Array.isArray(messages), 'messages is no list'); // [EST-026, MSG-001]
  return messages;
}

export function pending({ pending = [] }) {
  check(Array.isArray(pending) && pending.every(isString), 'pending is no list of texts'); // [MSG-007]
  return pending;
}

export function window({ window }) {
  check(Number.isInteger(window) && window >= 1, 'window is no whole number of at least 1'); // [EST-014]
  return window;
}
