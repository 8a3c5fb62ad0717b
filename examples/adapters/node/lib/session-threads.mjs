// Side chains: the rows of sub-agents. [TRN-017]

/** Rows that make one conversation: those of the main thread, or one side chain. */
export class Thread {
  #set;

  constructor(members, isSide) {
    this.members = members;
    this.isSide = isSide;
    this.#set = new Set(members);
  }

  has(row) {
    return this.#set.has(row);
  }

  /** Whether a side chain begins with the row: it hangs on another thread, or on what is in no line of the file. */
  isFirst(row) {
    if (!this.isSide) return false;
    return row.above === null ? row.isLost && row === this.members[0] : !this.#set.has(row.above);
  }
}

/** The side chains of a file by their first rows: one for each agent, without a name one for each row at the top. */
export function threadsOf(rows) {
  const threads = new Map();
  const tops = new Map();
  for (const row of rows.filter(({ isSide }) => isSide)) {
    const key = row.agent === '' ? topOf(row, tops) : row.agent;
    if (!threads.has(key)) threads.set(key, { agent: row.agent, members: [] });
    threads.get(key).members.push(row);
  }
  return [...threads.values()];
}

/** The row at the top of what hangs together without a name; of a circle the row at which it was entered. */
function topOf(row, tops) {
  const climbed = new Set();
  let at = row;
  while (!tops.has(at) && !climbed.has(at)) {
    climbed.add(at);
    if (at.above === null || !at.above.isSide || at.above.agent !== '') break;
    at = at.above;
  }
  const top = tops.get(at) ?? at;
  for (const one of climbed) tops.set(one, top);
  return top;
}
