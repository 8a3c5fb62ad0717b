// Rule files: what their frontmatter makes of them. [MEM-033, MEM-045]

import { readPaths } from './frontmatter.mjs';
import { effectivePatterns } from './path-patterns.mjs';
import { searchRules } from './rules-folder.mjs';

/** Searches each rules folder and reads each rule's patterns once. */
export class Rules {
  #session;
  #texts;
  #folders = new Map();
  #patterns = new Map();

  constructor(session, texts) {
    this.#session = session;
    this.#texts = texts;
  }

  search(folder) {
    let found = this.#folders.get(folder);
    if (!found) {
      found = searchRules(this.#session.tree, folder);
      this.#folders.set(folder, found);
    }
    return found;
  }

  /** The effective patterns of a readable rule; none for an unconditional one. */
  patternsOf({ path, node }) {
    let found = this.#patterns.get(node);
    if (!found) {
      found = this.#read(path, this.#texts.of(node).block);
      this.#patterns.set(node, found);
    }
    return found;
  }

  #read(path, block) {
    const { choices, report } = this.#session;
    const { node, invalid } = block === null ? { node: null, invalid: false } : readPaths(block);
    if (invalid) report.warn('frontmatter-invalid', path, 'no YAML, even repaired; the rule is unconditional');
    const { patterns, literal } = effectivePatterns(node, choices['memory.brace_nesting']);
    for (const piece of literal) report.warn('pattern-literal', path, piece);
    return patterns;
  }
}
