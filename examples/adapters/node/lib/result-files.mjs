// Where the whole of a result is saved. [CMP-027]

import { utf8Bytes } from './bytes.mjs';
import { serialise } from './json.mjs';
import { isId } from './rows.mjs';

const STAYS = /^[A-Za-z0-9._-]$/;

const escaped = (character) =>
  [...utf8Bytes(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** {path, text} for the content of the result of a call. */
export function fileOf(content, id, { folder, names }) {
  const given = Object.hasOwn(names, id) ? names[id] : null;
  const name = [...(isId(given) ? given : id)].map((one) => (STAYS.test(one) ? one : escaped(one))).join('');
  const isString = typeof content === 'string';
  const path = `${folder.replace(/\/+$/, '')}/tool-results/${name}.${isString ? 'txt' : 'json'}`;
  return { path, text: isString ? content : serialise(content) };
}
