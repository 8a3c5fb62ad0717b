// The retry without the oldest rounds. [CMP-103 to CMP-109]

import { isObject } from './json.mjs';
import { blocksOf, callsOf, decision, estimate, withContent } from './row-changes.mjs';
import { rounds } from './rounds.mjs';
import { isAssistant, isId } from './rows.mjs';

const MAX_RETRIES = 3;
const SHARE = 5; // one round in five
const MARKER = { role: 'user', head_marker: true, text: 'What came before this was left out.' };

export function dropHead({ rows, excess, retries, choices }) {
  const marked = isObject(rows[0]) && rows[0].head_marker === true ? 1 : 0;
  const list = rows.slice(marked);
  const stretches = rounds(list);
  const giveUp = (why) => ({
    messages: rows,
    given_up: true,
    excess,
    dropped_rounds: 0,
    kept_rounds: stretches.length,
    dropped_tokens: 0,
    decisions: [decision('summary', why)],
  });
  if (retries >= MAX_RETRIES) return giveUp('retries-spent');
  if (stretches.length <= 1) return giveUp('one-round-left');

  const decisions = marked ? [decision('summary', 'marker-removed', { row: 0 })] : [];
  const costs = stretches.map(([from, to]) => estimate(list.slice(from, to), choices));
  const dropped = countOf(costs, excess);
  if (!(excess > 0)) decisions.push(decision('summary', 'excess-unknown'));
  for (let round = 0; round < dropped; round++) {
    const row = stretches[round][0] + marked;
    decisions.push(decision('summary', 'round-dropped', { row, tokens: costs[round] }));
  }
  const first = stretches[dropped][0];
  const rest = withoutOrphans(list.slice(first), (row, id) => {
    decisions.push(decision('summary', 'orphan-dropped', { row: row + first + marked, id }));
  });
  return {
    messages: isAssistant(rest[0]) ? [MARKER, ...rest] : rest,
    given_up: false,
    excess,
    dropped_rounds: dropped,
    kept_rounds: stretches.length - dropped,
    dropped_tokens: costs.slice(0, dropped).reduce((sum, cost) => sum + cost, 0),
    decisions,
  };
}

/** How many rounds go; never the last. */
function countOf(costs, excess) {
  const most = costs.length - 1;
  if (!(excess > 0)) return Math.min(most, Math.max(1, Math.floor(costs.length / SHARE))); // [CMP-105]
  let count = 0;
  for (let sum = 0; count < most && sum < excess; count++) sum += costs[count]; // [CMP-104]
  return count;
}

/** [CMP-107] */
function withoutOrphans(rows, report) {
  const called = new Set();
  const isOrphan = (block) => isObject(block) && block.type === 'tool_result' && !called.has(block.tool_use_id);
  return rows.flatMap((row, index) => {
    const blocks = blocksOf(row);
    if (isAssistant(row)) {
      for (const { id } of callsOf([row])) if (id !== null) called.add(id);
    }
    const orphans = isObject(row) && row.role === 'user' ? blocks.filter(isOrphan) : [];
    if (orphans.length === 0) return [row];
    for (const { tool_use_id: id } of orphans) report(index, isId(id) ? id : null);
    const left = blocks.filter((block) => !orphans.includes(block));
    return left.length > 0 ? [withContent(row, left)] : [];
  });
}
