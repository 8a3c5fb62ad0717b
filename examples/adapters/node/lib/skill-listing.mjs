// The listing of skills. [CTX-060 to CTX-067]

import { compareNames } from './bytes.mjs';
import { cutAtUnits, isBlank } from './text.mjs';
import { Variables } from './variables.mjs';

const BUDGET = 'SLASH_COMMAND_TOOL_CHAR_BUDGET';
const UNITS_PER_TOKEN = 4;
const UNKNOWN_WINDOW_BUDGET = 8_000;
const MAX_DESCRIPTION = 250;
const LEAST_SHARE = 20;

/** The first units of a text, the sign for a cut among them. */
const shorten = (text, limit) => (text.length <= limit ? text : `${text.slice(0, cutAtUnits(text, limit - 1))}…`);

const lineOf = ({ name, description }) => (description === '' ? `- ${name}` : `- ${name}: ${description}`);
const sizeOf = (lines) => lines.reduce((sum, line) => sum + line.length, Math.max(0, lines.length - 1));

export function skillListing({ window, env, skills, agent, sent }, choices) {
  const reported = [];
  const budget = budgetOf(window, new Variables(env, choices, (reason, name) => reported.push({ reason, name })));
  if (budget.isReplaced) reported.push({ reason: 'replaced', name: BUDGET });
  const known = new Set(Object.hasOwn(sent, agent) ? sent[agent] : []);
  const fresh = skills.filter(({ name }) => !known.has(name)).map(capped); // [CTX-067]
  const { step, share, lines } = linesOf(fresh, budget.units);
  const names = { ...sent };
  if (fresh.length > 0) names[agent] = [...known, ...fresh.map(({ name }) => name)];
  return {
    budget: budget.units,
    step,
    share,
    lines,
    size: sizeOf(lines),
    sent: Object.fromEntries(Object.entries(names).map(([who, list]) => [who, [...new Set(list)].sort(compareNames)])),
    reported,
  };
}

/** [CTX-060, CTX-061] */
function budgetOf(window, variables) {
  const replaced = variables.whole(BUDGET);
  if (replaced !== null) return { units: replaced, isReplaced: true };
  const share = window === null ? UNKNOWN_WINDOW_BUDGET : Number((BigInt(window) * BigInt(UNITS_PER_TOKEN)) / 100n);
  return { units: share, isReplaced: false };
}

/** [CTX-062, CTX-066] */
function capped(skill) {
  const description = isBlank(skill.description) ? '' : shorten(skill.description, MAX_DESCRIPTION);
  return { ...skill, description };
}

/** {step, share, lines}. [CTX-063 to CTX-065] */
function linesOf(skills, budget) {
  const whole = skills.map(lineOf);
  const canBeCut = ({ bundled, description }) => !bundled && description !== '';
  const sharing = skills.filter(canBeCut);
  if (sizeOf(whole) <= budget || sharing.length === 0) return { step: 'full', share: null, lines: whole };
  const descriptions = sharing.reduce((sum, { description }) => sum + description.length, 0);
  const left = budget - (sizeOf(whole) - descriptions);
  const share = Math.max(0, Math.floor(left / sharing.length));
  const isNamed = share < LEAST_SHARE;
  const cut = (skill) => ({ ...skill, description: isNamed ? '' : shorten(skill.description, share) });
  const lines = skills.map((skill) => lineOf(canBeCut(skill) ? cut(skill) : skill));
  return { step: isNamed ? 'names' : 'shared', share, lines };
}
