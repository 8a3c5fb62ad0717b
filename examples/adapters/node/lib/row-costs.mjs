// What blocks and rows cost, by either method, and what is odd about them. [EST-005 to EST-012, EST-026]

import { isObject, serialise } from './json.mjs';
import { contentOf } from './rows.mjs';

const FREE = new Set(['system', 'progress']);
const COUNTED = new Set(['user', 'assistant', 'attachment']);

/** A value as the text that is counted: nothing where it is missing, the serialised form where it is odd. */
const asText = (value) => (typeof value === 'string' ? value : (value ?? null) === null ? '' : serialise(value));

export class RowCosts {
  #method;
  #reported = new Map(); // each combination once

  constructor(method) {
    this.#method = method;
  }

  /** [EST-012] */
  row(row, index) {
    const place = { row: index };
    if (!isObject(row)) this.report('bad-row', place);
    if (row === null || FREE.has(row.role)) return 0;
    if (!isObject(row)) return this.#method.row + this.#method.text(serialise(row));
    if (!COUNTED.has(row.role)) this.report('unknown-role', place);
    return this.#method.row + this.#content(contentOf(row), place, (text) => this.#method.text(text));
  }

  /** What the content of a row lists, as {item, tokens}; one item, null, where it is no list. [CTX-106] */
  items(row, index) {
    const whole = { item: null, tokens: this.row(row, index) };
    const content = isObject(row) && !FREE.has(row.role) ? contentOf(row) : null;
    if (!Array.isArray(content)) return [whole];
    const measure = (text) => this.#method.text(text);
    return content.map((item, block) => ({ item, tokens: this.#item(item, { row: index, block }, measure) }));
  }

  /** `place` is {row}, or {row, block} where a block is concerned. */
  report(reason, place) {
    this.#reported.set(JSON.stringify([place.row, place.block, reason]), { reason, ...place });
  }

  /** {reported}, or nothing where there is nothing. [EST-026] */
  get findings() {
    const rank = ({ block }) => block ?? -1;
    const rows = [...this.#reported.values()].sort(
      (one, other) => one.row - other.row || rank(one) - rank(other) || (one.reason < other.reason ? -1 : 1),
    );
    return rows.length > 0 ? { reported: rows } : {};
  }

  #content(content, place, measure) {
    if (!Array.isArray(content)) {
      if (typeof content === 'string') return measure(content);
      if ((content ?? null) !== null) this.report('bad-content', place);
      return this.#method.text(asText(content));
    }
    let sum = 0;
    for (const [index, item] of content.entries()) {
      sum += this.#item(item, { block: index, ...place }, measure); // what lies deeper keeps the outer index
    }
    return sum;
  }

  #item(item, place, measure) {
    if (isObject(item) && item.type === 'text') return this.#needed(item.text, place, measure);
    if (isObject(item) && typeof item.type === 'string') return this.#method.block + this.#block(item, place);
    this.report('bad-block', place);
    return item === null ? 0 : this.#method.block + this.#method.text(serialise(item));
  }

  #block(block, place) {
    switch (block.type) {
      case 'thinking': // [EST-008]
        return this.#needed(block.thinking, place);
      case 'redacted_thinking':
        return this.#needed(block.data, place);
      case 'image': // [EST-011]
      case 'document':
        return this.#method.media;
      case 'tool_use': {
        // [EST-007]
        const { name, id, input } = block;
        if (typeof name !== 'string') this.report('no-text', place);
        return this.#method.call(asText(name), asText(id), serialise(input ?? {}));
      }
      case 'tool_result': {
        // [EST-006]
        const cost = this.#content(block.content, place, (text) => this.#method.resultText(text));
        return cost + this.#method.resultId(asText(block.tool_use_id));
      }
      default: // [EST-009]
        return this.#method.text(serialise(block));
    }
  }

  /** A text that a block cannot do without. */
  #needed(text, place, measure = (value) => this.#method.text(value)) {
    if (typeof text === 'string') return measure(text);
    this.report('no-text', place);
    return this.#method.text(asText(text));
  }
}

/** {tokens, reported?} of a list as it is given. */
export function estimateRows(rows, method, padded) {
  const costs = new RowCosts(method);
  const sum = rows.reduce((total, row, index) => total + costs.row(row, index), rows.length > 0 ? method.list : 0);
  return { tokens: padded ? method.padded(sum) : sum, ...costs.findings };
}
