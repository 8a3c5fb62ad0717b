// Arguments by type. What is null is missing, and then the default is meant.

import { invalidArgument } from './errors.mjs';
import { isObject } from './json.mjs';
import { posix } from './paths.mjs';

const isText = (value) => typeof value === 'string';
const isWhole = (value) => Number.isSafeInteger(value);

const TYPES = {
  text: isText,
  path: (value) => isText(value) && posix.isAbsolute(value),
  flag: (value) => typeof value === 'boolean',
  whole: isWhole,
  amount: (value) => isWhole(value) && value >= 0,
  object: isObject,
  list: Array.isArray,
  texts: (value) => Array.isArray(value) && value.every(isText),
  paths: (value) => Array.isArray(value) && value.every(TYPES.path),
  objects: (value) => Array.isArray(value) && value.every(isObject),
};

/** args[name], checked; without `otherwise` it is required. */
export function typed(args, name, type, otherwise) {
  const value = args[name] ?? otherwise;
  if (value === undefined) throw invalidArgument(`${name} is missing`);
  if (value !== otherwise && !TYPES[type](value)) throw invalidArgument(`${name} is no ${type}`);
  return value;
}

export function oneOf(args, name, values) {
  if (!values.includes(args[name])) throw invalidArgument(`${name} is none of ${values.join(', ')}`);
  return args[name];
}
