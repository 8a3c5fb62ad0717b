// Cuts a text into the blocks of CommonMark 0.31, line by line, in one pass. [MEM-073, MEM-102]
//
// Only leaves matter here, and how deep they stand: paragraphs and headings hold inline content,
// HTML blocks may hold comments, code is skipped. No tree is built, and a list is nothing but its
// items.

import { htmlBlockEnds, htmlBlockKind } from './markdown-html.mjs';
import { takeDefinitions } from './markdown-links.mjs';

/** Containers inside one another that are recognised; marks of deeper ones are plain text. [MEM-078] */
const MAX_CONTAINERS = 100;

const CODE_INDENT = 4;
const TAB_STOP = 4;
const THEMATIC_BREAK = /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const ATX_OPENING = /^#{1,6}(?=[ \t]|$)/;
const FENCE_OPENING = /^(?:`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_CLOSING = /^(?:`{3,}|~{3,})(?=[ \t]*$)/;
const SETEXT_UNDERLINE = /^(?:=+|-+)[ \t]*$/;
const LIST_MARKER = /^(?:[*+-]|(\d{1,9})[.)])(?=[ \t]|$)/;

const isBlankChar = (c) => c === ' ' || c === '\t';

/**
 * Calls `onLeaf` for each leaf that is no code, in order: {type: 'inline', content}, or
 * {type: 'html', kind, level, start, end}, whose `end` is that of its last line without the LF.
 * Returns the labels of all link reference definitions. Line ends in `text` are LF only.
 */
export function scanBlocks(text, onLeaf) {
  const scanner = new BlockScanner(onLeaf);
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    scanner.line(text.slice(start, end), start);
    start = end + 1;
  }
  scanner.closeLeaf();
  return scanner.labels;
}

class BlockScanner {
  labels = new Set();
  containers = []; // {type: 'quote'} or {type: 'item', width, empty}
  leaf = null; // {type: 'paragraph' | 'fence' | 'indented' | 'html', ...}

  constructor(onLeaf) {
    this.onLeaf = onLeaf;
  }

  line(text, start) {
    this.text = text;
    this.start = start;
    this.offset = 0;
    this.column = 0;
    this.look();

    let matched = 0;
    while (matched < this.containers.length && this.continueContainer(this.containers[matched])) matched++;
    const allMatched = matched === this.containers.length;
    if (allMatched && this.leaf && this.continueLeaf()) return;

    // Only a paragraph can go on without the marks of its containers.
    this.inParagraph = allMatched && this.leaf !== null;
    this.lazy = !allMatched && this.leaf?.type === 'paragraph';
    this.matched = matched;
    if (!allMatched && !this.lazy) this.closeDownTo(matched);

    if (this.openBlocks()) return;
    if (this.blank) {
      if (this.lazy) this.closeDownTo(matched);
      this.closeLeaf();
    } else if (this.lazy || this.inParagraph) {
      this.leaf.lines.push(this.text.slice(this.next));
    } else {
      this.openLeaf({ type: 'paragraph', lines: [this.text.slice(this.next)] });
    }
  }

  // --- what is open goes on, or does not ---------------------------------------------------------

  continueContainer(container) {
    if (container.type === 'quote') {
      if (this.indent >= CODE_INDENT || this.text[this.next] !== '>') return false;
      this.enterQuote();
    } else if (this.blank) {
      if (container.empty) return false; // an item may begin with one blank line, not with two
      this.advanceTo(this.next);
    } else {
      if (this.indent < container.width) return false;
      this.advance(container.width);
    }
    this.look();
    return true;
  }

  /** True if the line belongs to the open leaf. Of paragraphs only the end is seen here. */
  continueLeaf() {
    const { leaf } = this;
    switch (leaf.type) {
      case 'fence': {
        const closing = this.indent < CODE_INDENT ? FENCE_CLOSING.exec(this.text.slice(this.next)) : null;
        if (closing && closing[0][0] === leaf.mark[0] && closing[0].length >= leaf.mark.length) this.leaf = null;
        return true;
      }
      case 'html':
        if (this.blank && leaf.kind >= 6) break;
        this.addToHtml();
        return true;
      case 'indented':
        if (this.blank || this.indent >= CODE_INDENT) return true;
        break;
      default:
        if (!this.blank) return false;
    }
    this.closeLeaf();
    return this.blank;
  }

  // --- what begins -------------------------------------------------------------------------------

  /** Opens containers, and perhaps a leaf that takes the line; true if one did. */
  openBlocks() {
    for (;;) {
      this.look();
      if (this.blank) return false;
      if (this.indent >= CODE_INDENT) {
        if (this.lazy || this.inParagraph) return false;
        this.openLeaf({ type: 'indented' });
        return true;
      }
      const rest = this.text.slice(this.next);
      if (this.openLeafAt(rest)) return true;
      if (!this.openContainerAt(rest)) return false;
    }
  }

