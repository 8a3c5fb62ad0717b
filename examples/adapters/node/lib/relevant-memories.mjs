// Memories that are looked up. [CTX-050 to CTX-056]

import { invalidArgument } from './errors.mjs';
import { isObject } from './json.mjs';
import { cutAttached } from './nested-cut.mjs';
import { contentOf, viewStart } from './rows.mjs';
import { utf8Length } from './text.mjs';
import { typed } from './typed.mjs';

const AT_MOST = 5;
const MAX_TOTAL_BYTES = 61_440;

/** A memory as it is surfaced, without the note. [CTX-045] */
export function cutMemory(text) {
  const shown = cutAttached(text);
  return { text: shown, bytes: utf8Length(shown), cut: shown !== text };
}

/** {paths, bytes} of what the view shows. [CTX-050] */
function surfacedIn(rows) {
  const isMemory = (row) => isObject(row) && row.role === 'attachment' && row.attachment === 'relevant_memory';
  const shown = rows.slice(viewStart(rows)).filter(isMemory);
  return {
    paths: new Set(shown.map(({ path }) => path)),
    bytes: shown.reduce((sum, row) => sum + bytesOf(row), 0),
  };
}

/** What a row says of its bytes, else the bytes of its text. */
function bytesOf(row) {
  if (Number.isSafeInteger(row.bytes) && row.bytes >= 0) return row.bytes;
  const content = contentOf(row);
  const texts = Array.isArray(content) ? content.filter(isObject).map(({ text }) => text) : [content];
  return texts.filter((text) => typeof text === 'string').reduce((sum, text) => sum + utf8Length(text), 0);
}

export function readFolder(folder) {
  if (!isObject(folder)) throw invalidArgument('a folder is no object');
  const files = typed(folder, 'files', 'objects', []).map((file) => ({
    path: typed(file, 'path', 'text'),
    text: typed(file, 'text', 'text'),
  }));
  return { files, picks: typed(folder, 'picks', 'texts', null) };
}

export function relevantMemories({ rows, folders, read }) {
  const shown = surfacedIn(rows);
  const leftOut = [];
  const drop = (path, reason) => leftOut.push({ path, reason });
  const candidates = folders.map(({ files }) => files.map(({ path }) => path).filter((path) => !shown.paths.has(path)));

  const joined = new Map(); // path -> file
  for (const { files, picks } of folders) {
    const earlier = new Set(joined.keys());
    for (const file of picked(files, picks, drop)) {
      if (earlier.has(file.path)) drop(file.path, 'duplicate'); // [CTX-053]
      else joined.set(file.path, file);
    }
  }
  const fits = ({ path }) => {
    const reason = read.includes(path) ? 'read' : shown.paths.has(path) ? 'surfaced' : null; // [CTX-052]
    if (reason !== null) drop(path, reason);
    return reason === null;
  };
  const left = [...joined.values()].filter(fits);
  for (const { path } of left.slice(AT_MOST)) drop(path, 'beyond-five');

  let total = shown.bytes;
  const surfaced = [];
  for (const { path, text } of left.slice(0, AT_MOST)) {
    const memory = cutMemory(text);
    if (total + memory.bytes > MAX_TOTAL_BYTES) {
      drop(path, 'byte-total'); // [CTX-055]
      continue;
    }
    total += memory.bytes;
    surfaced.push({ path, ...memory });
  }
  return { candidates, surfaced, left_out: leftOut, total };
}

/** The files that one selector named. [CTX-054, CTX-056] */
function picked(files, picks, drop) {
  if (picks === null) {
    drop(null, 'selector-failed');
    return [];
  }
  const seen = new Set();
  const kept = [];
  for (const path of picks) {
    const file = files.find((one) => one.path === path);
    if (file === undefined) drop(path, 'unknown');
    else if (seen.has(path)) drop(path, 'duplicate');
    else if (kept.length === AT_MOST) drop(path, 'beyond-five');
    else kept.push(file);
    seen.add(path);
  }
  return kept;
}
