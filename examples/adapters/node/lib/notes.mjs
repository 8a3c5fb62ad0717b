// How notes fall into sections, and what is said of their form. [CMP-131 to CMP-134]

import { isBlank } from './text.mjs';

const TITLES = [
  'Session Title',
  'Current State',
  'Task specification',
  'Files and Functions',
  'Workflow',
  'Errors & Corrections',
  'Codebase and System Documentation',
  'Learnings',
  'Key results',
  'Worklog',
];
const LATE = ['Errors & Corrections', 'Current State']; // the last to be condensed

export const TEMPLATE = TITLES.map((title) => `# ${title}\n_What belongs under ${title}_\n`).join('\n');

const linesOf = (text) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** {title, text, description, body}: the stretches, which together are the text. [CMP-133] */
export function stretchesOf(text) {
  const stretches = [];
  const seen = new Set();
  for (const line of linesOf(text)) {
    const title = titleOf(line);
    if (title !== null && !seen.has(title)) {
      seen.add(title);
      stretches.push({ title, lines: [line] });
    } else {
      if (stretches.length === 0) stretches.push({ title: '', lines: [] });
      stretches.at(-1).lines.push(line);
    }
  }
  return stretches.map(partsOf);
}

function titleOf(line) {
  if (!line.startsWith('# ')) return null;
  const title = line.slice(2).trim();
  return TITLES.includes(title) ? title : null;
}

function partsOf({ title, lines }) {
  const head = title === '' ? 0 : 1;
  const second = head === 1 ? (lines[1] ?? '').trim() : '';
  const hasDescription = second.length >= 2 && second.startsWith('_') && second.endsWith('_');
  const body = lines.slice(head + Number(hasDescription)).join('');
  return { title, text: lines.join(''), description: hasDescription ? second : null, body };
}

export const isEmpty = (stretches) => stretches.every(({ body }) => isBlank(body));

const skeleton = (stretches) =>
  JSON.stringify(stretches.filter(({ title }) => title !== '').map(({ title, description }) => [title, description]));

/** [CMP-132] */
export function isIntact(stretches, before) {
  if (before !== null) return skeleton(stretches) === skeleton(stretchesOf(before));
  const sections = stretches.filter(({ title }) => title !== '');
  const areAll = sections.map(({ title }) => title).join('\n') === TITLES.join('\n');
  return areAll && sections.every(({ description }) => description !== null);
}

/** `sizes`: {title, tokens} of the stretches. [CMP-134] */
export function condenseOf(sizes, total, { section, all }) {
  if (total <= all) return sizes.filter(({ tokens }) => tokens > section).map(({ title }) => title);
  const largest = [...sizes].sort((one, other) => other.tokens - one.tokens).map(({ title }) => title);
  const late = LATE.filter((title) => largest.includes(title));
  return [...largest.filter((title) => !late.includes(title)), ...late];
}
