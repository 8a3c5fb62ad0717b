// Reserve and thresholds. [WIN-010 to WIN-018]

import { percentOf, Variables } from './variables.mjs';
import { sizeOf } from './window-size.mjs';

/** The buffers, in tokens; a program can make them smaller. */
const BUFFERS = { reserve: 20_000, auto: 13_000, warning: 20_000, blocking: 3_000 };

const COMPACT_WINDOW = 'CLAUDE_CODE_AUTO_COMPACT_WINDOW';
const PERCENTAGE = 'CLAUDE_AUTOCOMPACT_PCT_OVERRIDE';
const BLOCKING = 'CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE';

/** {limits, base, reported}; `limits` is the result of window.limits without what is reported. */
export function limitsOf(request, choices, buffers = BUFFERS) {
  const reported = [];
  const report = (reason, name) => reported.push({ reason, name });
  const variables = new Variables(request.env, choices, report);
  const atLeast0 = (amount, name) => {
    if (amount < 0) report('clamped', name);
    return Math.max(0, amount);
  };

  const { window, output } = sizeOf(request, variables, report);
  const compactWindow = compactWindowOf(window, variables, report);
  const reserve = Math.min(output, buffers.reserve); // [WIN-011]
  const effective = atLeast0(compactWindow - reserve, 'effective'); // [WIN-012]
  const usual = atLeast0(effective - buffers.auto, 'auto'); // [WIN-013]
  const auto = loweredOf(usual, effective, variables, report);
  const replaced = variables.whole(BLOCKING); // [WIN-016]
  if (replaced !== null) report('replaced', BLOCKING);
  const blocking = replaced ?? atLeast0(effective - buffers.blocking, 'blocking');
  const { enabled, manual } = switchesOf(variables, request.settings, report);
  const base = enabled || choices['window.warning_base'] === 'auto' ? auto : effective; // [WIN-015]
  const warning = atLeast0(base - buffers.warning, 'warning');
  const error = atLeast0(base - buffers.warning, 'error');

  const limits = { window, compact_window: compactWindow, max_output: output, reserve, effective };
  return { limits: { ...limits, warning, error, auto, blocking, enabled, manual }, base, reported };
}

/** [WIN-010] */
function compactWindowOf(window, variables, report) {
  const value = variables.whole(COMPACT_WINDOW);
  if (value === null) return window;
  report(value < window ? 'lowered' : 'no-effect', COMPACT_WINDOW);
  return Math.min(window, value);
}

/** [WIN-014] */
function loweredOf(usual, effective, variables, report) {
  const percentage = variables.percentage(PERCENTAGE);
  if (percentage === null) return usual;
  const share = percentOf(effective, percentage);
  report(share < usual ? 'lowered' : 'no-effect', PERCENTAGE);
  return Math.min(usual, share);
}

/** [WIN-018] */
function switchesOf(variables, settings, report) {
  const isOff = {};
  for (const name of ['DISABLE_COMPACT', 'DISABLE_AUTO_COMPACT']) isOff[name] = variables.isOn(name);
  const setting = settings.autoCompactEnabled ?? true;
  if (typeof setting !== 'boolean') report('bad-setting', 'autoCompactEnabled');
  isOff.autoCompactEnabled = setting === false;

  const off = Object.keys(isOff).filter((name) => isOff[name]);
  for (const name of off) report('switched-off', name);
  return { enabled: off.length === 0, manual: !isOff.DISABLE_COMPACT };
}
