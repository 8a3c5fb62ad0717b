// Which rows hold the results of a response's calls. [TRN-011]

const isPassedBy = ({ isSaid, isBoundary, isResult }) => (!isSaid && !isBoundary) || isResult;
const isEnd = ({ isAnswer, isPrompt, isBoundary }) => isAnswer || isPrompt || isBoundary;

export class ResultsOfCalls {
  #hanging = new Map(); // response -> id of a call -> rows that hang on the response
  #loose = new Map(); // id of a call -> the first row that hangs on nothing
  #way;
  #tops; // the row that a result hangs on, by way of rows that say nothing and of other results

  constructor(main, way) {
    this.#way = new Set(way);
    this.#tops = new Climb((row) => !isPassedBy(row));
    const ends = new Climb(isEnd);
    for (const row of main.filter(({ isResult }) => isResult)) {
      const response = this.#tops.of(row)?.response;
      const isLoose = !this.#way.has(row) && ends.of(row) === null;
      for (const call of row.results) {
        if (response !== undefined) rowsOf(this.#hanging, response, call).push(row);
        else if (isLoose && !this.#loose.has(call)) this.#loose.set(call, row);
      }
    }
  }

  /** The rows with the results of a response, in the order of the file. */
  of(response) {
    const calls = new Set(response.flatMap((row) => row.calls));
    const found = new Set([...calls].flatMap((call) => this.#ofCall(call, response[0].response)));
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

  #ofCall(call, response) {
    const rows = this.#hanging.get(response)?.get(call);
    if (rows === undefined) return this.#loose.get(call) ?? [];
    const walked = rows.filter((row) => this.#way.has(row));
    return walked.length > 0 ? walked : rows.slice(0, 1);
  }
}

/** The list at two keys, made where it is missing. */
function rowsOf(map, response, call) {
  if (!map.has(response)) map.set(response, new Map());
  const byCall = map.get(response);
  if (!byCall.has(call)) byCall.set(call, []);
  return byCall.get(call);
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
