// The one set of files that are loaded, and what makes two names one file. [MEM-084, MEM-085]

export class LoadedSet {
  #tree;
  #identity;
  #set = new Set();
  #listed = new Set(); // paths under which files stand in the list

  constructor(tree, identity) {
    this.#tree = tree;
    this.#identity = identity;
  }

  has(path) {
    return this.#set.has(this.#key(path));
  }

  /** Is there a record under this very path? */
  lists(path) {
    return this.#listed.has(this.#spelled(path));
  }

  add(path) {
    const { real } = this.#tree.find(path);
    this.#listed.add(this.#spelled(path));
    this.#set.add(this.#key(path));
    if (real !== undefined) this.#set.add(real); // a link is known by its own path and the real one
  }

  #key(path) {
    const { real } = this.#tree.find(path);
    return this.#identity === 'real' && real !== undefined ? real : this.#spelled(path);
  }

  /** On a case-insensitive tree two spellings are one file. [MEM-018] */
  #spelled(path) {
    return this.#tree.find(path).spelled ?? path;
  }
}
