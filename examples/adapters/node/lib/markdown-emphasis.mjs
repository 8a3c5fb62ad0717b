// Which rows of `*` and `_` act as emphasis: the algorithm of the CommonMark appendix, with its
// bottoms, so that a text of nothing but marks takes linear time. [MEM-073, MEM-092]

const SPACE = /[\t\n\f\r\p{Zs}]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;

export class EmphasisStack {
  top = null; // the last row; rows are linked by `previous` and `next`

  /** A row of marks; `closed` and `opened` tell in the end how many of them acted. */
  push(text, start, end) {
    const before = characterBefore(text, start);
    const after = end < text.length ? String.fromCodePoint(text.codePointAt(end)) : ' ';
    const spaceAfter = SPACE.test(after);
    const spaceBefore = SPACE.test(before);
    const markAfter = PUNCTUATION.test(after);
    const markBefore = PUNCTUATION.test(before);
    const left = !spaceAfter && (!markAfter || spaceBefore || markBefore);
    const right = !spaceBefore && (!markBefore || spaceAfter || markAfter);
    const underscore = text[start] === '_';
    const row = {
      mark: text[start],
      length: end - start,
      left: end - start, // marks that have not acted yet
      canOpen: left && (!underscore || !right || markBefore),
      canClose: right && (!underscore || !left || markAfter),
      closed: 0,
      opened: 0,
      previous: this.top,
      next: null,
    };
    if (row.canOpen || row.canClose) {
      if (this.top) this.top.next = row;
      this.top = row;
    }
    return row;
  }

  /** Matches all rows behind `bottom` and forgets them. */
  process(bottom) {
    const bottoms = new Map(); // kind of closer: below this row there is no opener for it
    let closer = this.top;
    while (closer && closer.previous !== bottom) closer = closer.previous;
    while (closer) {
      if (!closer.canClose) {
        closer = closer.next;
        continue;
      }
      const kind = `${closer.mark}${closer.canOpen}${closer.length % 3}`;
      const lowest = bottoms.get(kind) ?? bottom;
      let opener = closer.previous;
      while (opener !== bottom && opener !== lowest && !matches(opener, closer)) opener = opener.previous;
      if (opener !== bottom && opener !== lowest) {
        closer = this.#pair(opener, closer);
      } else {
        const { next } = closer;
        bottoms.set(kind, closer.previous ?? bottom);
        if (!closer.canOpen) this.#remove(closer);
        closer = next;
      }
    }
    this.top = bottom;
    if (bottom) bottom.next = null;
  }

  /** Uses one or two marks of each; returns the row to go on with. */
  #pair(opener, closer) {
    const used = opener.left >= 2 && closer.left >= 2 ? 2 : 1;
    opener.left -= used;
    opener.opened += used;
    closer.left -= used;
    closer.closed += used;
    opener.next = closer; // rows between them are literal
    closer.previous = opener;
    if (opener.left === 0) this.#remove(opener);
    if (closer.left > 0) return closer;
    const { next } = closer;
    this.#remove(closer);
    return next;
  }

  #remove(row) {
    if (row.previous) row.previous.next = row.next;
    if (row.next) row.next.previous = row.previous;
    else this.top = row.previous;
  }
}

function matches(opener, closer) {
  if (opener.mark !== closer.mark || !opener.canOpen) return false;
  const both = closer.canOpen || opener.canClose;
  return !both || closer.length % 3 === 0 || (opener.length + closer.length) % 3 !== 0;
}

function characterBefore(text, at) {
  if (at === 0) return ' ';
  const pair = at > 1 && /[\ud800-\udbff]/.test(text[at - 2]) && /[\udc00-\udfff]/.test(text[at - 1]);
  return pair ? text.slice(at - 2, at) : text[at - 1];
}
