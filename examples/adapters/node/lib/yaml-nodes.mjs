// The nodes of a YAML document, and the bounds that are met while they are made. [MEM-046]
//
//   {kind: 'scalar', type, value}   type: string, null, bool, int, float
//   {kind: 'seq', items}
//   {kind: 'map', entries}          entries: [key node, value node]
//
// Every node carries `count` (nodes that it stands for) and `levels` (collections inside one
// another), so that a few aliases cannot stand for millions.

import { Cursor } from './yaml-cursor.mjs';
import { applyTag, resolvePlain } from './yaml-schema.mjs';

const MAX_NODES = 10_000;
const MAX_LEVELS = 200;

export class NodeMaker extends Cursor {
  nodes = 0;
  depth = 0;
  anchors = new Map();
  anchorLog = []; // what each anchor replaced, so that a trial can be undone
  identities = new Map(); // the forms of keys seen so far

  collection(kind, props, read) {
    if (++this.depth > MAX_LEVELS) this.fail('too many levels');
    this.countNodes(1);
    this.setAnchor(props, null); // open
    const node = { kind, ...read() };
    if (!applyTag(node, props.tag)) this.fail(`the tag ${props.tag} does not fit`);
    const children = kind === 'seq' ? node.items : node.entries.flat();
    node.count = children.reduce((sum, child) => sum + child.count, 1);
    node.levels = children.reduce((most, child) => Math.max(most, child.levels), 0) + 1;
    if (node.levels > MAX_LEVELS) this.fail('too many levels'); // by an alias
    if (kind === 'map') this.rejectDuplicates(node);
    this.setAnchor(props, node);
    this.depth--;
    return node;
  }

  scalar(value, props, { plain }) {
    this.countNodes(1);
    const node = { kind: 'scalar', count: 1, levels: 0, ...(plain ? resolvePlain(value) : { type: 'string', value }) };
    node.source = value;
    if (!applyTag(node, props.tag)) this.fail(`the tag ${props.tag} does not fit`);
    this.setAnchor(props, node);
    return node;
  }

  /** Nothing at all, or nothing but properties: no tag is wrong on it. [MEM-043] */
  emptyNode(props) {
    this.countNodes(1);
    const node = { kind: 'scalar', count: 1, levels: 0, type: 'null', value: null, source: '' };
    applyTag(node, props.tag);
    this.setAnchor(props, node);
    return node;
  }

  rejectDuplicates(map) {
    const seen = new Set();
    for (const [key] of map.entries) {
      const identity = this.identityOf(key);
      if (seen.has(identity)) this.fail('a key stands twice'); // [MEM-043]
      seen.add(identity);
    }
  }

  /** A number that two nodes share exactly when they are equal. Collections are told by the numbers in them. */
  identityOf(node) {
    if (node.identity === undefined) {
      const form = this.formOf(node);
      if (!this.identities.has(form)) this.identities.set(form, this.identities.size);
      node.identity = this.identities.get(form);
    }
    return node.identity;
  }

  formOf({ kind, type, value, items, entries }) {
    if (kind === 'scalar') return `${type} ${value}`;
    if (kind === 'seq') return `[${items.map((item) => this.identityOf(item)).join()}]`;
    return `{${entries.map((entry) => entry.map((node) => this.identityOf(node)).join(':')).sort().join()}}`;
  }

  countNodes(count) {
    this.nodes += count;
    if (this.nodes > MAX_NODES) this.fail('too many nodes');
  }

  setAnchor({ anchor }, node) {
    if (anchor === undefined) return;
    this.anchorLog.push([anchor, this.anchors.get(anchor)]);
    this.anchors.set(anchor, node);
  }

  /** A state to which a trial can go back. */
  save() {
    return { place: this.place(), nodes: this.nodes, depth: this.depth, log: this.anchorLog.length };
  }

  restore({ place, nodes, depth, log }) {
    this.goTo(place);
    this.nodes = nodes;
    this.depth = depth;
    while (this.anchorLog.length > log) {
      const [name, node] = this.anchorLog.pop();
      if (node === undefined) this.anchors.delete(name);
      else this.anchors.set(name, node);
    }
  }
}
