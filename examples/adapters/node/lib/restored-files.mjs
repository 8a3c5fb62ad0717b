// The files that are put back: candidates, places, sizes. [CMP-111 to CMP-117]

import { attachment, cutNotice } from './attachments.mjs';
import { beginningOf } from './beginning.mjs';
import { Documented } from './documented.mjs';
import { serialise } from './json.mjs';
import { MAX_FILE_BYTES } from './tree.mjs';

const MAX_FILES = 5;
const MAX_TOKENS = 5_000;
const MAX_SUM = 50_000;
const MICROSECONDS = 1_000;

/** In the order in which they are tried. [CMP-111, CMP-113] */
export function candidatesOf({ readState, planFiles, memoryFiles, shown, tree, choices }, report) {
  const byTime = choices['compaction.restore_recency'] === 'mtime';
  const reasons = Object.entries({ 'plan-file': planFiles, 'memory-file': memoryFiles, 'still-shown': shown });
  const paths = (byTime ? readState.paths : readState.latest).filter((path) => {
    const why = reasons.find(([, files]) => files.has(path))?.[0];
    if (why) report(why, { path });
    return !why;
  });
  if (!byTime) return paths;
  const times = new Map(paths.map((path) => [path, timeOf(tree.find(path))]));
  return paths.sort((one, other) => times.get(other) - times.get(one) || 0);
}

/** In milliseconds; what is gone, or is a chain of links without end, stands behind all others. */
function timeOf({ state, node }) {
  if (!node) return Number.MIN_SAFE_INTEGER;
  return state !== 'folder' ? Math.floor(node.mtime / MICROSECONDS) : 0;
}

/** {rows, read, tokens}: what is put back, [path, text] of what is whole, and the sum. */
export function restoreFiles(candidates, { tree, choices }, report) {
  const method = new Documented(choices);
  const done = { rows: [], read: [], tokens: 0 };
  let places = MAX_FILES;
  for (const path of candidates) {
    if (places === 0) {
      report('files-cap', { path });
      continue;
    }
    const file = readFile(tree, path, choices);
    if (file.why) {
      report(file.why, { path });
      continue;
    }
    places--;
    putBack(path, file.text, done, { method, choices, report });
  }
  return done;
}

/** {text}, null where it is too large to be read; or {why} it takes no place. [CMP-114, CMP-115] */
function readFile(tree, path, choices) {
  const { state, node } = tree.find(path);
  if (state === 'missing' || state === 'dangling') return { why: 'file-gone' };
  if (state === 'loop') return { why: 'file-unreadable' };
  if (state !== 'file') return { why: 'file-not-regular' };
  if (node.denied) return { why: 'file-unreadable' };
  if (node.size > MAX_FILE_BYTES) {
    return choices['compaction.oversize_restore'] === 'reference' ? { text: null } : { why: 'file-too-large' };
  }
  const text = tree.text(node);
  return text.includes('\0') ? { why: 'file-binary' } : { text };
}

function putBack(path, text, done, { method, choices, report }) {
  const isWhole = text !== null && method.text(text) <= MAX_TOKENS;
  const isNamed = !isWhole && choices['compaction.oversize_restore'] === 'reference';
  const shown = isWhole ? text : isNamed ? null : beginningOf(text, MAX_TOKENS, choices);
  const form = isNamed ? { type: 'file_reference', path } : { type: 'file', path, text: shown };
  const tokens = method.text(serialise(form));
  if (done.tokens + tokens > MAX_SUM) {
    report('files-sum', { path, tokens });
    return;
  }
  done.tokens += tokens;
  report(isWhole ? 'file-restored' : isNamed ? 'file-named' : 'file-cut', { path, tokens });
  const note = `${path} was read before; it is too large to be put back.`;
  if (isNamed) done.rows.push(attachment('file_reference', { path }, note));
  else done.rows.push(attachment('file', { path }, `The file ${path}:`, shown, isWhole ? '' : cutNotice(path)));
  if (isWhole) done.read.push([path, text]);
}
