// The record of what was decided about results. [CMP-031 to CMP-033]

import { invalidArgument } from './errors.mjs';
import { isObject } from './json.mjs';
import { isId } from './rows.mjs';

export class ResultState {
  replaced = new Map(); // id to text, in the order of the saves
  kept = new Set();

  constructor(value) {
    const { replaced, kept } = isObject(value) ? value : {};
    const isRecord = (item) => isObject(item) && isId(item.id) && typeof item.text === 'string';
    const isList = (list, fits) => (list ?? null) === null || (Array.isArray(list) && list.every(fits));
    const isRight = value === null || (isObject(value) && isList(replaced, isRecord));
    if (!isRight || !isList(kept, isId)) throw invalidArgument('state has another form');
    for (const { id, text } of replaced ?? []) if (!this.replaced.has(id)) this.replaced.set(id, text);
    for (const id of kept ?? []) this.kept.add(id);
    this.given = { replaced: replaced ?? [], kept: kept ?? [] };
  }

  has(id) {
    return this.replaced.has(id) || this.kept.has(id);
  }

  /** As it was given, with what the pass adds behind it. */
  after(replaced, kept) {
    return { replaced: [...this.given.replaced, ...replaced], kept: [...this.given.kept, ...kept] };
  }
}
