// From the last row back along the parents. [TRN-010, TRN-012 to TRN-014]

/** The rows of a thread that are walked over, the first one first; what is wrong goes to `report`. */
export function walk(thread, report) {
  const main = thread.members;
  const nodes = main.filter(({ uuid }) => uuid !== null); // a row without a uuid is on no walk
  const walked = new Set();
  const nearest = new NearestAbove(nodes, walked);
  const way = [];
  for (let row = beginning(main, nodes); row !== null; ) {
    walked.add(row);
    if (thread.has(row)) way.push(row);
    if (thread.isFirst(row)) break; // [TRN-017]
    if (row.above !== null && !walked.has(row.above)) {
      row = row.above;
      continue;
    }
    if (row.above !== null) report(row, 'parent-cycle'); // [TRN-014]
    else if (row.isLost) report(row, 'missing-parent'); // [TRN-012], a logical parent too [TRN-013]
    const isGuessed = row.above !== null || row.isLost || row.isBoundary;
    row = isGuessed ? nearest.of(row) : null;
  }
  return way.reverse();
}

/** The row at which the walk begins; null where there is none. [TRN-010] */
function beginning(main, nodes) {
  const isCounted = ({ isSaid, isBoundary }) => isSaid || isBoundary;
  const hasBelow = new Set();
  for (const { above } of main.filter(isCounted)) {
    for (let row = above; row !== null && !hasBelow.has(row); row = row.above) hasBelow.add(row);
  }
  const goesOn = new Set(main.filter(({ isSaid, isResult }) => isSaid && !isResult).map(({ above }) => above));
  const isBeside = ({ isResult, above }) => isResult && above !== null && goesOn.has(above);
  const counted = nodes.filter(isCounted);
  const last = counted.findLast((row) => !hasBelow.has(row) && !isBeside(row));
  return last ?? counted.at(-1) ?? nodes.at(-1) ?? null;
}

/** The nearest row of the main thread above another in the file that was not walked over. */
class NearestAbove {
  #main;
  #walked;
  #next; // index -> the index from which on to look, so that no row is looked at again and again

  constructor(main, walked) {
    this.#main = main;
    this.#walked = walked;
    this.#next = main.map((_row, index) => index);
  }

  of({ line }) {
    const at = this.#settle(this.#lastBefore(line));
    return at < 0 ? null : this.#main[at];
  }

  #lastBefore(line) {
    let [low, high] = [0, this.#main.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#main[middle].line < line) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #settle(from) {
    const passed = [];
    let at = from;
    while (at >= 0 && (this.#next[at] !== at || this.#walked.has(this.#main[at]))) {
      passed.push(at);
      at = this.#next[at] === at ? at - 1 : this.#next[at];
    }
    for (const index of passed) this.#next[index] = at;
    return at;
  }
}
