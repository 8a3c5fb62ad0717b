// The block between lines of dashes at the head of a file.

import { parseYaml, YamlError } from './yaml.mjs';

const OPENING = /^---[ \t]*\r?\n/;
const CLOSING = /---[ \t]*(?:\r?\n|$)/y;

/** {block, text}; `block` is null where the text has no frontmatter. [MEM-040] */
export function splitFrontmatter(text) {
  const opening = OPENING.exec(text)?.[0];
  if (opening === undefined) return { block: null, text };
  const start = opening.length;
  for (let line = start; line > 0; line = text.indexOf('\n', line) + 1) {
    CLOSING.lastIndex = line;
    if (CLOSING.test(text)) {
      return { block: text.slice(start, line), text: text.slice(line + 3).trimStart() };
    }
  }
  return { block: null, text };
}

/** The value of `paths` as a YAML node, if any, and whether the block failed twice. [MEM-044, MEM-045] */
export function readPaths(block) {
  const root = tryParse(block) ?? tryParse(repair(block));
  if (!root) return { node: null, invalid: true };
  const entries = root.kind === 'map' ? root.entries : [];
  const entry = entries.find(([key]) => key.type === 'string' && key.value === 'paths'); // [MEM-041]
  return { node: entry ? entry[1] : null, invalid: false };
}

function tryParse(block) {
  try {
    return parseYaml(block);
  } catch (error) {
    if (error instanceof YamlError) return null;
    throw error;
  }
}

const KEY_LINE = /^([A-Za-z_-]+):[ \t]+(.*)$/s;
const NEEDS_QUOTES = /[{}[\]*&#!|>%@`]|:[ \t]/;

/** Puts the values of a block that failed into quotes, line by line. [MEM-044] */
function repair(block) {
  return block.split('\n').map(repairLine).join('\n');
}

function repairLine(line) {
  const end = line.endsWith('\r') ? '\r' : '';
  const found = KEY_LINE.exec(end ? line.slice(0, -1) : line);
  if (!found) return line;
  const value = stripBlanks(found[2]);
  if (isQuoted(value) || !NEEDS_QUOTES.test(value)) return line;
  return `${found[1]}: "${value.replace(/[\\"]/g, '\\$&')}"${end}`;
}

function stripBlanks(text) {
  let start = 0;
  let end = text.length;
  const blank = (at) => text[at] === ' ' || text[at] === '\t';
  while (start < end && blank(start)) start++;
  while (end > start && blank(end - 1)) end--;
  return text.slice(start, end);
}

function isQuoted(value) {
  const first = value[0];
  return value.length >= 2 && (first === '"' || first === "'") && value.at(-1) === first;
}
