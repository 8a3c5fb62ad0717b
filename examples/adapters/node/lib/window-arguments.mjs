// The arguments that say which window is meant, checked and given their defaults. [WIN-008]

import { invalidArgument } from './errors.mjs';
import { isObject } from './json.mjs';

const isText = (value) => typeof value === 'string';
const isAmount = (value) => Number.isSafeInteger(value) && value >= 1;
const isFlag = (value) => typeof value === 'boolean';

const FORMS = {
  model: [isText, ''],
  window: [isAmount, null],
  max_output: [isAmount, null],
  supports_1m: [isFlag, null],
  betas: [(value) => Array.isArray(value) && value.every(isText), []],
  env: [(value) => isObject(value) && Object.values(value).every(isText), {}],
  settings: [isObject, {}],
};

export function readWindow(args) {
  const values = {};
  for (const [name, [fits, otherwise]] of Object.entries(FORMS)) {
    const value = args[name] ?? null;
    if (value !== null && !fits(value)) throw invalidArgument(`${name} has the wrong type or value`);
    values[name] = value ?? otherwise;
  }
  return values;
}
