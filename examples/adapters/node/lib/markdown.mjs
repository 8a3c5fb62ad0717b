// The two things that memory asks of Markdown: its block comments, and its text runs.

import { scanBlocks } from './markdown-blocks.mjs';
import { COMMENT_BLOCK } from './markdown-html.mjs';
import { textRuns } from './markdown-inline.mjs';

const withLineFeeds = (text) => text.replace(/\r\n?/g, '\n');

/** The text runs of all blocks, in order. [MEM-073] */
export function* allTextRuns(text) {
  const contents = [];
  const labels = scanBlocks(withLineFeeds(text), (leaf) => {
    if (leaf.type === 'inline' && leaf.content.includes('@')) contents.push(leaf.content);
  });
  for (const content of contents) yield* textRuns(content, labels);
}

// What is removed may bring another comment to light; that many times it is looked for. [MEM-103]
const MAX_REMOVALS = 100;

/** The text without its block comments; without any, the very same text. [MEM-102, MEM-103] */
export function removeComments(text) {
  if (!text.includes('<!--')) return text;
  let before = withLineFeeds(text);
  for (let removals = 0; removals < MAX_REMOVALS; removals++) {
    const after = removeOnce(before);
    if (after === before) return removals === 0 ? text : after; // [MEM-105]
    before = after;
  }
  return before;
}

function removeOnce(text) {
  const kept = [];
  let from = 0;
  scanBlocks(text, (leaf) => {
    if (leaf.type !== 'html' || leaf.kind !== COMMENT_BLOCK || leaf.level > 0) return;
    const block = text.slice(leaf.start, leaf.end);
    const rest = withoutComments(block);
    if (rest === block) return;
    kept.push(text.slice(from, leaf.start));
    from = leaf.end;
    if (/\S/.test(rest)) kept.push(rest);
    else while (text[from] === '\n') from++; // a blank block goes with the line ends behind it
  });
  return from === 0 && kept.length === 0 ? text : kept.join('') + text.slice(from);
}

/** Each `<!--`, and what follows up to the first `-->` that begins behind its four characters. */
function withoutComments(block) {
  let rest = '';
  let from = 0;
  for (;;) {
    const start = block.indexOf('<!--', from);
    const end = start < 0 ? -1 : block.indexOf('-->', start + 4);
    if (end < 0) return from === 0 ? block : rest + block.slice(from);
    rest += block.slice(from, start);
    from = end + 3;
  }
}
