// The table of models, and how a name is looked up in it. [WIN-006]

import { readFileSync } from 'node:fs';
import { compareNames } from './bytes.mjs';

const TABLE = new URL('../../../../spec/models.json', import.meta.url);
const { models } = JSON.parse(readFileSync(TABLE, 'utf8'));
const ROWS = new Map(models.map((row) => [row.name, row]));
const SUFFIX = '[1m]';

const lower = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const undated = (name) => name.replace(/-[0-9]{8}$/, '');

/** [WIN-002] */
export const hasSuffix = (model) => lower(model.trim()).endsWith(SUFFIX);

/** {window, max_output, supports_1m}, or an object without them. */
export function rowOf(model) {
  const name = plainName(model);
  if (ROWS.has(name)) return ROWS.get(name);
  const alike = [...ROWS.keys()].filter((other) => undated(other) === undated(name)).sort(compareNames);
  return alike.length > 0 ? ROWS.get(alike.at(-1)) : {};
}

function plainName(model) {
  let name = lower(model.trim());
  if (name.endsWith(SUFFIX)) name = name.slice(0, -SUFFIX.length);
  for (const mark of ['/', 'anthropic.']) {
    const at = name.lastIndexOf(mark);
    if (at >= 0) name = name.slice(at + mark.length);
  }
  return name
    .replace(/-v[0-9]+(?::[0-9]+)?$/, '')
    .replace(/@default$/, '')
    .replaceAll('@', '-');
}
