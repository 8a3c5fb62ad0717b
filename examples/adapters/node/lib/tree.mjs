// A file tree in memory, made from the entries of a call. Links are followed as a kernel follows
// them: component by component, `..` after the link.

import { compareNames, fromBase64, pathFromBytes, pathFromWire, decodeStrictly } from './bytes.mjs';
import { malformedTree } from './errors.mjs';
import { utf8Length } from './text.mjs';

/** Files above 64 MiB stay unread. [MEM-024] */
export const MAX_FILE_BYTES = 67_108_864;

// More links than this on one way count as endless. A kernel gives up after 40.
const MAX_LINKS = 1_000;

const SPECIAL_KINDS = new Set(['fifo', 'socket', 'device']);

class Node {
  constructor(kind, name, parent) {
    this.kind = kind; // folder, file, link, special
    this.name = name;
    this.parent = parent;
    this.explicit = false;
    this.denied = false;
    this.children = kind === 'folder' ? new Map() : null;
  }
}

export class Tree {
  #roots = new Map();
  #found = new Map();

  constructor(paths, entries, { insensitive = false } = {}) {
    this.paths = paths;
    this.insensitive = insensitive;
    for (const entry of entries) this.#add(entry);
  }

  /**
   * Where a path leads. `state` is `file`, `folder`, `special`, `missing`, `dangling` (the path
   * itself is a link to nothing) or `loop`. `spelled` is the own path in the spelling that the
   * tree stores [MEM-018]; `real` has every link resolved.
   */
  find(path) {
    let found = this.#found.get(path);
    if (!found) {
      found = this.#walk(path);
      this.#found.set(path, found);
    }
    return found;
  }

  /** Where an entry of a folder leads, as `find` says it. */
  entry(folder, name) {
    const child = this.#child(folder, name);
    const node = child.kind === 'link' ? this.#follow(child, { links: MAX_LINKS }) : child;
    if (node === 'loop') return { state: 'loop' };
    return node ? { state: node.kind, node } : { state: 'dangling' };
  }

  exists(path) {
    const { state } = this.find(path);
    return state !== 'missing' && state !== 'dangling';
  }

  /** Makes sure that a folder exists; null where something else is in the way. */
  ensureFolder(path) {
    const { state, node, at, rest } = this.#walk(path);
    if (state === 'folder') return this.realPath(node);
    if (state !== 'missing' || !at) return null;
    let folder = at;
    for (const name of rest) folder = this.#attach(folder, new Node('folder', name, folder));
    this.#found.clear();
    return this.realPath(folder);
  }

  realPath(node) {
    if (node.real === undefined) {
      const names = [];
      let top = node;
      for (; top.parent; top = top.parent) names.push(top.name);
      node.real = this.paths.build(top.name, names.reverse());
    }
    return node.real;
  }

  /** The names in a folder in the order of their bytes, or null where listing is refused. [MEM-031] */
  list(node) {
    if (node.denied) return null;
    node.names ??= [...node.children.values()].map((child) => child.name).sort(compareNames);
    return node.names;
  }

  /** The decoded text of a regular file; bytes that are not UTF-8 become U+FFFD. [MEM-106] */
  text(node) {
    return node.text === undefined ? padded(node).toString('utf8') : node.text + padding(node);
  }

  /** The same, but null where the bytes are not UTF-8. */
  strictText(node) {
    return node.text === undefined ? decodeStrictly(padded(node)) : this.text(node);
  }

  /** The same, for files that hold paths: stray bytes are kept. */
  pathText(node) {
    return node.text === undefined ? pathFromBytes(padded(node)) : this.text(node);
  }

