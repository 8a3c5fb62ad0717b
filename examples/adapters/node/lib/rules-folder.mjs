// The search of one rules folder. Both passes, at start and on demand, use it. [MEM-030 to MEM-036]

const MAX_RULES = 10_000;
const MAX_ROWS = 100_000;

/**
 * {rules, rows}: `rules` are {path, node}, under their real paths, in the order of names; `rows`
 * tell what is no rule: {path, reason}, and `lookAlike` where the name is at fault.
 */
export function searchRules(tree, folder) {
  const search = new RulesSearch(tree);
  const { state, node } = tree.find(folder);
  if (state === 'folder') search.visit(node, folder);
  else if (state === 'loop') search.row(folder, 'link-loop');
  else if (state !== 'missing' && state !== 'dangling') search.row(folder, 'not-regular');
  if (search.full) search.rows.push({ path: folder, reason: 'rules-bound' });
  return { rules: search.rules, rows: search.rows };
}

class RulesSearch {
  rules = [];
  rows = [];
  full = false;
  #visited = new Set();
  #levels = []; // folders that are open, the outermost, under its path, first

  constructor(tree) {
    this.tree = tree;
  }

  row(path, reason, lookAlike = false) {
    if (this.rows.length >= MAX_ROWS) this.full = true;
    else this.rows.push({ path, reason, lookAlike });
  }

  /** Files and folders together, in the order of their names. No recursion, so no folder is too deep. */
  visit(folder, path) {
    this.#enter(folder, path);
    while (this.#levels.length > 0 && !this.full) {
      const level = this.#levels.at(-1);
      if (level.next === level.names.length) {
        this.#levels.pop();
        continue;
      }
      const name = level.names[level.next++];
      const found = this.tree.entry(level.node, name);
      if (found.state === 'folder') this.#enter(found.node, name);
      else this.#take(name, found);
    }
  }

  #enter(node, name) {
    if (this.#visited.has(node)) return; // links make loops; a second way is silent
    this.#visited.add(node);
    const names = this.tree.list(node);
    if (names) this.#levels.push({ node, name, names, next: 0 });
    else this.row(this.#ownPath(name), 'unreadable');
  }

  #take(name, { state, node }) {
    if (!name.endsWith('.md')) this.row(this.#ownPath(name), 'not-md', true); // a link counts by its own name
    else if (state === 'file') {
      const path = this.tree.realPath(node);
      if (this.rules.length < MAX_RULES) this.rules.push({ path, node });
      else this.row(path, 'rules-bound');
    } else if (state === 'special') this.row(this.tree.realPath(node), 'not-regular');
    else this.row(this.#ownPath(name), state === 'loop' ? 'link-loop' : 'not-found');
  }

  #ownPath(name) {
    const [first, ...names] = [...this.#levels.map((level) => level.name), name];
    return names.length > 0 ? this.tree.paths.join(first, ...names) : first;
  }
}
