// What a program runs under. [protocol.md, What a program runs under]

import { invalidArgument } from './errors.mjs';
import { makeGates } from './gates.mjs';
import { isObject } from './json.mjs';
import { readWindow } from './window-arguments.mjs';

// The constants that a program can make smaller: default, which is the largest, and smallest value.
const CONSTANTS = {
  auto_buffer: [13_000, 0],
  warning_buffer: [20_000, 0],
  blocking_buffer: [3_000, 0],
  summary_reserve: [20_000, 1],
  restore_files: [5, 0],
  restore_file_tokens: [5_000, 1],
  skill_tokens: [5_000, 1],
  skills_tokens: [25_000, 1],
  result_limit: [50_000, 1],
  message_limit: [200_000, 1],
  preview: [2_000, 4],
  keep_results: [5, 1],
  gap_minutes: [60, 0],
};

// The first is at most the second.
const PAIRS = [
  ['blocking_buffer', 'auto_buffer'],
  ['skill_tokens', 'skills_tokens'],
  ['result_limit', 'message_limit'],
];

const UNDER = { window: 200_000, max_output: 32_000, env: {}, settings: {} };

export function readConfig(value, choices) {
  const config = value ?? {};
  if (!isObject(config)) throw invalidArgument('config is no object');
  const constants = {};
  for (const [name, [largest, smallest]] of Object.entries(CONSTANTS)) {
    const number = config[name] ?? largest;
    const isRight = Number.isSafeInteger(number) && number >= smallest && number <= largest;
    if (!isRight) throw invalidArgument(`${name} is no whole number from ${smallest} to ${largest}`);
    constants[name] = number;
  }
  for (const [one, other] of PAIRS) {
    if (constants[one] > constants[other]) throw invalidArgument(`${one} is above ${other}`);
  }
  if (constants.preview >= constants.result_limit) throw invalidArgument('preview is not below result_limit');
  const buffers = {
    auto: constants.auto_buffer,
    warning: constants.warning_buffer,
    blocking: constants.blocking_buffer,
    reserve: constants.summary_reserve,
  };
  return { choices, gates: makeGates(config.gates), ...constants, buffers, under: readUnder(config, UNDER) };
}

/** {window, max_output, env, settings}: those of `args`, and `before` where they are missing. */
export function readUnder(args, before) {
  const under = {};
  for (const name of Object.keys(UNDER)) under[name] = args[name] ?? before[name];
  readWindow(under);
  return under;
}
