// What is told about files: rows for those that do not load, and warnings. [MEM-023]

import { pathToWire } from './bytes.mjs';

const NO_LAYER = ''; // in keys: rows about settings, and about names and places that are not looked for

export class Report {
  #rows = new Map(); // by path and layer; the reason that was met first stands
  #warnings = new Map();

  /** A candidate, which has a layer, that does not load. */
  candidate(path, layer, reason, detail) {
    this.#add(path, layer, { reason, detail, unless: 'same-layer' });
  }

  /** A file that looks as if it were memory and is not. */
  lookAlike(path, reason) {
    this.#add(path, NO_LAYER, { reason, unless: 'any-layer' });
  }

  /** Something about a file, whether or not it loads as memory. */
  notice(path, reason, detail) {
    this.#add(path, NO_LAYER, { reason, detail, unless: 'never' });
  }

  warn(kind, path, detail = '') {
    const key = JSON.stringify([kind, path, detail]);
    if (!this.#warnings.has(key)) this.#warnings.set(key, { kind, path, detail });
  }

  /** Rows of files that loaded after all are left out. [MEM-086] */
  rows(records) {
    const layers = new Set(records.map(({ path, layer }) => JSON.stringify([path, layer])));
    const paths = new Set(records.map(({ path }) => path));
    const stands = ({ path, layer, unless }) => {
      if (unless === 'same-layer') return !layers.has(JSON.stringify([path, layer]));
      return unless === 'never' || !paths.has(path);
    };
    return [...this.#rows.values()].filter(stands).map(({ path, layer, reason, detail }) => ({
      p: pathToWire(path),
      reason,
      ...(layer !== NO_LAYER && { layer }),
      ...(detail !== undefined && { detail }),
    }));
  }

  warnings() {
    return [...this.#warnings.values()].map(({ kind, path, detail }) => ({ kind, p: pathToWire(path), detail }));
  }

  #add(path, layer, row) {
    const key = JSON.stringify([path, layer, layer === NO_LAYER ? row.reason : '']);
    if (!this.#rows.has(key)) this.#rows.set(key, { path, layer, ...row });
  }
}
