// Which tools are told by name alone. [CTX-070 to CTX-075]

import { serialise } from './json.mjs';
import { toWire } from './usage.mjs';

const SWITCH = 'ENABLE_TOOL_SEARCH';
const USUAL_PERCENT = 10;
const OWN_HOST = 'api.anthropic.com';
const ALWAYS = { mode: 'always' };
const NEVER = { mode: 'never' };

export function deferral({ tools, window, model, baseUrl, variables }, method, choices) {
  const reported = [];
  const wish = wishOf(variables.text(SWITCH));
  if (wish.reason !== undefined) reported.push({ reason: wish.reason, name: SWITCH });
  const isForeign = baseUrl !== '' && hostOf(baseUrl) !== OWN_HOST;
  const isNever = model.toLowerCase().includes('haiku') || (isForeign && !wish.isSet); // [CTX-074]
  const { mode, percent } = isNever ? NEVER : wish;

  const grounds = tools.map(groundOf);
  const measured = tools.filter((_tool, at) => grounds[at].can_be_deferred);
  const tokens = measured.reduce((sum, tool) => sum + BigInt(tokensOf(tool, method)), 0n);
  const threshold = mode === 'threshold' ? (BigInt(window) * BigInt(percent)) / 100n : null; // [CTX-072]
  const isAbove = threshold !== null && (choices['tools.defer_edge'] === 'at' ? tokens >= threshold : tokens > threshold);
  const on = mode === 'always' || isAbove;
  return {
    mode,
    threshold: threshold === null ? null : toWire(threshold),
    tokens: toWire(tokens),
    on,
    tools: tools.map(({ name }, at) => ({ name, ...grounds[at], deferred: on && grounds[at].can_be_deferred })),
    reported,
  };
}

/** What the variable says: a mode, whether it was set to something known, what is odd. [CTX-071, CTX-075] */
function wishOf(written) {
  const word = written.trim().toLowerCase();
  if (word === '') return ALWAYS;
  const percent = /^auto:([0-9]{1,3})$/.exec(word)?.[1];
  if (word === 'true' || percent === '0') return { ...ALWAYS, isSet: true };
  if (word === 'false' || percent === '100') return { ...NEVER, isSet: true };
  if (word === 'auto') return { mode: 'threshold', percent: USUAL_PERCENT, isSet: true };
  if (percent >= 1 && percent <= 99) return { mode: 'threshold', percent: Number(percent), isSet: true };
  return { ...ALWAYS, reason: word.startsWith('auto:') ? 'out-of-range' : 'no-switch' };
}

function hostOf(address) {
  return URL.canParse(address) ? new URL(address).hostname : null;
}

/** The first line that speaks about a tool. [CTX-070] */
function groundOf(tool) {
  const says = (can, ground) => ({ can_be_deferred: can, ground });
  if (tool.alwaysLoad) return says(false, 'always-load');
  if (tool.server !== null) return says(true, 'mcp');
  if (tool.name === 'ToolSearch') return says(false, 'search-itself');
  if (tool.featureBound) return says(false, 'feature-bound');
  return says(tool.defer, 'own-flag');
}

/** [CTX-073] */
function tokensOf({ tokens, definition }, method) {
  if (tokens !== null) return tokens;
  return definition === null ? 0 : method.text(serialise(definition));
}
