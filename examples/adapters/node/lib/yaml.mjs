// A small reader of YAML 1.2 with the core schema [MEM-043], enough for a block of frontmatter:
// one document, block and flow collections, all five kinds of scalars, anchors, tags, comments.
// Nodes are described in yaml-nodes.mjs.

import { isGap, YamlError } from './yaml-cursor.mjs';
import { FlowReader, MAX_KEY } from './yaml-flow.mjs';
import { foldBlock } from './yaml-text.mjs';

export { YamlError };

const MAX_UNITS = 65_536; // [MEM-046]
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

export function parseYaml(source) {
  if (source.length > MAX_UNITS) throw new YamlError('the block is too large');
  if (FORBIDDEN.test(source)) throw new YamlError('a control character');
  return new Reader(source.replace(/\r\n?/g, '\n')).document();
}

class Reader extends FlowReader {
  document() {
    const directives = this.directives();
    this.toContent();
    let where = 'line';
    if (this.atMarker('---')) {
      this.pos += 3;
      where = 'marker';
    } else if (directives) this.fail('directives without a document');
    const node = this.blockNode(-1, where);
    this.toContent();
    while (this.atMarker('...')) {
      this.pos += 3;
      if (!this.toContent() && this.cur() !== '') this.fail('text behind the end of a document');
    }
    if (this.cur() !== '') this.fail('a second document, or text that belongs to nothing');
    return node;
  }

  directives() {
    let seen = false;
    for (;;) {
      this.toContent();
      if (this.cur() !== '%' || this.pos !== this.lineStart) return seen;
      seen = true;
      while (this.cur() !== '\n' && this.cur() !== '') this.pos++;
    }
  }

  // --- blocks ---------------------------------------------------------------------------------

  /**
   * The node behind an indicator, or at the start of a line. `parent` is the column of the
   * collection around it. `where`: `line` (content starts here), `marker` (behind `---`),
   * `value` (behind an implicit key's colon), `pair` (behind `?` or its `:`), `entry` (behind `-`).
   */
  blockNode(parent, where) {
    const props = {};
    let first = true;
    for (;;) {
      const gap = this.pos;
      const crossed = this.toContent();
      let mayNest; // may a block collection begin here?
      if (crossed || (first && where === 'line')) {
        const sameColumn = where !== 'entry' && this.indent === parent && this.isIndicator('-');
        const ends = this.cur() === '' || this.atAnyMarker() || (this.indent <= parent && !sameColumn);
        if (ends) return this.emptyNode(props);
        mayNest = !this.tabbed;
      } else {
        if (this.cur() === '') return this.emptyNode(props);
        mayNest = first && (where === 'entry' || where === 'pair') && !this.text.slice(gap, this.pos).includes('\t');
      }
      first = false;

      const column = this.pos - this.lineStart;
      if (mayNest) {
        if (this.isIndicator('-')) return this.blockSequence(column, parent, props);
        if (this.isIndicator('?')) return this.blockMapping(column, null, props);
        const key = this.tryImplicitKey(parent);
        if (key) return this.blockMapping(column, key, props);
      } else if (this.isIndicator('-') || this.isIndicator('?')) this.fail('a block collection cannot begin here');

      if (this.property(props)) continue;
      const isBlock = this.cur() === '|' || this.cur() === '>';
      return isBlock ? this.blockScalar(parent, props) : this.flowNode(parent, { props });
    }
  }

  blockSequence(column, parent, props) {
    const items = [];
    return this.collection('seq', props, () => {
      do {
        this.pos++;
        items.push(this.blockNode(column, 'entry'));
      } while (this.nextEntry(column) && this.continues(column, parent));
      return { items };
    });
  }

  /** Behind an entry of a sequence: is the next line another one? */
  continues(column, parent) {
    if (this.isIndicator('-')) return true;
    if (column !== parent) this.fail('no entry of the sequence');
    return false; // a sequence in the column of its mapping's keys: the next key follows
  }

  blockMapping(column, firstKey, props) {
    const entries = [];
    return this.collection('map', props, () => {
      let key = firstKey;
      do {
        if (!key && !this.isIndicator('?')) key = this.tryImplicitKey(column) ?? this.fail('no key of the mapping');
        entries.push(key ? this.implicitEntry(key, column) : this.explicitEntry(column));
        key = null;
      } while (this.nextEntry(column));
      return { entries };
    });
  }

  implicitEntry(key, column) {
    this.pos++; // the colon
    return [key, this.blockNode(column, 'value')];
  }

  explicitEntry(column) {
    this.pos++; // the question mark
    const key = this.blockNode(column, 'pair');
    const more = this.nextEntry(column);
    if (!more || !this.isIndicator(':')) return [key, this.emptyNode({})];
    this.pos++;
    return [key, this.blockNode(column, 'pair')];
  }

  /** Goes to the next line with content; true if it belongs to a collection at this column. */
  nextEntry(column) {
    this.toContent();
    if (this.cur() === '' || this.atAnyMarker()) return false;
    if (this.pos !== this.contentStart) this.fail('text behind a value');
    if (this.indent < column) return false;
    if (this.indent > column || this.tabbed) this.fail('wrong indentation');
    return true;
  }

  /** The key that begins here if a colon follows it on the same line; else null, nothing read. */
  tryImplicitKey(parent) {
    const saved = this.save();
    try {
      const key = this.isIndicator(':') ? this.emptyNode({}) : this.flowNode(parent, { key: true });
      this.skipBlanks();
      if (this.isIndicator(':') && this.pos - saved.place.pos <= MAX_KEY) return key;
    } catch (error) {
      if (!(error instanceof YamlError)) throw error;
    }
    this.restore(saved);
    return null;
  }

  blockScalar(parent, props) {
    const folded = this.cur() === '>';
    this.pos++;
    let chomp = '';
    let explicit = 0;
    for (; !isGap(this.cur()); this.pos++) {
      const c = this.cur();
      if ((c === '+' || c === '-') && chomp === '') chomp = c;
      else if (c >= '1' && c <= '9' && explicit === 0) explicit = Number(c);
      else this.fail('not a header of a block scalar');
    }
    if (!this.toLineEnd()) this.fail('text behind the header of a block scalar');

    let width = explicit > 0 ? Math.max(parent, 0) + explicit : 0;
    const lines = [];
    let widest = 0; // of the blank lines before the first text
    while (this.cur() !== '') {
      const end = this.text.indexOf('\n', this.pos);
      const line = this.text.slice(this.pos, end < 0 ? this.text.length : end);
      const blanks = line.length - line.replace(/^ +/, '').length;
      if (blanks === line.length && (width === 0 || blanks <= width)) {
        widest = Math.max(widest, blanks);
        lines.push('');
      } else {
        if (width === 0) {
          if (blanks <= parent || this.atAnyMarker()) break;
          if (widest > blanks) this.fail('a blank line is indented more than the text');
          width = blanks || -1; // at the top level a text may stand in the first column
        }
        const cut = Math.max(width, 0);
        if (blanks < cut || (cut === 0 && this.atAnyMarker())) break;
        lines.push(line.slice(cut));
      }
      this.pos += line.length;
      if (end < 0) break;
      this.startLine(end + 1);
    }
    return this.scalar(foldBlock(lines, folded, chomp), props, { plain: false });
  }
}
