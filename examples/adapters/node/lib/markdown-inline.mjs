// Cuts the inline content of one block into text runs. [MEM-073]
//
// The scanner makes a list of pieces: literal text, ends of runs, rows of emphasis marks and
// brackets. Rows and brackets are literal text until they turn out to act as such.

import { EmphasisStack } from './markdown-emphasis.mjs';
import { InlineHtml } from './markdown-html.mjs';
import { ASCII_PUNCTUATION, normaliseLabel, scanInlineTarget, scanLabel } from './markdown-links.mjs';

const SPECIAL = /[\\`*_[\]!<\n]/g;
const AUTOLINK = /<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\u0000-\u0020\u007f<>]*>/y;
const HOST_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const MAIL_LINK = new RegExp(`<[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]+@${HOST_LABEL}(?:\\.${HOST_LABEL})*>`, 'y');

/** The text runs of a block; `labels` are those of the link reference definitions. */
export function textRuns(content, labels) {
  return new InlineScanner(content, labels).runs();
}

class InlineScanner {
  pieces = []; // {start, end} literal, {start, end, row} emphasis marks, null the end of a run
  emphasis = new EmphasisStack();
  bracket = null; // the innermost open bracket: {piece, image, active, nested, before, marks}

  constructor(text, labels) {
    this.text = text;
    this.labels = labels;
    this.html = new InlineHtml(text);
  }

  runs() {
    this.scan();
    this.emphasis.process(null);
    const runs = [];
    let run = '';
    const close = () => {
      if (run !== '') runs.push(run);
      run = '';
    };
    for (const piece of this.pieces) {
      if (piece === null) close();
      else if (piece.row) {
        const { closed, opened } = piece.row; // marks used at its start and at its end
        if (closed > 0) close();
        run += this.text.slice(piece.start + closed, piece.end - opened);
        if (opened > 0) close();
      } else run += this.text.slice(piece.start, piece.end);
    }
    close();
    return runs;
  }

  scan() {
    const { text } = this;
    this.literalFrom = 0;
    let pos = 0;
    while (pos < text.length) {
      SPECIAL.lastIndex = pos;
      const found = SPECIAL.exec(text);
      if (!found) break;
      pos = this.special(found.index);
    }
    this.literal(text.length);
  }

  /** Deals with the special character at `at`; returns where to go on. */
  special(at) {
    switch (this.text[at]) {
      case '\\':
        return this.backslash(at);
      case '\n':
        return this.lineEnd(at);
      case '`':
        return this.codeSpan(at);
      case '<':
        return this.pointed(at);
      case '[':
        return this.openBracket(at, 1);
      case '!':
        return this.text[at + 1] === '[' ? this.openBracket(at, 2) : at + 1;
      case ']':
        return this.closeBracket(at);
      default:
        return this.marks(at);
    }
  }

  /** Ends the literal text at `end`. */
  literal(end) {
    if (end > this.literalFrom) this.pieces.push({ start: this.literalFrom, end });
    this.literalFrom = end;
  }

  /** A token from `start` to `end` that ends the run. */
  token(start, end) {
    this.literal(start);
    this.pieces.push(null);
    this.literalFrom = end;
    return end;
  }

  backslash(at) {
    const next = this.text[at + 1] ?? '';
    return next === '\n' || ASCII_PUNCTUATION.test(next) ? this.token(at, at + 2) : at + 1; // [MEM-077]
  }

  lineEnd(at) {
    return this.text.endsWith('  ', at) && at >= 2 ? this.token(at, at + 1) : at + 1;
  }

  codeSpan(at) {
    const end = this.rowEnd(at);
    const close = this.closingTicks(end, end - at);
    return close < 0 ? end : this.token(at, close);
  }

  /** Behind the next row of exactly `length` back-ticks from `from` on, or -1. */
  closingTicks(from, length) {
    this.tickRows ??= rowsOfTicks(this.text);
    const rows = this.tickRows.get(length);
    while (rows.next < rows.starts.length && rows.starts[rows.next] < from) rows.next++;
    return rows.next < rows.starts.length ? rows.starts[rows.next] + length : -1;
  }

  pointed(at) {
    for (const pattern of [AUTOLINK, MAIL_LINK]) {
      pattern.lastIndex = at;
      if (pattern.test(this.text)) return this.token(at, pattern.lastIndex);
    }
    const end = this.html.end(at);
    return end < 0 ? at + 1 : this.token(at, end);
  }

  marks(at) {
    const end = this.rowEnd(at);
    this.literal(at);
    this.pieces.push({ start: at, end, row: this.emphasis.push(this.text, at, end) });
    this.literalFrom = end;
    return end;
  }

  rowEnd(at) {
    let end = at + 1;
    while (this.text[end] === this.text[at]) end++;
    return end;
  }

  openBracket(at, length) {
    this.literal(at);
    if (this.bracket) this.bracket.nested = true;
    this.bracket = {
      piece: this.pieces.length,
      image: length === 2,
      active: true,
      nested: false, // another bracket was opened behind it
      label: at + length - 1,
      marks: this.emphasis.top,
      before: this.bracket,
    };
    this.pieces.push({ start: at, end: at + length });
    this.literalFrom = at + length;
    return at + length;
  }

  closeBracket(at) {
    const { bracket } = this;
    if (!bracket) return at + 1;
    this.bracket = bracket.before;
    const end = bracket.active ? this.linkEnd(bracket, at) : -1;
    if (end < 0) return at + 1;

    this.literal(at);
    this.emphasis.process(bracket.marks);
    this.pieces[bracket.piece] = null;
    if (bracket.image) this.pieces.length = bracket.piece + 1; // its text is no text run [MEM-079]
    else {
      for (let outer = bracket.before; outer; outer = outer.before) {
        if (outer.image) continue;
        if (!outer.active) break; // those further out are not active either
        outer.active = false; // links do not nest
      }
    }
    return this.token(at, end);
  }

  /** Behind the link whose text ends at `at`, or -1 if there is none. */
  linkEnd(bracket, at) {
    const inline = scanInlineTarget(this.text, at + 1);
    if (inline >= 0) return inline;
    if (this.labels.size === 0) return -1;
    const second = scanLabel(this.text, at + 1);
    if (second > at + 3) return this.isLabel(at + 2, second - 1) ? second : -1;
    const known = !bracket.nested && at - bracket.label <= 1_000 && this.isLabel(bracket.label + 1, at);
    if (!known) return -1;
    return second > 0 ? second : at + 1;
  }

  isLabel(start, end) {
    return this.labels.has(normaliseLabel(this.text.slice(start, end)));
  }
}

/** For each length the starts of the rows of back-ticks, so that each row is looked at once. */
function rowsOfTicks(text) {
  const rows = new Map();
  for (const { 0: row, index } of text.matchAll(/`+/g)) {
    if (!rows.has(row.length)) rows.set(row.length, { starts: [], next: 0 });
    rows.get(row.length).starts.push(index);
  }
  return rows;
}
