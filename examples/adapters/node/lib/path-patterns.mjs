// The patterns of conditional rules, from the value of `paths` to a match. [MEM-047 to MEM-059]

import { expandBraces } from './braces.mjs';
import { ANY_DEPTH, characters, compileComponent, matchPrefixes } from './glob.mjs';

const IGNORE_CASE = { ignoreCase: true };
const DEEP = /^\*{2,}$/; // more stars than two are worth two [MEM-052]

/**
 * {patterns, literal}: the effective patterns of a `paths` value (a YAML node or null), none for
 * an unconditional rule; and the pieces that would expand to too many patterns.
 */
export function effectivePatterns(node, nesting) {
  const literal = [];
  const patterns = [];
  for (const piece of stringsOf(node).flatMap(splitAtCommas)) {
    const expanded = expandBraces(piece, nesting);
    if (!expanded) literal.push(piece); // [MEM-056]
    for (const pattern of expanded ?? [piece]) {
      const short = pattern.endsWith('/**') ? pattern.slice(0, -3) : pattern; // [MEM-049]
      if (short !== '') patterns.push(short);
    }
  }
  return { patterns: patterns.every((pattern) => pattern === '**') ? [] : patterns, literal };
}

/** Items that are no strings are left out, and so is any other value. [MEM-047] */
function stringsOf(node) {
  const items = node?.kind === 'seq' ? node.items : [node];
  return items.filter((item) => item?.type === 'string').map((item) => item.value);
}

/** Parts a string at the commas outside braces; a backslash means nothing here. [MEM-048] */
function splitAtCommas(text) {
  const pieces = [];
  let level = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') level++;
    else if (text[at] === '}') level = Math.max(0, level - 1);
    else if (text[at] === ',' && level === 0) {
      pieces.push(text.slice(from, at));
      from = at + 1;
    }
  }
  pieces.push(text.slice(from));
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

/**
 * Does a list of patterns, in the manner of one gitignore file, take in a path? `relative` is the
 * path below the base, with `/` between components. Patterns are compiled one by one and not kept:
 * a short line of braces may stand for a thousand long ones. [MEM-050]
 */
export function matchesPatterns(patterns, relative) {
  if (relative === null || relative === '' || relative.startsWith('..')) return false; // a test on the text [MEM-058]
  const names = relative.split('/').map((name) => characters(name, true));
  const taken = new Array(names.length + 1).fill(false); // by the last pattern that matches [MEM-053]
  for (const source of patterns) {
    const pattern = compile(source);
    if (!pattern) continue;
    for (const [depth, matches] of matchPrefixes(pattern.components, names).entries()) {
      const fits = depth > 0 && (depth < names.length || !pattern.foldersOnly);
      if (matches && fits) taken[depth] = !pattern.negated;
    }
  }
  return taken.includes(true); // a folder that is matched, or the target [MEM-051]
}

/** {components, negated, foldersOnly}, or null for a pattern that matches nothing. [MEM-052, MEM-054] */
function compile(source) {
  if (source.startsWith('#')) return null;
  const negated = source.startsWith('!');
  const parts = splitAtSlashes(negated ? source.slice(1) : source);
  const foldersOnly = parts.length > 1 && parts.at(-1) === '';
  if (foldersOnly) parts.pop();
  const anchored = parts.length > 1;
  if (anchored && parts[0] === '') parts.shift();
  if (parts.length === 1 && parts[0] === '') return null;

  const components = parts.map((part) => (DEEP.test(part) ? ANY_DEPTH : compileComponent(part, IGNORE_CASE)));
  if (components.includes(null)) return null;
  if (!anchored) components.unshift(ANY_DEPTH);
  // At the end two stars stand for something below, not for nothing.
  if (components.at(-1) === ANY_DEPTH) components.push(compileComponent('*', IGNORE_CASE));
  return { components, negated, foldersOnly };
}

/** The components of a pattern; a backslash and what it escapes stay together, an escaped slash is one. */
export function splitAtSlashes(pattern) {
  const parts = [''];
  for (let at = 0; at < pattern.length; at++) {
    const escaped = pattern[at] === '\\' && at + 1 < pattern.length;
    const character = escaped ? pattern[++at] : pattern[at];
    if (character === '/') parts.push('');
    else parts[parts.length - 1] += escaped ? `\\${character}` : character;
  }
  return parts;
}
