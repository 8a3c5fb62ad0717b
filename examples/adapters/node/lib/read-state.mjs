// Which files were read, and in which order. [CMP-110]

const MAX_FILES = 100;
const MAX_BYTES = 26_214_400;

export class ReadState {
  #entries = []; // {path, bytes, order}, the front first
  #reads = 0;

  /** Begins a pass. */
  turn() {
    this.#entries.reverse();
  }

  /** The paths that are forgotten. */
  read(path, bytes = 0) {
    const rest = this.#entries.filter((entry) => entry.path !== path);
    if (bytes > MAX_BYTES) {
      this.#entries = rest;
      return [path];
    }
    this.#entries = [{ path, bytes, order: ++this.#reads }, ...rest];
    let sum = this.#entries.reduce((total, entry) => total + entry.bytes, 0);
    const forgotten = [];
    while (this.#entries.length > MAX_FILES || sum > MAX_BYTES) {
      const last = this.#entries.pop();
      sum -= last.bytes;
      forgotten.push(last.path);
    }
    return forgotten;
  }

  /** The front first. */
  get paths() {
    return this.#entries.map(({ path }) => path);
  }

  /** What was read last first. */
  get latest() {
    return [...this.#entries].sort((one, other) => other.order - one.order).map(({ path }) => path);
  }

  copy() {
    const copy = new ReadState();
    copy.#entries = [...this.#entries];
    copy.#reads = this.#reads;
    return copy;
  }
}
