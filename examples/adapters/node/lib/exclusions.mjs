// claudeMdExcludes: globs on the whole absolute path. A dialect of its own. [MEM-062 to MEM-064]

import { expandBraces } from './braces.mjs';
import { ANY_DEPTH, characters, compileComponent, matchPrefixes } from './glob.mjs';
import { splitAtSlashes } from './path-patterns.mjs';

const EXACT_CASE = { ignoreCase: false };
const FIRST_WILDCARD = /[*?[{]/;

export class Exclusions {
  #patterns;
  #paths;
  #known = new Map();

  constructor(sources, tree) {
    this.#paths = tree.paths;
    this.#patterns = sources.map((source) => compile(source, tree));
  }

  /** Does any pattern match? There is no order among them. [MEM-064] */
  matches(path) {
    if (this.#patterns.length === 0) return false;
    let excluded = this.#known.get(path);
    if (excluded === undefined) {
      const names = namesOf(path, this.#paths);
      const matchesAny = (alternatives) => alternatives.some((one) => matchPrefixes(one, names).at(-1));
      excluded = this.#patterns.some(({ alternatives, negated }) => matchesAny(alternatives) !== negated);
      this.#known.set(path, excluded);
    }
    return excluded;
  }
}

function namesOf(path, paths) {
  const components = paths.withSlashes(path).split('/').filter((name) => name !== '');
  return components.map((name) => characters(name, false));
}

function compile(source, tree) {
  const body = source.replace(/^!+/, '');
  const bangs = source.length - body.length;
  const sources = [body];
  if (bangs === 0 && isAbsolute(body, tree.paths)) sources.push(withRealFolder(body, tree));
  const expanded = sources.flatMap((one) => expandBraces(one, 'nested') ?? [one]);
  const alternatives = expanded.map((one) => compileAlternative(one, tree.paths)).filter(Boolean);
  return { alternatives, negated: bangs % 2 === 1 };
}

/** The components of a pattern without braces; null for a relative one, which matches nothing. */
function compileAlternative(pattern, paths) {
  if (!isAbsolute(pattern, paths) && !pattern.startsWith('**')) return null;
  const parts = splitAtSlashes(pattern.replace(/^\/+/, ''));
  const [first] = parts;
  if (/^[a-z]:$/.test(first) && paths.separator !== '/') parts[0] = first.toUpperCase(); // [MEM-112]
  const components = parts.map((part) => (part === '**' ? ANY_DEPTH : compileComponent(part, EXACT_CASE)));
  return components.includes(null) ? null : components;
}

function isAbsolute(pattern, paths) {
  return paths.separator === '/' ? pattern.startsWith('/') : /^(?:[A-Za-z]:\/|\/\/)/.test(pattern);
}

/** The second form: the folder before the first wildcard is replaced by its real path. [MEM-063] */
function withRealFolder(pattern, tree) {
  const wildcard = pattern.search(FIRST_WILDCARD);
  const end = pattern.lastIndexOf('/', wildcard < 0 ? pattern.length : wildcard);
  const folder = unescape(pattern.slice(0, end));
  const found = folder !== '' && tree.paths.isAbsolute(folder) ? tree.find(folder) : { state: 'missing' };
  if (found.state !== 'folder') return pattern;
  return escape(tree.paths.withSlashes(found.real)).replace(/\/$/, '') + pattern.slice(end);
}

const unescape = (pattern) => pattern.replace(/\\(.)/gs, '$1');
const escape = (path) => path.replace(/[\\*?[\]{}!^]/g, '\\$&');
