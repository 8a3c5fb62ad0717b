// Whether notes are due, and what their update has to look after. [CMP-130 to CMP-136]

import { Documented } from './documented.mjs';
import { condenseOf, isEmpty, isIntact, stretchesOf } from './notes.mjs';
import { decision } from './row-changes.mjs';

export const LIMITS = { section: 2_000, all: 12_000 };
const START = 10_000;
const GROWTH = 5_000;
const MIN_CALLS = 3;

export function notesState({ text, before, folder, choices, ...facts }) {
  const method = new Documented(choices);
  const stretches = stretchesOf(text);
  const sections = stretches.map(({ title, text: own }) => ({ title, tokens: method.text(own) }));
  const tokens = method.text(text);
  const why = whyOf(facts);
  const decisions = sections
    .filter((section) => section.tokens > LIMITS.section)
    .map((section) => decision('summary', 'section-over', { id: section.title, tokens: section.tokens }));
  if (tokens > LIMITS.all) decisions.push(decision('summary', 'notes-over', { tokens }));
  return {
    due: why === 'extraction-due',
    why,
    ...(folder !== null && { path: `${folder.replace(/\/+$/, '')}/session-memory/summary.md` }),
    sections,
    tokens,
    condense: condenseOf(sections, tokens, LIMITS),
    intact: isIntact(stretches, before),
    empty: isEmpty(stretches),
    decisions,
  };
}

/** [CMP-135, CMP-136] */
function whyOf({ isOn, source, size, since }) {
  if (!isOn) return 'notes-off';
  if (source === 'session_memory' || source === 'compact') return 'notes-own-fork';
  if (since.tokens === null) return size >= START ? 'extraction-due' : 'below-start';
  if (size - since.tokens < GROWTH) return 'below-growth';
  return since.calls >= MIN_CALLS || !since.lastTurnHasCall ? 'extraction-due' : 'too-few-calls';
}
