// The place of a YAML reader in its text: lines, columns, white space and comments.

export class YamlError extends Error {}

export const isBlankChar = (c) => c === ' ' || c === '\t';
export const isGap = (c) => c === '' || c === ' ' || c === '\t' || c === '\n';

export class Cursor {
  pos = 0;
  lineStart = 0;
  contentStart = -1; // where the content of the current line begins, if it was reached from its start
  indent = 0; // blanks before that content
  tabbed = false; // a tab stands among the white space before it

  constructor(text) {
    this.text = text;
  }

  cur() {
    return this.text[this.pos] ?? '';
  }

  at(offset) {
    return this.text[this.pos + offset] ?? '';
  }

  isIndicator(c) {
    return this.cur() === c && isGap(this.at(1));
  }

  match(pattern) {
    pattern.lastIndex = this.pos;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return null;
    this.pos += found.length;
    return found;
  }

  skipBlanks() {
    while (isBlankChar(this.cur())) this.pos++;
  }

  /** Over blanks and a comment to the end of the line; false if other text stands there. */
  toLineEnd() {
    this.skipBlanks();
    if (this.cur() === '#') {
      if (this.pos > this.lineStart && !isBlankChar(this.text[this.pos - 1])) this.fail('no blank before a comment');
      const end = this.text.indexOf('\n', this.pos);
      this.pos = end < 0 ? this.text.length : end;
    }
    if (this.cur() === '') return true;
    if (this.cur() !== '\n') return false;
    this.startLine(this.pos + 1);
    return true;
  }

  /** Over blanks, comments and line ends to the next content; true if a line end was crossed. */
  toContent() {
    const before = this.lineStart;
    while (this.toLineEnd() && this.cur() !== '');
    const start = this.lineStart;
    if (this.contentStart >= start) return start !== before; // known already
    let blanks = start;
    while (this.text[blanks] === ' ') blanks++;
    let content = blanks;
    while (isBlankChar(this.text[content] ?? '')) content++;
    if (content === this.pos) {
      this.contentStart = content;
      this.indent = blanks - start;
      this.tabbed = content > blanks;
    }
    return start !== before;
  }

  startLine(pos) {
    this.pos = pos;
    this.lineStart = pos;
  }

  atMarker(marker) {
    return this.pos === this.lineStart && this.text.startsWith(marker, this.pos) && isGap(this.at(3));
  }

  atAnyMarker() {
    return this.atMarker('---') || this.atMarker('...');
  }

  place() {
    const { pos, lineStart, contentStart, indent, tabbed } = this;
    return { pos, lineStart, contentStart, indent, tabbed };
  }

  goTo(place) {
    Object.assign(this, place);
  }

  fail(message) {
    throw new YamlError(`${message} (at ${this.pos})`);
  }
}
