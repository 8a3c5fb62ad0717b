// The arguments of the steps of a program, checked and given their defaults.

import { invalidArgument } from './errors.mjs';
import { isObject } from './json.mjs';
import { isId } from './rows.mjs';

const MAX_STEP_TOKENS = 2_000_000;
const MAX_PAIR = 2_000_000;
const MIN_CALL_TOKENS = 8;
const KINDS = ['user', 'assistant', 'tool_call', 'tool_result', 'image', 'progress', 'system'];
const FAILURES = ['empty', 'blank', 'thinking', 'tool_call', 'api_error', 'abort'];
const TOOL = /^[A-Za-z0-9]{1,24}$/;

function check(isRight, message) {
  if (!isRight) throw invalidArgument(message);
}

const isAmount = (value) => Number.isSafeInteger(value) && value >= 0;
export const isText = (value) => typeof value === 'string';

/** A number of tokens of one step. */
export function tokens(value, smallest = 0) {
  const isRight = isAmount(value) && value >= smallest && value <= MAX_STEP_TOKENS;
  check(isRight, `tokens are no whole number from ${smallest} to ${MAX_STEP_TOKENS}`);
  return value;
}

/** Milliseconds, or null. */
export function time(value) {
  check((value ?? null) === null || Number.isSafeInteger(value), 'at is no whole number');
  return value ?? null;
}

export function name(value, what) {
  check(isId(value), `${what} is missing or no text`);
  return value;
}

export function row(args) {
  const { kind } = args;
  check(KINDS.includes(kind), 'kind is none of those that can be appended');
  const at = time(args.at);
  if (kind === 'image') return { kind, at, tokens: 0 }; // it costs what it costs
  if (kind === 'progress' || kind === 'system') return { kind, at, tokens: tokens(args.tokens ?? 0) };
  const isCall = kind === 'tool_call';
  const made = { kind, at, tokens: tokens(args.tokens ?? 0, isCall ? MIN_CALL_TOKENS : 0) };
  if (isCall || kind === 'tool_result') {
    check(isAmount(args.pair) && args.pair <= MAX_PAIR, `pair is no whole number from 0 to ${MAX_PAIR}`);
    made.pair = args.pair;
  }
  if (isCall) {
    made.tool = args.tool ?? 'Read';
    check(isText(made.tool) && TOOL.test(made.tool), 'tool has other than 1 to 24 letters and digits');
  }
  if (isCall || kind === 'assistant') Object.assign(made, response(args));
  return made;
}

function response(args) {
  const id = args.response ?? null;
  check(id === null || isId(id), 'response is no text, or empty');
  const usage = args.usage ?? 0; // measured, and not held by the step
  check(isAmount(usage), 'usage is no whole number');
  return { response: id, usage };
}

/** Outcomes of calls for a summary. */
export function summary(value) {
  const list = value ?? [];
  check(Array.isArray(list) && list.every(isOutcome), 'summary is no list of outcomes');
  return list;
}

function isOutcome(item) {
  if (!isObject(item)) return false;
  if ('tokens' in item) return isAmount(item.tokens) && item.tokens <= MAX_STEP_TOKENS;
  if ('fail' in item) return FAILURES.includes(item.fail);
  return item.too_long === true && ((item.excess ?? null) === null || Number.isSafeInteger(item.excess));
}

export function numbers(value, what) {
  const list = value ?? [];
  check(Array.isArray(list) && list.every(Number.isSafeInteger), `${what} is no list of whole numbers`);
  return list;
}

/** `repl_main_thread` unless given; null: none. */
export function source(value) {
  if (value === undefined) return 'repl_main_thread';
  check(value === null || isText(value), 'source is no text');
  return value;
}
