// Paths as text, in the two flavours of the wire. No function here looks at a tree. [MEM-112]

class Flavour {
  constructor({ separator, separators, splitRoot }) {
    this.separator = separator;
    this.separators = separators;
    this.splitRoot = splitRoot;
  }

  isAbsolute(path) {
    return this.splitRoot(path) !== null;
  }

  /** Root and components of an absolute path, `.` and `..` worked out as text. */
  split(path) {
    const [root, rest] = this.splitRoot(path);
    const parts = [];
    for (const part of this.components(rest)) {
      if (part === '..') parts.pop();
      else if (part !== '.') parts.push(part);
    }
    return { root, parts };
  }

  /** The components of a path without its root, as they are written. */
  components(rest) {
    return rest.split(this.separators).filter((part) => part !== '');
  }

  build(root, parts) {
    return root + parts.join(this.separator);
  }

  normalise(path) {
    const { root, parts } = this.split(path);
    return this.build(root, parts);
  }

  /** `path` seen from the absolute folder `base`; an absolute path stands for itself. */
  resolve(base, path) {
    if (this.isAbsolute(path)) return this.normalise(path);
    const folder = this.startsAtRoot(path) ? this.rootOf(base) : base; // Windows: `\x` has no drive
    return this.normalise(folder + this.separator + path);
  }

  join(folder, ...names) {
    const glue = folder.endsWith(this.separator) ? '' : this.separator;
    return folder + glue + names.join(this.separator);
  }

  startsAtRoot(path) {
    return path !== '' && this.separators.test(path[0]);
  }

  rootOf(path) {
    return this.splitRoot(path)[0];
  }

  isRoot(path) {
    return this.split(path).parts.length === 0;
  }

  dirname(path) {
    const { root, parts } = this.split(path);
    return this.build(root, parts.slice(0, -1));
  }

  basename(path) {
    return this.split(path).parts.at(-1) ?? '';
  }

  /** The folder and all folders above it, outermost first. */
  chain(folder) {
    const { root, parts } = this.split(folder);
    return [root, ...parts.map((_, at) => this.build(root, parts.slice(0, at + 1)))];
  }

  /** Equal to the folder or below it, by whole components. Both are normalised. */
  isInside(path, folder) {
    return path === folder || path.startsWith(this.join(folder, ''));
  }

  /** The way from a folder to a path inside it, with `/`; null for a path outside. */
  relative(path, folder) {
    if (!this.isInside(path, folder)) return null;
    return this.withSlashes(path.slice(this.join(folder, '').length));
  }

  withSlashes(path) {
    return this.separator === '/' ? path : path.replaceAll(this.separator, '/');
  }
}

export const posix = new Flavour({
  separator: '/',
  separators: /\/+/,
  splitRoot: (path) => (path.startsWith('/') ? ['/', path.slice(1)] : null),
});

const DRIVE = /^([A-Za-z]):[\\/]/;
const SHARE = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)(?:[\\/]|$)/;

// Only the letter of a drive is folded, and both separators are one. [MEM-112]
export const windows = new Flavour({
  separator: '\\',
  separators: /[\\/]+/,
  splitRoot(path) {
    const drive = DRIVE.exec(path);
    if (drive) return [`${drive[1].toUpperCase()}:\\`, path.slice(drive[0].length)];
    const share = SHARE.exec(path);
    return share ? [`\\\\${share[1]}\\${share[2]}\\`, path.slice(share[0].length)] : null;
  },
});
