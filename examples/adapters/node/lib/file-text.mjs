// From a file to the text that is sent. [MEM-100]

import { splitFrontmatter } from './frontmatter.mjs';
import { removeComments } from './markdown.mjs';
import { MAX_FILE_BYTES } from './tree.mjs';

const REFUSALS = {
  missing: 'not-found',
  dangling: 'not-found',
  loop: 'link-loop',
  folder: 'not-regular',
  special: 'not-regular',
};

/** Why a file cannot be read, before it is opened; null if it can. [MEM-019, MEM-022, MEM-024] */
export function refusalOf({ state, node }) {
  if (state !== 'file') return REFUSALS[state];
  if (node.size > MAX_FILE_BYTES) return 'too-large';
  return node.denied ? 'unreadable' : null;
}

/** Reads the files of one tree, each at most once. */
export class FileTexts {
  #tree;
  #choices;
  #read = new Map();

  constructor(tree, choices) {
    this.#tree = tree;
    this.#choices = choices;
  }

  /** {disk, block, text}: as decoded; the frontmatter, or null; without frontmatter and comments, untrimmed. */
  of(node) {
    let file = this.#read.get(node);
    if (!file) {
      const disk = this.#tree.text(node);
      const ignoresMark = this.#choices['memory.bom'] === 'ignored' && disk.startsWith('\ufeff');
      const { block, text } = splitFrontmatter(ignoresMark ? disk.slice(1) : disk); // [MEM-101]
      file = { disk, block, text: removeComments(text) };
      this.#read.set(node, file);
    }
    return file;
  }
}
