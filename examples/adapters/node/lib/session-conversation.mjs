// The rows of the conversation in their order, and what is left over. [TRN-010 to TRN-012, TRN-016]

import { ResultsOfCalls } from './session-results.mjs';
import { Thread, threadsOf } from './session-threads.mjs';
import { walk } from './session-walk.mjs';

/** The conversation of the main thread; what is wrong goes to `report`. */
export function findConversation(rows, report) {
  return conversationOf(new Thread(rows.filter(({ isSide }) => !isSide), false), rows, report);
}

/** Each side chain: its agent, and its rows in the order of their conversation. [TRN-017] */
export function findSideChains(rows, report) {
  return threadsOf(rows).map(({ agent, members }) => ({
    agent,
    rows: conversationOf(new Thread(members, true), rows, report),
  }));
}

function conversationOf(thread, rows, report) {
  const { members } = thread;
  const named = members.filter(({ uuid }) => uuid !== null);
  const isUnlinked = named.length > 1 && members.every(({ parent }) => parent === null);
  if (isUnlinked || rows.every(({ uuid }) => uuid === null)) return members; // [TRN-012]
  const way = walk(thread, report);
  const order = new Order(members, named, way).all();
  reportBranches(thread, named, order, report);
  return [...order];
}

/** Puts rows into their order, each once. */
class Order {
  #placed = new Set();
  #hanging = new Map(); // rows that say nothing, by the row they hang on
  #results;
  #way;

  constructor(main, nodes, way) {
    this.#way = way;
    this.#results = new ResultsOfCalls(nodes, way);
    const walked = new Set(way);
    const goesOn = new Set(main.filter(({ isSaid }) => isSaid).map(({ above }) => above));
    for (const row of nodes) {
      const { isSaid, isBoundary, above } = row;
      if (isSaid || isBoundary || above === null || walked.has(row) || goesOn.has(row)) continue;
      if (!this.#hanging.has(above)) this.#hanging.set(above, []);
      this.#hanging.get(above).push(row);
    }
  }

  all() {
    for (const row of this.#way) {
      if (this.#placed.has(row)) continue;
      if (row.isAnswer) this.#placeResponse(row.response.filter(({ uuid }) => uuid !== null));
      else this.#place(row);
    }
    return this.#placed;
  }

  /** Fragments, then results, and before each what lies between. [TRN-011] */
  #placeResponse(fragments) {
    for (const fragment of fragments) this.#place(fragment);
    for (const result of this.#results.of(fragments)) {
      for (const row of this.#results.between(result)) this.#place(row);
      this.#place(result);
    }
  }

  /** A row, and right behind it what hangs on it and says nothing, in the order of the file. [TRN-010] */
  #place(row) {
    if (this.#placed.has(row)) return;
    this.#placed.add(row);
    const found = [];
    for (const waiting = [row]; waiting.length > 0; ) {
      const hanging = (this.#hanging.get(waiting.pop()) ?? []).filter((one) => !this.#placed.has(one));
      found.push(...hanging);
      waiting.push(...hanging); // also by way of others like it
    }
    for (const one of found.sort((first, other) => first.line - other.line)) this.#placed.add(one);
  }
}

/** [TRN-016] */
function reportBranches(thread, nodes, conversation, report) {
  const isLeft = (row) => !conversation.has(row);
  for (const row of nodes.filter(isLeft)) {
    const { above } = row;
    const isOfBranch = above !== null && thread.has(above) && isLeft(above) && above.line < row.line;
    if (!isOfBranch) report(row, conversation.has(above) ? 'abandoned-branch' : 'unreachable');
  }
}
