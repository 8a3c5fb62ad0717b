// One attempt to get a summary: tries, and the head that is dropped between them. [CMP-092, CMP-103 to CMP-108]

import { isAnswer, isFragment } from './program-rows.mjs';

const MAX_RETRIES = 3;
const SHARE = 5; // one round in five

/** Outcomes of calls for a summary, one used up by each call; when none is left a call comes back empty. */
export class Outcomes {
  #left;
  calls = 0;

  constructor(outcomes) {
    this.#left = [...outcomes];
  }

  next() {
    this.calls++;
    return this.#left.shift() ?? { fail: 'empty' };
  }
}

const hasText = (outcome) => outcome.tokens > 0; // [CMP-093]

/** {tokens} of the summary, or {why}: `aborted` or `failed`. */
export function attempt(rows, outcomes, costs) {
  let list = rows.map(withoutMedia);
  for (let retries = 0; ; retries++) {
    const last = tryOnce(outcomes);
    if (hasText(last)) return { tokens: last.tokens };
    if (last.fail === 'abort') return { why: 'aborted' };
    list = last.too_long && retries < MAX_RETRIES ? dropHead(list, last.excess ?? 0, costs) : null;
    if (list === null) return { why: 'failed' };
  }
}

/** A marker costs nothing. [CMP-100, CMP-180] */
const withoutMedia = (row) => (row.kind === 'image' ? { ...row, kind: 'user', tokens: 0 } : row);

/** The forked call, and the fallback where that gives no text. */
function tryOnce(outcomes) {
  const first = outcomes.next();
  return hasText(first) || first.fail === 'abort' ? first : outcomes.next();
}

/** The list of the next try; null where one round is left. */
function dropHead(rows, excess, costs) {
  const rounds = roundsOf(rows);
  const most = rounds.length - 1;
  if (most < 1) return null;
  let dropped = 0;
  if (excess > 0) {
    for (let sum = 0; dropped < most && sum < excess; dropped++) sum += costs.sum(rounds[dropped]); // [CMP-104]
  } else {
    dropped = Math.min(most, Math.max(1, Math.floor(rounds.length / SHARE))); // [CMP-105]
  }
  return withoutOrphans(rounds.slice(dropped).flat());
}

/** [MSG-010, MSG-012] */
function roundsOf(rows) {
  const rounds = [];
  let last = null;
  for (const row of rows) {
    const opens = isAnswer(row) && (last === null || !isFragment(last, row));
    if (opens || rounds.length === 0) rounds.push([]);
    rounds.at(-1).push(row);
    if (isAnswer(row)) last = row;
  }
  return rounds;
}

/** [CMP-107] */
function withoutOrphans(rows) {
  const called = new Set();
  return rows.filter(({ kind, pair }) => {
    if (kind === 'tool_call') called.add(pair);
    return kind !== 'tool_result' || called.has(pair);
  });
}
