// Finds what a text mentions. [MEM-072 to MEM-079]

import { allTextRuns } from './markdown.mjs';

/** A text with more marks than this is left unsearched. [MEM-092] */
const MAX_MARKUP = 100_000;

const MARKUP = /[*_[\]`<\\]/g;
const WHITE = /\s/g;
const STARTS_PATH = /^(?:[A-Za-z0-9._/-]|~\/)/;

/** The mentioned paths in order, or null if the text has too much markup to be searched. */
export function findMentions(text) {
  if (!text.includes('@')) return [];
  if (hasTooMuchMarkup(text)) return null;
  const mentions = [];
  for (const run of allTextRuns(text)) addMentions(run, mentions);
  return mentions;
}

function hasTooMuchMarkup(text) {
  if (text.length <= MAX_MARKUP) return false;
  MARKUP.lastIndex = 0;
  for (let count = 0; count <= MAX_MARKUP; count++) if (!MARKUP.test(text)) return false;
  return true;
}

function addMentions(run, mentions) {
  for (let at = run.indexOf('@'); at >= 0; at = run.indexOf('@', at)) {
    const start = at + 1;
    if (at > 0 && !/\s/.test(run[at - 1])) {
      at = start; // [MEM-072]
      continue;
    }
    at = endOfMention(run, start);
    const path = unescapeBlanks(run.slice(start, at).split('#', 1)[0]); // [MEM-074]
    if (STARTS_PATH.test(path) && path !== '/') mentions.push(path); // [MEM-075]
  }
}

/** The next white space that is no blank behind a backslash. */
function endOfMention(run, start) {
  WHITE.lastIndex = start;
  for (let found = WHITE.exec(run); found; found = WHITE.exec(run)) {
    const protectedBlank = found[0] === ' ' && found.index > start && run[found.index - 1] === '\\';
    if (!protectedBlank) return found.index;
  }
  return run.length;
}

const unescapeBlanks = (path) => path.replaceAll('\\ ', ' ');
