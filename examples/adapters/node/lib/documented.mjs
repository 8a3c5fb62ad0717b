// The method `documented`: sizes over four. [EST-001 to EST-011]

import { isWholeJson } from './json.mjs';
import { utf8Length } from './text.mjs';

const RATIO = 4;
const JSON_RATIO = 2;
const IMAGE_MAX_TOKEN_SIZE = 2_000; // [EST-011]

const isJsonFile = (extension) => /^json[lc]?$/i.test(extension); // ASCII alone: there is no flag u

/** The ratio for a text whose kind is known. [EST-003] */
export const ratioOf = (kind, extension) => (kind === 'json' || isJsonFile(extension) ? JSON_RATIO : RATIO);

export class Documented {
  media = IMAGE_MAX_TOKEN_SIZE;
  list = 0;
  row = 0;
  block = 0;
  #choices;

  constructor(choices) {
    this.#choices = choices;
  }

  /** Size ÷ ratio, rounded half up. [EST-001, EST-002] */
  text(text, ratio = RATIO) {
    const size = this.#choices['tokens.unit'] === 'utf8' ? utf8Length(text) : text.length;
    return Math.floor((size + ratio / 2) / ratio);
  }

  /** [EST-004] */
  resultText(text) {
    const asJson = this.#choices['tokens.json_results'] === '2' && isWholeJson(text);
    return this.text(text, asJson ? JSON_RATIO : RATIO);
  }

  /** Name and input as one text; the id costs nothing. [EST-007] */
  call(name, id, input) {
    return this.text(name + input);
  }

  resultId() {
    return 0; // [EST-006]
  }

  /** [EST-021] */
  padded(sum) {
    return this.#choices['tokens.message_pad'] === 'four-thirds' ? Math.ceil((sum * 4) / 3) : sum;
  }
}
