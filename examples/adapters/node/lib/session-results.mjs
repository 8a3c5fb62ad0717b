// Which rows hold the results of a response's calls. [TRN-011]

const isPassedBy = ({ isSaid, isBoundary, isResult }) => (!isSaid && !isBoundary) || isResult;
const isEnd = ({ isAnswer, isPrompt, isBoundary }) => isAnswer || isPrompt || isBoundary;

export class ResultsOfCalls {
  #byCall = new Map();
  #way;
  #tops; // the row that a result hangs on, by way of rows that say nothing and of other results
  #ends; // the nearest answer, prompt or boundary above it

  constructor(main, way) {
    this.#way = new Set(way);
    this.#tops = new Climb((row) => !isPassedBy(row));
    this.#ends = new Climb(isEnd);
    for (const row of main) {
      for (const call of row.results) {
        if (!this.#byCall.has(call)) this.#byCall.set(call, []);
        this.#byCall.get(call).push(row);
      }
    }
  }

  /** The rows with the results of a response, in the order of the file. */
  of(response) {
    const fragments = new Set(response);
    const found = new Set(response.flatMap(({ calls }) => calls).flatMap((call) => this.#ofCall(call, fragments)));
    return [...found].sort((one, other) => one.line - other.line);
  }

  /** The rows between a result and what it hangs on that say nothing, the uppermost first. */
  between(result) {
    const rows = [];
    const top = this.#tops.of(result);
    if (top === null) return rows;
    for (let row = result.above; row !== top; row = row.above) if (!row.isSaid) rows.push(row);
    return rows.reverse();
  }

  #ofCall(call, fragments) {
    const all = this.#byCall.get(call) ?? [];
    const hanging = all.filter((row) => fragments.has(this.#tops.of(row)));
    const isLoose = (row) => !this.#way.has(row) && this.#ends.of(row) === null;
    const rows = hanging.length > 0 ? hanging : all.filter(isLoose);
    const walked = rows.filter((row) => this.#way.has(row));
    return walked.length > 0 ? walked : rows.slice(0, 1);
  }
}

/** The nearest row above another for which `isFound` holds, each looked for once. */
class Climb {
  #isFound;
  #known = new Map();

  constructor(isFound) {
    this.#isFound = isFound;
  }

  of(row) {
    const way = new Set();
    let at = row;
    let found;
    while (found === undefined) {
      if (this.#known.has(at)) found = this.#known.get(at);
      else if (way.has(at) || at.above === null) found = null;
      else if (this.#isFound(at.above)) found = at.above;
      way.add(at);
      at = at.above;
    }
    for (const passed of way) this.#known.set(passed, found);
    return found;
  }
}