  openLeafAt(rest) {
    switch (rest[0]) {
      case '#':
        return this.atxHeading(rest);
      case '`':
      case '~': {
        const mark = FENCE_OPENING.exec(rest)?.[0];
        if (mark === undefined) return false;
        this.openLeaf({ type: 'fence', mark });
        return true;
      }
      case '<': {
        const kind = htmlBlockKind(rest, !this.lazy && !this.inParagraph);
        if (kind === 0) return false;
        this.openLeaf({ type: 'html', kind, start: this.start, end: this.start });
        this.addToHtml();
        return true;
      }
      case '=':
        return this.setextHeading(rest);
      case '-':
        return this.setextHeading(rest) || this.thematicBreak(rest);
      case '*':
      case '_':
        return this.thematicBreak(rest);
      default:
        return false;
    }
  }

  atxHeading(rest) {
    const opening = ATX_OPENING.exec(rest)?.[0];
    if (opening === undefined) return false;
    this.makeRoom();
    this.onLeaf({ type: 'inline', content: withoutClosingMarks(rest.slice(opening.length)) });
    return true;
  }

  setextHeading(rest) {
    if (!this.inParagraph || !SETEXT_UNDERLINE.test(rest)) return false;
    const content = this.leaf.lines.join('\n');
    const begin = takeDefinitions(content, this.labels);
    if (begin === content.length) {
      this.leaf.lines = []; // nothing but definitions: there is no heading
      return false;
    }
    this.leaf = null;
    this.onLeaf({ type: 'inline', content: content.slice(begin) });
    return true;
  }

  thematicBreak(rest) {
    if (!THEMATIC_BREAK.test(rest)) return false;
    this.makeRoom();
    return true;
  }

  openContainerAt(rest) {
    if (this.containers.length >= MAX_CONTAINERS) return false;
    if (rest[0] === '>') {
      this.openContainer({ type: 'quote' });
      this.enterQuote();
      return true;
    }
    const marker = LIST_MARKER.exec(rest);
    if (!marker) return false;
    const [mark, number] = marker;
    const blankBehind = /^[ \t]*$/.test(rest.slice(mark.length));
    if (this.inParagraph && (blankBehind || (number !== undefined && Number(number) !== 1))) return false;

    const { indent } = this;
    this.advanceTo(this.next);
    this.advance(mark.length);
    this.look();
    // Five blanks and more are one, and code behind it; a blank rest counts as one too.
    const blanks = this.blank || this.indent > CODE_INDENT ? 1 : this.indent;
    this.advance(blanks);
    this.openContainer({ type: 'item', width: indent + mark.length + blanks, empty: true });
    return true;
  }

  enterQuote() {
    this.advanceTo(this.next);
    this.advance(1);
    if (isBlankChar(this.text[this.offset])) this.advance(1);
  }

  // --- opening and closing -----------------------------------------------------------------------

  /** Closes what a new block cannot stand in. */
  makeRoom() {
    if (this.lazy) this.closeDownTo(this.matched);
    this.closeLeaf();
    this.lazy = false;
    this.inParagraph = false;
    const container = this.containers.at(-1);
    if (container) container.empty = false;
  }

  openContainer(container) {
    this.makeRoom();
    this.containers.push(container);
  }

  openLeaf(leaf) {
    this.makeRoom();
    this.leaf = { ...leaf, level: this.containers.length };
  }

  closeDownTo(count) {
    this.closeLeaf();
    this.containers.length = count;
  }

  closeLeaf() {
    const { leaf } = this;
    this.leaf = null;
    if (leaf?.type === 'html') this.onLeaf(leaf);
    else if (leaf?.type === 'paragraph') {
      const content = leaf.lines.join('\n');
      const begin = takeDefinitions(content, this.labels);
      if (begin < content.length) this.onLeaf({ type: 'inline', content: content.slice(begin) });
    }
  }

  addToHtml() {
    this.leaf.end = this.start + this.text.length;
    if (htmlBlockEnds(this.leaf.kind, this.text.slice(this.offset))) this.closeLeaf();
  }

  // --- columns -----------------------------------------------------------------------------------

  /** Finds the next character that is no blank and no tab, and how far it is indented. */
  look() {
    let at = this.offset;
    let { column } = this;
    for (; isBlankChar(this.text[at]); at++) column += this.text[at] === '\t' ? TAB_STOP - (column % TAB_STOP) : 1;
    this.next = at;
    this.blank = at >= this.text.length;
    this.indent = column - this.column;
  }

  advanceTo(offset) {
    this.column += this.indent;
    this.offset = offset;
  }

  /** Goes on by columns; a tab may be used in part, and then stays. */
  advance(columns) {
    for (let left = columns; left > 0 && this.offset < this.text.length; ) {
      const width = this.text[this.offset] === '\t' ? TAB_STOP - (this.column % TAB_STOP) : 1;
      const step = Math.min(width, left);
      this.column += step;
      left -= step;
      if (step === width) this.offset++;
    }
  }
}

/** The content of a heading without the closing row of marks. */
function withoutClosingMarks(text) {
  const content = trimBlanks(text);
  let end = content.length;
  while (content[end - 1] === '#') end--;
  if (end === content.length || (end > 0 && !isBlankChar(content[end - 1]))) return content;
  return trimBlanks(content.slice(0, end));
}

function trimBlanks(text) {
  let start = 0;
  let end = text.length;
  while (isBlankChar(text[start])) start++;
  while (end > start && isBlankChar(text[end - 1])) end--;
  return text.slice(start, end);
}
