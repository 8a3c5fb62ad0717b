// What both dialects of patterns share: one component of a path against one component of a
// pattern, and a row of components against a row of them. Neither ever takes more than the
// product of both lengths.

/** A component that stands for any number of components. */
export const ANY_DEPTH = Symbol('**');

// One character against one: a form that is longer than its character is no counterpart.
const oneForOne = (form, character) => (form.length === character.length ? form : character);
const FOLD = (character) => oneForOne(character.toLowerCase(), character);
const RAISE = (character) => oneForOne(character.toUpperCase(), character);
const KEEP = (character) => character;

/** The characters of a name, as a compiled component compares them. */
export function characters(name, ignoreCase) {
  return Array.from(name, ignoreCase ? FOLD : KEEP);
}

const STAR = Symbol('*');
const ONE = { accepts: () => true };

/**
 * A component compiled to tokens: characters, STAR, and what `accepts` one character of several.
 * Null if it ends in a backslash that escapes nothing.
 */
export function compileComponent(source, { ignoreCase }) {
  const tokens = [];
  const fold = ignoreCase ? FOLD : KEEP;
  const literal = (character) => tokens.push(fold(character));
  const all = Array.from(source);
  const dead = new Set(); // places from which no end of a class can be reached
  for (let at = 0; at < all.length; at++) {
    const character = all[at];
    if (character === '*') {
      if (tokens.at(-1) !== STAR) tokens.push(STAR);
    } else if (character === '?') tokens.push(ONE);
    else if (character === '\\') {
      if (++at >= all.length) return null;
      literal(all[at]);
    } else if (character === '[') {
      const found = parseClass(all, at, ignoreCase, dead);
      if (found) {
        tokens.push(found);
        at = found.end;
      } else literal(character);
    } else literal(character);
  }
  return tokens;
}

function matchComponent(tokens, name) {
  let token = 0;
  let at = 0;
  let star = -1; // the last star, and from where it was tried last
  let tried = 0;
  while (at < name.length) {
    if (tokens[token] === STAR) {
      star = token++;
      tried = at;
    } else if (token < tokens.length && accepts(tokens[token], name[at])) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++tried;
    } else return false;
  }
  while (tokens[token] === STAR) token++;
  return token === tokens.length;
}

const accepts = (token, character) => token === character || (typeof token === 'object' && token.accepts(character));

/**
 * Says for each number of leading components whether the pattern matches exactly those.
 * `components` are compiled ones or ANY_DEPTH; `names` come from `characters`.
 */
export function matchPrefixes(components, names) {
  const end = components.length;
  let states = new Uint8Array(end + 1);
  let next = new Uint8Array(end + 1);
  states[0] = 1;
  skipDepths(components, states);
  const matched = [states[end] === 1];
  for (const name of names) {
    next.fill(0);
    for (let at = 0; at < end; at++) {
      if (!states[at]) continue;
      if (components[at] === ANY_DEPTH) next[at] = 1;
      else if (matchComponent(components[at], name)) next[at + 1] = 1;
    }
    skipDepths(components, next);
    [states, next] = [next, states];
    matched.push(states[end] === 1);
  }
  return matched;
}

/** ANY_DEPTH may stand for no component at all. */
function skipDepths(components, states) {
  for (let at = 0; at < components.length; at++) if (states[at] && components[at] === ANY_DEPTH) states[at + 1] = 1;
}

// --- classes -------------------------------------------------------------------------------------

const NAMED = {
  alnum: /[A-Za-z0-9]/, alpha: /[A-Za-z]/, digit: /[0-9]/, lower: /[a-z]/, punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/, upper: /[A-Z]/, xdigit: /[0-9A-Fa-f]/,
};

/** The class that begins at `start`: {accepts, end}; null if it has no end or no member. [MEM-054] */
function parseClass(all, start, ignoreCase, dead) {
  let at = start + 1;
  const negated = all[at] === '^';
  if (negated) at++;
  const tests = [];
  const visited = [];
  for (;;) {
    if (at >= all.length || dead.has(at)) {
      for (const place of visited) dead.add(place);
      return null;
    }
    if (all[at] === ']') break;
    visited.push(at);
    const named = namedClass(all, at);
    if (named) {
      tests.push((character) => named.pattern.test(character));
      at = named.end;
      continue;
    }
    const low = member(all, at);
    at = low.end;
    const high = all[at] === '-' && at + 1 < all.length && all[at + 1] !== ']' ? member(all, at + 1) : low;
    at = high.end;
    const [from, to] = [low.code, high.code]; // one that runs backwards holds nothing
    tests.push((character) => character.codePointAt(0) >= from && character.codePointAt(0) <= to);
  }
  if (tests.length === 0) return null;
  const has = (character) => tests.some((test) => test(character));
  const anyCase = (character) => has(character) || has(FOLD(character)) || has(RAISE(character));
  const found = ignoreCase ? anyCase : has;
  return { accepts: (character) => found(character) !== negated, end: at };
}

function member(all, at) {
  const escaped = all[at] === '\\' && at + 1 < all.length;
  return { code: all[escaped ? at + 1 : at].codePointAt(0), end: at + (escaped ? 2 : 1) };
}

function namedClass(all, at) {
  if (all[at] !== '[' || all[at + 1] !== ':') return null;
  const [, name] = /^\[:([a-z]{1,6}):\]/.exec(all.slice(at, at + 10).join('')) ?? [];
  return name !== undefined && Object.hasOwn(NAMED, name) ? { pattern: NAMED[name], end: at + name.length + 4 } : null;
}
