// Recorded usage: the total of four terms, the percentage of three. [EST-013 to EST-015]

import { isObject } from './json.mjs';

const INPUT_TERMS = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];

/** The four terms, by name. */
export const TERMS = [...INPUT_TERMS, 'output_tokens'];

/** {terms, input, total, isBad}; all as BigInt, since four terms may be more than a number holds. */
export function readUsage(usage) {
  if (!isObject(usage)) return { terms: {}, input: 0n, total: 0n, isBad: (usage ?? null) !== null };
  let isBad = false;
  const term = (name) => {
    const value = usage[name] ?? 0;
    if ((Number.isInteger(value) || typeof value === 'bigint') && value >= 0) return BigInt(value);
    isBad = true;
    return 0n;
  };
  const terms = Object.fromEntries(TERMS.map((name) => [name, term(name)]));
  const input = INPUT_TERMS.reduce((sum, name) => sum + terms[name], 0n);
  return { terms, input, total: input + terms.output_tokens, isBad };
}

/** The used part of a window, in percent, rounded half up. [EST-014] */
export function percentage(usage, window) {
  const { input, isBad } = readUsage(usage);
  const percent = (input * 200n + BigInt(window)) / (BigInt(window) * 2n);
  return { percent: percent < 100n ? Number(percent) : 100, ...(isBad && { reported: [{ reason: 'bad-usage' }] }) };
}

/** A number as it travels: decimal text where it is larger than 2^53−1. */
export function toWire(number) {
  return number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : String(number);
}
