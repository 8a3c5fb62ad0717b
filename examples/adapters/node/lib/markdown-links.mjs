// The parts of links: labels, targets, titles, and link reference definitions.
// Each scanner returns the index behind what it found, or -1.

const MAX_LABEL = 999;
const MAX_PARENTHESES = 32; // CommonMark asks for three at least; a bound keeps the scan linear

export const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/;

const isEscape = (text, at) => text[at] === '\\' && ASCII_PUNCTUATION.test(text[at + 1] ?? '');

/** `[label]`, without unescaped brackets inside. */
export function scanLabel(text, at) {
  if (text[at] !== '[') return -1;
  const last = at + MAX_LABEL + 1;
  for (let pos = at + 1; pos < text.length && pos <= last; pos++) {
    if (text[pos] === ']') return pos + 1;
    if (text[pos] === '[') return -1;
    if (isEscape(text, pos)) pos++;
  }
  return -1;
}

/** What two labels share that match: case folded, white space collapsed. Empty for a blank one. */
export function normaliseLabel(label) {
  return label.trim().replace(/[ \t\n]+/g, ' ').toLowerCase().toUpperCase();
}

function scanDestination(text, at) {
  if (text[at] === '<') {
    for (let pos = at + 1; pos < text.length; pos++) {
      if (text[pos] === '>') return pos + 1;
      if (text[pos] === '<' || text[pos] === '\n') return -1;
      if (isEscape(text, pos)) pos++;
    }
    return -1;
  }
  let depth = 0;
  let pos = at;
  for (; pos < text.length && text[pos] > ' ' && text[pos] !== '\x7f'; pos++) {
    if (isEscape(text, pos)) pos++;
    else if (text[pos] === '(') {
      if (++depth > MAX_PARENTHESES) return -1;
    } else if (text[pos] === ')') {
      if (depth === 0) break;
      depth--;
    }
  }
  return depth > 0 ? -1 : pos;
}

const TITLE_ENDS = { '"': '"', "'": "'", '(': ')' };

function scanTitle(text, at) {
  const open = text[at];
  const close = TITLE_ENDS[open];
  if (close === undefined) return -1;
  for (let pos = at + 1; pos < text.length; pos++) {
    if (text[pos] === close) return pos + 1;
    if (text[pos] === '(' && open === '(') return -1;
    if (isEscape(text, pos)) pos++;
  }
  return -1;
}

export function skipBlanks(text, at) {
  let pos = at;
  while (text[pos] === ' ' || text[pos] === '\t') pos++;
  return pos;
}

/** Blanks and at most one line end. */
function skipSpace(text, at) {
  const pos = skipBlanks(text, at);
  return text[pos] === '\n' ? skipBlanks(text, pos + 1) : pos;
}

/** `(target "title")` behind the text of a link. */
export function scanInlineTarget(text, at) {
  if (text[at] !== '(') return -1;
  const start = skipSpace(text, at + 1);
  const target = scanDestination(text, start);
  if (target < 0) return -1;
  let pos = skipSpace(text, target);
  if (pos > target) {
    const title = scanTitle(text, pos);
    if (title >= 0) pos = skipSpace(text, title);
  }
  return text[pos] === ')' ? pos + 1 : -1;
}

/** Adds the labels of the definitions at the head of a paragraph; returns where its text begins. */
export function takeDefinitions(text, labels) {
  let at = 0;
  while (text[at] === '[') {
    const end = takeDefinition(text, at, labels);
    if (end < 0) break;
    at = end;
  }
  return at;
}

function takeDefinition(text, at, labels) {
  const colon = scanLabel(text, at);
  if (colon < 0 || text[colon] !== ':') return -1;
  const label = normaliseLabel(text.slice(at + 1, colon - 1));
  const start = skipSpace(text, colon + 1);
  const target = scanDestination(text, start);
  if (label === '' || target <= start) return -1;
  const titleStart = skipSpace(text, target);
  const title = titleStart > target ? scanTitle(text, titleStart) : -1;
  const behindTitle = title < 0 ? -1 : lineEnd(text, title);
  const end = behindTitle < 0 ? lineEnd(text, target) : behindTitle;
  if (end >= 0) labels.add(label);
  return end;
}

/** The index behind a line end before which only blanks stand. */
function lineEnd(text, at) {
  const pos = skipBlanks(text, at);
  if (pos >= text.length) return pos;
  return text[pos] === '\n' ? pos + 1 : -1;
}
