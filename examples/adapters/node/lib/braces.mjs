// Expansion of braces in patterns: alternatives in order, a bound on their number. [MEM-055, MEM-056]
//
// Both readings work from left to right. A state is what is settled (`out`) and what is still to be
// read; a group with several alternatives turns one state into several. On the way to a result each
// character is read once or twice, and all that is read is counted.

const MAX_PATTERNS = 1_000;
const MAX_READ = 2_000_000; // characters

/** The patterns that a piece stands for, or null if a bound would be exceeded. */
export function expandBraces(piece, nesting) {
  if (!piece.includes('{')) return [piece];
  return nesting === 'nested' ? expandNested(piece) : expandFirstClose(piece);
}

/** Works off states, the first alternative first. `step` gives a result or the states that follow. */
function workOff(first, step) {
  const results = [];
  const states = [first]; // the next one last
  const work = { read: 0 };
  while (states.length > 0) {
    const next = step(states.pop(), work);
    if (typeof next === 'string') results.push(next);
    else for (let at = next.length - 1; at >= 0; at--) states.push(next[at]);
    if (results.length + states.length > MAX_PATTERNS || work.read > MAX_READ) return null;
  }
  return results;
}

// --- nested: a brace and the one that closes it ----------------------------------------------------

// What is still to be read is a list of stretches of the text: {from, to, then}.
function expandNested(text) {
  const groups = findGroups(text);
  return workOff({ out: '', rest: { from: 0, to: text.length, then: null } }, ({ out, rest }, work) => {
    let settled = out;
    for (let stretch = rest; stretch; ) {
      const group = groups.from(stretch.from);
      work.read += Math.min(group ? group.start + 1 : stretch.to, stretch.to) - stretch.from;
      if (!group || group.start >= stretch.to) {
        settled += text.slice(stretch.from, stretch.to);
        stretch = stretch.then;
        continue;
      }
      settled += text.slice(stretch.from, group.start);
      const then = { from: group.end + 1, to: stretch.to, then: stretch.then };
      const states = group.alternatives.map(([from, to]) => ({ out: settled, rest: { from, to, then } }));
      if (states.length > 1) return states;
      stretch = states[0].rest;
    }
    return settled;
  });
}

/** All groups of a text; `from(at)` is the first one that begins at or behind `at`. */
function findGroups(text) {
  const groups = [];
  const open = [];
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c === '\\') {
      if (text[at + 1] !== ',') at++; // a backslash has no effect on a comma
    } else if (c === '{') open.push({ start: at, cuts: [at] });
    else if (c === ',') open.at(-1)?.cuts.push(at);
    else if (c === '}' && open.length > 0) {
      const { start, cuts } = open.pop();
      const ends = [...cuts.slice(1), at];
      groups.push({ start, end: at, alternatives: cuts.map((cut, index) => [cut + 1, ends[index]]) });
    }
  }
  groups.sort((one, other) => one.start - other.start);
  const following = new Int32Array(text.length + 1); // how many groups begin before each index
  for (const { start } of groups) following[start + 1]++;
  for (let at = 1; at <= text.length; at++) following[at] += following[at - 1];
  return { from: (at) => groups[following[at]] };
}

// --- first-close: the first opening brace and the next closing one ----------------------------------

function expandFirstClose(text) {
  return workOff(new FirstClose(text), (state, work) => state.branch(work));
}

/**
 * What is still to be read is a row of stretches that came out of groups (`front`, from `head` on)
 * and then the text from `tail`. The front holds no closing brace and no comma, so that a group
 * always ends in the tail.
 */
class FirstClose {
  out = '';
  front = []; // {from, to, escapes}; escapes: it ends in a backslash that escapes what follows
  head = 0;
  tail = 0;

  constructor(text) {
    this.text = text;
  }

  /** The result, or the states behind the next group that has several alternatives. */
  branch(work) {
    while (this.#enterGroup(work)) {
      const group = this.#readGroup(work);
      if (!group) return `${this.out}{${this.#rest()}`; // no partner: literal, and no group follows
      const { alternatives, end } = group;
      const { out } = this;
      this.tail = end + 1;
      this.front.push(alternatives[0]); // the first alternative is the rest of the front and this
      if (alternatives.length > 1) {
        const others = alternatives.slice(1).map((one) => this.#copy({ out, front: [one] }));
        return [this, ...others];
      }
    }
    return this.out + this.text.slice(this.tail);
  }

  /** Settles all up to the next opening brace and goes behind it; false if there is none. */
  #enterGroup(work) {
    let escaped = false;
    const search = (from, to) => {
      for (let at = from; at < to; at++) {
        work.read++;
        if (escaped) escaped = false;
        else if (this.text[at] === '\\') escaped = true;
        else if (this.text[at] === '{') return at;
      }
      return -1;
    };
    for (; this.head < this.front.length; this.head++) {
      const { from, to, escapes } = this.front[this.head];
      const open = search(from, to);
      if (to > from) this.out += this.text.slice(from, open < 0 ? to : open);
      if (open >= 0) {
        this.front[this.head] = { from: open + 1, to, escapes };
        return true;
      }
    }
    const open = search(this.tail, this.text.length);
    if (open < 0) return false;
    this.out += this.text.slice(this.tail, open);
    this.tail = open + 1;
    this.front = []; // so that no escape reaches behind the brace
    this.head = 0;
    return true;
  }

  /** The alternatives from the tail to the next closing brace, and its place; null if there is none. */
  #readGroup(work) {
    const alternatives = [];
    let from = this.tail;
    let escaped = this.front.at(-1)?.escapes ?? false;
    for (let at = from; at < this.text.length; at++) {
      work.read++;
      const c = this.text[at];
      if (c === ',') {
        alternatives.push({ from, to: at, escapes: escaped }); // a backslash has no effect on a comma
        from = at + 1;
        escaped = false;
      } else if (escaped) escaped = false;
      else if (c === '\\') escaped = true;
      else if (c === '}') {
        alternatives.push({ from, to: at, escapes: false });
        return { alternatives, end: at };
      }
    }
    return null;
  }

  #copy(changes) {
    return Object.assign(new FirstClose(this.text), { tail: this.tail, ...changes });
  }

  #rest() {
    const front = this.front.slice(this.head).map(({ from, to }) => this.text.slice(from, to));
    return front.join('') + this.text.slice(this.tail);
  }
}
