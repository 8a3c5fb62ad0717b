// The method `bound`: weights of bytes and of pairs of them. [EST-030 to EST-032]

import { readFileSync } from 'node:fs';
import { utf8Bytes } from './bytes.mjs';

const TABLES = new URL('../../../../spec/weights.json', import.meta.url);
const { unit, classes, families } = JSON.parse(readFileSync(TABLES, 'utf8'));
const LF = 0x0a;

export const isFamily = (name) => typeof name === 'string' && Object.hasOwn(families, name);

export class Bound {
  #bytes;
  #pairs;

  constructor(family) {
    const { bytes, pairs, list, row, block, image } = families[family];
    this.#bytes = bytes;
    this.#pairs = pairs;
    Object.assign(this, { list, row, block, media: image });
  }

  /** [EST-031] */
  text(text) {
    const weights = this.#bytes;
    const pairs = this.#pairs;
    let sum = 0;
    let before = classes[LF];
    for (const byte of utf8Bytes(text)) {
      const now = classes[byte];
      sum += weights[byte] + pairs[10 * before + now];
      before = now;
    }
    return Math.ceil(sum / unit);
  }

  resultText(text) {
    return this.text(text);
  }

  /** Three texts, each by itself. */
  call(name, id, input) {
    return this.text(name) + this.text(id) + this.text(input);
  }

  resultId(id) {
    return this.text(id);
  }

  padded(sum) {
    return sum; // [EST-021]
  }
}
