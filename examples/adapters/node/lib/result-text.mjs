// The text of a result, its size and its preview. [CMP-020, CMP-025, CMP-026]

import { isObject } from './json.mjs';
import { cutAtBytes, cutAtUnits, utf8Length } from './text.mjs';

const PREVIEW = 2_000;
const LINE_END_SHARE = 0.5;

const isText = (item) => isObject(item) && item.type === 'text' && typeof item.text === 'string';

/** Of a string its own, of a list that of its text blocks. */
export function textOf(content) {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.filter(isText).map(({ text }) => text).join('') : '';
}

export const isTextAlone = (content) =>
  typeof content === 'string' || (Array.isArray(content) && content.every(isText));

/** Sizes and cuts in the unit that is chosen. */
export class Measure {
  constructor(unit) {
    this.size = unit === 'utf8' ? utf8Length : (text) => text.length;
    this.cut = unit === 'utf8' ? cutAtBytes : cutAtUnits;
  }

  preview(text) {
    if (this.size(text) <= PREVIEW) return text;
    const beginning = text.slice(0, this.cut(text, PREVIEW));
    const line = beginning.slice(0, Math.max(0, beginning.lastIndexOf('\n')));
    return this.size(line) >= PREVIEW * LINE_END_SHARE ? line : beginning;
  }
}

/** The replacement; beside path and preview it has less than 250 units. [CMP-024] */
export const replacementOf = ({ size, path, preview }) =>
  `[A part of a result of ${size.toLocaleString('en-US')} characters. The whole is in ${path}. It begins:]\n${preview}`;
