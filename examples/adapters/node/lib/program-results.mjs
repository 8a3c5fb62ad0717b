// The first layer of a pass: large results become a preview. [CMP-021 to CMP-035]

import { CLEARED } from './cleared-text.mjs';
import { isId } from './rows.mjs';
import { isAnswer, UNITS_A_TOKEN } from './program-rows.mjs';

const DECLARED = { Read: Infinity, Bash: 30_000 };
const DEFAULT_LIMIT = 50_000;

/** Judges the results of the view, and remembers them. True where one was replaced. */
export function limitResults(session, failing) {
  const selected = new Set();
  const firsts = new Map(); // the first result of each pair decides [CMP-034]
  for (const row of session.rows) if (row.kind === 'tool_result' && !firsts.has(row.pair)) firsts.set(row.pair, row);
  const isSeen = (pair) => session.replaced.has(pair) || session.frozen.has(pair);
  const isFresh = (row) => firsts.get(row.pair) === row && !isSeen(row.pair);

  for (const group of groupsOf(session.rows)) {
    for (const row of group) {
      if (isFresh(row) && canShrink(row, session) && sizeOf(row) > limitOf(row, session)) selected.add(row.pair);
    }
    if (session.config.gates.message_sum) limitSum(group, selected, isFresh, session);
  }
  for (const pair of firsts.keys()) {
    if (isSeen(pair)) continue;
    if (selected.has(pair) && !failing.has(pair)) session.replaced.add(pair);
    else session.frozen.add(pair);
  }
  return [...selected].some((pair) => session.replaced.has(pair));
}

const sizeOf = (row) => row.tokens * UNITS_A_TOKEN;

/** A cut that saves nothing is none, and what was cleared stays so. [CMP-023] */
const canShrink = (row, { config, cleared }) => !cleared.has(row.pair) && sizeOf(row) > config.preview;

/** [CMP-021] */
function limitOf(row, { rows, config }) {
  const call = rows.find(({ kind, pair }) => kind === 'tool_call' && pair === row.pair);
  const declared = call && Object.hasOwn(DECLARED, call.tool) ? DECLARED[call.tool] : DEFAULT_LIMIT;
  return declared === Infinity ? Infinity : Math.min(declared, config.result_limit);
}

/** [CMP-029] */
function groupsOf(rows) {
  const seen = new Set();
  const groups = [[]];
  for (const row of rows) {
    if (row.kind === 'tool_result') groups.at(-1).push(row);
    if (!isAnswer(row)) continue;
    if (!isId(row.response) || !seen.has(row.response)) groups.push([]);
    seen.add(row.response);
  }
  return groups;
}

/** [CMP-030] */
function limitSum(group, selected, isFresh, session) {
  const { config, replaced } = session;
  const shown = (row) => {
    if (session.cleared.has(row.pair)) return CLEARED.length;
    return replaced.has(row.pair) || selected.has(row.pair) ? config.preview : sizeOf(row);
  };
  const candidates = group
    .filter((row) => isFresh(row) && !selected.has(row.pair) && sizeOf(row) <= limitOf(row, session))
    .filter((row) => limitOf(row, session) < Infinity && canShrink(row, session))
    .sort((one, other) => sizeOf(other) - sizeOf(one)); // a stable sort: the first of equal ones first
  let sum = group.reduce((total, row) => total + shown(row), 0);
  for (const row of candidates) {
    if (sum <= config.message_limit) return;
    selected.add(row.pair);
    sum -= sizeOf(row);
  }
}
