// What may stand inside a line of YAML: scalars, aliases, properties and flow collections.

import { isBlankChar, isGap } from './yaml-cursor.mjs';
import { NodeMaker } from './yaml-nodes.mjs';
import { unescape } from './yaml-text.mjs';

export const MAX_KEY = 1_024; // an implicit key is one line of at most this many characters

const FLOW_INDICATORS = new Set([',', '[', ']', '{', '}']);
const NO_PLAIN_START = new Set([...'-?:,[]{}#&*!|>\'"%@`']);
const OPENS_COLLECTION = new Set(['[', '{']);
const TAG = /!(?:<[^\s<>]+>|(?:[0-9A-Za-z-]*!)?(?:%[0-9A-Fa-f]{2}|[\w#;/?:@&=+$.~*'()-])*)/y;
const NAME = /[^\s,[\]{}]+/y;

export class FlowReader extends NodeMaker {
  /**
   * A scalar, alias or flow collection. `inFlow`: inside brackets; `key`: on one line only.
   * Properties read already come in `props`; otherwise they are read here.
   */
  flowNode(parent, { props = null, inFlow = false, key = false } = {}) {
    if (!props) {
      props = {};
      while (this.property(props)) this.skipFlow(parent, { inFlow, key });
    }
    const c = this.cur();
    if (c === '*') return this.alias(props);
    if (OPENS_COLLECTION.has(c)) return this.flowCollection(parent, props, key);
    if (c === '"' || c === "'") return this.quoted(parent, props, key);
    if (this.startsPlain(inFlow)) return this.plain(parent, props, inFlow, key);
    if ((inFlow || key) && (FLOW_INDICATORS.has(c) || c === ':' || isGap(c))) return this.emptyNode(props);
    return this.fail(`a value cannot begin with ${c}`);
  }

  flowCollection(parent, props, key) {
    const isMap = this.cur() === '{';
    const close = isMap ? '}' : ']';
    const found = [];
    return this.collection(isMap ? 'map' : 'seq', props, () => {
      const options = { inFlow: true, key };
      this.pos++;
      for (;;) {
        this.skipFlow(parent, options);
        if (this.cur() === close) break;
        if (this.cur() === ',' || this.cur() === '') this.fail('an entry is missing');
        found.push(this.flowEntry(parent, options, isMap));
        this.skipFlow(parent, options);
        if (this.cur() === ',') this.pos++;
        else if (this.cur() !== close) this.fail('neither a comma nor an end of the collection');
      }
      this.pos++;
      return isMap ? { entries: found } : { items: found };
    });
  }

  flowEntry(parent, options, isMap) {
    const explicit = this.isIndicator('?');
    if (explicit) {
      this.pos++;
      this.skipFlow(parent, options);
    }
    const start = this.pos;
    const line = this.lineStart;
    const jsonLike = OPENS_COLLECTION.has(this.cur()) || this.cur() === '"' || this.cur() === "'";
    const key = this.flowNode(parent, options);
    const behindKey = this.place();
    this.skipFlow(parent, options);
    const short = this.lineStart === line && this.pos - start <= MAX_KEY;
    const isPair = this.cur() === ':' && (jsonLike || this.isFlowColon()) && (isMap || explicit || short);
    if (!isPair) {
      this.goTo(behindKey);
      if (!isMap && !explicit) return key;
      const pair = [key, this.emptyNode({})];
      return isMap ? pair : this.singlePair(pair);
    }
    this.pos++;
    this.skipFlow(parent, options);
    const pair = [key, this.flowNode(parent, options)];
    return isMap ? pair : this.singlePair(pair);
  }

  singlePair(pair) {
    return this.collection('map', {}, () => ({ entries: [pair] }));
  }

  isFlowColon() {
    const next = this.at(1);
    return isGap(next) || FLOW_INDICATORS.has(next);
  }

  /** White space and comments inside a flow collection, or between properties and a value. */
  skipFlow(parent, { inFlow, key }) {
    if (!inFlow || key) {
      this.skipBlanks();
      return;
    }
    if (!this.toContent()) return;
    const closes = (this.cur() === ']' || this.cur() === '}') && this.indent === parent;
    if (this.indent <= parent && !closes) this.fail('a flow collection is not indented enough');
    if (this.atAnyMarker()) this.fail('a marker inside a flow collection');
  }

  startsPlain(inFlow) {
    const c = this.cur();
    if (isGap(c)) return false;
    if (!NO_PLAIN_START.has(c)) return true;
    const next = this.at(1);
    return (c === '-' || c === '?' || c === ':') && !isGap(next) && !(inFlow && FLOW_INDICATORS.has(next));
  }

  plain(parent, props, inFlow, key) {
    let value = this.plainLine(inFlow);
    while (!key) {
      const behindLine = this.place();
      const feeds = this.foldLines(parent);
      const stops = feeds === 0 || this.cur() === '#' || (inFlow && FLOW_INDICATORS.has(this.cur()));
      const more = stops ? '' : this.plainLine(inFlow);
      if (more === '') {
        this.goTo(behindLine);
        break;
      }
      value += (feeds === 1 ? ' ' : '\n'.repeat(feeds - 1)) + more;
    }
    return this.scalar(value, props, { plain: true });
  }

  /** What a plain scalar has on this line; the blanks behind it are left alone. */
  plainLine(inFlow) {
    const start = this.pos;
    let end = this.pos;
    for (; ; this.pos++) {
      const c = this.cur();
      if (c === '' || c === '\n') break;
      if (c === ':' && (isGap(this.at(1)) || (inFlow && FLOW_INDICATORS.has(this.at(1))))) break;
      if (c === '#' && isBlankChar(this.text[this.pos - 1])) break;
      if (inFlow && FLOW_INDICATORS.has(c)) break;
      if (!isBlankChar(c)) end = this.pos + 1;
    }
    this.pos = end;
    return this.text.slice(start, end);
  }

  /** Goes over line ends to the next text of a scalar; their number, or 0 if the scalar ends. */
  foldLines(parent) {
    this.skipBlanks();
    let feeds = 0;
    while (this.cur() === '\n') {
      feeds++;
      this.startLine(this.pos + 1);
      while (this.cur() === ' ') this.pos++;
      this.indent = this.pos - this.lineStart;
      this.skipBlanks();
    }
    const ends = this.cur() === '' || this.indent <= parent || this.atAnyMarker();
    return ends ? 0 : feeds;
  }

  quoted(parent, props, key) {
    const quote = this.cur();
    let value = '';
    let kept = 0; // up to here `value` was escaped, and is not trimmed at a line end
    this.pos++;
    for (;;) {
      const c = this.cur();
      if (c === '') this.fail('a quote is not closed');
      if (c === quote) {
        if (quote === '"' || this.at(1) !== "'") break;
        value += "'";
        this.pos += 2;
      } else if (c === '\n') {
        if (key) this.fail('a key on several lines');
        value = value.slice(0, kept) + value.slice(kept).replace(/[ \t]+$/, '');
        const feeds = this.foldLines(parent) || this.fail('a quoted text is not indented enough');
        value += feeds === 1 ? ' ' : '\n'.repeat(feeds - 1);
      } else if (c === '\\' && quote === '"') {
        if (this.at(1) === '\n') {
          if (key) this.fail('a key on several lines');
          this.pos++;
          const feeds = this.foldLines(parent) || this.fail('a quoted text is not indented enough');
          value += '\n'.repeat(feeds - 1);
        } else {
          const { text, length } = unescape(this.text, this.pos + 1) ?? this.fail('an unknown escape');
          value += text;
          this.pos += 1 + length;
        }
        kept = value.length;
      } else {
        value += c;
        this.pos++;
      }
    }
    this.pos++;
    return this.scalar(value, props, { plain: false });
  }

  alias(props) {
    if (props.anchor !== undefined || props.tag !== undefined) this.fail('an alias has no properties');
    this.pos++;
    const name = this.match(NAME) ?? this.fail('an alias without a name');
    const node = this.anchors.get(name);
    if (!node) this.fail(`no anchor ${name}, or one that is still open`);
    this.countNodes(node.count);
    return node;
  }

  /** An anchor or a tag, into `props`; false if none stands here. */
  property(props) {
    const c = this.cur();
    if (c === '&' && props.anchor === undefined) {
      this.pos++;
      props.anchor = this.match(NAME) ?? this.fail('an anchor without a name');
    } else if (c === '!' && props.tag === undefined) {
      props.tag = this.match(TAG);
    } else return false;
    if (!isGap(this.cur()) && !FLOW_INDICATORS.has(this.cur())) this.fail('text directly behind a property');
    return true;
  }
}