  #walk(path) {
    const { root, parts } = this.paths.split(path);
    const budget = { links: MAX_LINKS };
    const spelled = [];
    let node = this.#root(root);
    for (const [index, part] of parts.entries()) {
      if (node.kind !== 'folder') return { state: 'missing' };
      const child = this.#child(node, part);
      if (!child) return { state: 'missing', at: node, rest: parts.slice(index) };
      spelled.push(child.name);
      const target = child.kind === 'link' ? this.#follow(child, budget) : child;
      if (target === 'loop') return { state: 'loop' };
      if (!target) return { state: index === parts.length - 1 ? 'dangling' : 'missing' };
      node = target;
    }
    return { state: node.kind, node, real: this.realPath(node), spelled: this.paths.build(root, spelled) };
  }

  /** The node behind a link; null for nothing, 'loop' for a chain without an end. */
  #follow(link, budget) {
    const todo = []; // components still to walk, the next one last
    let node = link.parent;
    let next = link;
    for (;;) {
      if (next?.kind === 'link') {
        if (--budget.links < 0) return 'loop';
        const { paths } = this;
        const { target } = next;
        const start = paths.splitRoot(target);
        if (start) node = this.#root(start[0]);
        else if (paths.startsAtRoot(target)) node = this.#root(paths.rootOf(this.realPath(node)));
        if (target === '') return null;
        todo.push(...paths.components(start ? start[1] : target).reverse());
      } else if (next) node = next;
      if (todo.length === 0) return node;
      const part = todo.pop();
      if (node.kind !== 'folder') return null;
      if (part === '..') next = node.parent ?? node;
      else next = part === '.' ? node : this.#child(node, part);
      if (!next) return null;
    }
  }

  #root(name) {
    let node = this.#roots.get(name);
    if (!node) {
      node = new Node('folder', name, null);
      this.#roots.set(name, node);
    }
    return node;
  }

  #key(name) {
    return this.insensitive ? name.toLowerCase() : name;
  }

  #child(folder, name) {
    return folder.children.get(this.#key(name));
  }

  #attach(folder, node) {
    folder.children.set(this.#key(node.name), node);
    return node;
  }

  #add(entry) {
    const isObject = entry !== null && typeof entry === 'object' && !Array.isArray(entry);
    if (!isObject) throw malformedTree('an entry is no object');
    const path = pathFromWire(entry.p);
    if (path === null || !this.paths.isAbsolute(path)) throw malformedTree('an entry has no absolute path');
    const { root, parts } = this.paths.split(path);
    const written = this.paths.components(this.paths.splitRoot(path)[1]);
    if (written.length !== parts.length) throw malformedTree(`${path} is not normalised`);

    const name = parts.pop();
    let folder = this.#root(root);
    for (const part of parts) {
      folder = this.#child(folder, part) ?? this.#attach(folder, new Node('folder', part, folder));
      if (folder.kind !== 'folder') throw malformedTree(`${path} lies below something that is no folder`);
    }
    const node = nodeOf(entry, name, folder, path);
    const known = name === undefined ? folder : this.#child(folder, name);
    if (!known) this.#attach(folder, node);
    else if (known.explicit || known.kind !== 'folder' || node.kind !== 'folder') {
      throw malformedTree(`two entries contradict each other: ${path}`);
    } else Object.assign(known, { explicit: true, denied: node.denied });
  }
}

function nodeOf(entry, name, folder, path) {
  const wrong = (what) => malformedTree(`${path}: ${what}`);
  const forms = ['t', 'b64', 'link', 'kind'].filter((key) => entry[key] !== undefined);
  if (forms.length > 1) throw wrong(`${forms.join(' and ')} exclude each other`);
  if (entry.deny !== undefined && entry.deny !== 'read' && entry.deny !== 'list') throw wrong('unknown deny');
  if (entry.mtime !== undefined && !Number.isSafeInteger(entry.mtime)) throw wrong('mtime is no whole number');

  const isFile = 't' in entry || 'b64' in entry || (forms.length === 0 && entry.size !== undefined);
  if (entry.size !== undefined && !isFile) throw wrong('only a file has a size');
  const node = new Node(isFile ? 'file' : kindOf(entry, wrong), name, folder);
  node.explicit = true;
  node.mtime = entry.mtime ?? 0; // of a folder it says nothing
  node.denied = entry.deny !== undefined && (node.kind === 'folder' || entry.deny === 'read');
  if (node.kind === 'link') {
    node.target = pathFromWire(entry.link);
    if (node.target === null) throw wrong('link is no path');
  }
  if (isFile) fill(node, entry, wrong);
  return node;
}

function kindOf(entry, wrong) {
  if (entry.link !== undefined) return 'link';
  if (entry.kind === 'dir') return 'folder';
  if (SPECIAL_KINDS.has(entry.kind)) return 'special';
  throw wrong('neither a file nor a link nor a known kind');
}

function fill(node, entry, wrong) {
  if (entry.b64 === undefined) {
    node.text = entry.t ?? '';
    if (typeof node.text !== 'string') throw wrong('t is no text');
    node.length = utf8Length(node.text);
  } else {
    node.bytes = fromBase64(entry.b64);
    if (node.bytes === null) throw wrong('b64 is no base64');
    node.length = node.bytes.length;
  }
  node.size = entry.size ?? node.length;
  if (!Number.isSafeInteger(node.size) || node.size < node.length) throw wrong('size is too small or no whole number');
}

// A size above that of the text given stands for NUL bytes behind it.
const padding = (node) => (node.size > node.length ? '\0'.repeat(node.size - node.length) : '');
const padded = (node) => (node.size > node.length ? Buffer.concat([node.bytes], node.size) : node.bytes);
