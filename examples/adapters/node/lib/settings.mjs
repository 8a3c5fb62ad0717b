// Settings files, and how their layers combine. [MEM-020, MEM-021]

import { MAX_FILE_BYTES } from './tree.mjs';

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

// The keys of the chapter; whether a value has the right type.
const KEYS = {
  claudeMdExcludes: Array.isArray,
  autoMemoryEnabled: (value) => typeof value === 'boolean',
  autoMemoryDirectory: (value) => typeof value === 'string',
};

/** The JSON object in a file, or why there is none: {value} or {broken}; null if the file is absent. */
export function readJsonObject(tree, path) {
  const { state, node } = tree.find(path);
  if (state === 'missing' || state === 'dangling') return null;
  if (state !== 'file') return { broken: 'not a regular file' };
  if (node.size > MAX_FILE_BYTES) return { broken: 'too large' };
  if (node.denied) return { broken: 'reading is refused' };
  const text = tree.strictText(node);
  if (text === null) return { broken: 'not UTF-8' };
  try {
    const value = JSON.parse(text.replace(/^\ufeff/, '')); // one mark is allowed
    return isObject(value) ? { value } : { broken: 'no object' };
  } catch {
    return { broken: 'no JSON' };
  }
}

export class Settings {
  #layers = []; // {layer, values}, those that count first before the others

  /** `files`: {layer, path, required}, in the order of precedence. */
  constructor(tree, files, report) {
    for (const { layer, path, required } of files) {
      const found = readJsonObject(tree, path) ?? (required ? { broken: 'missing' } : { value: {} });
      if (found.broken) report.notice(path, 'settings-broken', found.broken);
      else this.#layers.push({ layer, values: usable(found.value, path, report) });
    }
  }

  /** Every string of every layer. */
  get excludes() {
    const items = this.#layers.flatMap(({ values }) => values.claudeMdExcludes ?? []);
    return items.filter((item) => typeof item === 'string');
  }

  /** The first value of the right type. */
  first(key, { except = null } = {}) {
    return this.#layers.find(({ layer, values }) => layer !== except && key in values)?.values[key];
  }
}

/** The keys of the chapter that can be used; each other one is reported by itself. */
function usable(settings, path, report) {
  const values = {};
  for (const [key, fits] of Object.entries(KEYS)) {
    if (!Object.hasOwn(settings, key)) continue;
    if (fits(settings[key])) values[key] = settings[key];
    else report.notice(path, 'settings-broken', `${key} has the wrong type`);
  }
  return values;
}
