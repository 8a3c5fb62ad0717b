// The window of a model, and its maximum output. [WIN-001 to WIN-007]

import { hasSuffix, rowOf } from './models.mjs';

const DEFAULT_WINDOW = 200_000;
const LARGE_WINDOW = 1_000_000;
const ASSUMED_OUTPUT = 20_000;
const BETA = 'context-1m-';
const OVERRIDE = 'CLAUDE_CODE_MAX_CONTEXT_TOKENS';
const SWITCH = 'CLAUDE_CODE_DISABLE_1M_CONTEXT';
const OUTPUT = 'CLAUDE_CODE_MAX_OUTPUT_TOKENS';

/** What is known of the model, the arguments in front of the table. */
function knownOf({ model, window, max_output: output, supports_1m: supports }) {
  const row = model.trim() === '' ? {} : rowOf(model);
  return {
    window: window ?? row.window ?? null,
    output: output ?? row.max_output ?? null,
    supports: supports ?? row.supports_1m ?? false,
  };
}

/** {window, output}. `variables` and `report` are those of the call. */
export function sizeOf(request, variables, report) {
  const known = knownOf(request);
  const window = windowOf(known, request, variables, report);
  return { window, output: outputOf(known, variables, report) };
}

/** The first that has something to say decides. [WIN-001] */
function windowOf(known, { model, betas }, variables, report) {
  const replaced = overrideOf(variables, report);
  if (replaced !== null) report('replaced', OVERRIDE);
  const isOff = variables.isOn(SWITCH);
  const wishes = { suffix: hasSuffix(model), betas: betas.some((name) => name.startsWith(BETA)) };
  const overrule = (...names) => names.forEach((name) => wishes[name] && report('overruled', name));
  const usual = known.window ?? DEFAULT_WINDOW;

  if (replaced !== null) {
    if (isOff) report('overruled', SWITCH);
    overrule('suffix', 'betas');
    return replaced;
  }
  if (isOff) {
    const acts = wishes.suffix || wishes.betas || usual > DEFAULT_WINDOW;
    report(acts ? 'lowered' : 'no-effect', SWITCH);
    overrule('suffix', 'betas');
  } else if (wishes.suffix) {
    report('extended', 'suffix');
    overrule('betas');
    return LARGE_WINDOW;
  } else if (wishes.betas) {
    report(known.supports ? 'extended' : 'not-supported', 'betas');
    if (known.supports) return LARGE_WINDOW;
  }
  if (known.window === null) report('assumed', 'window');
  return isOff ? Math.min(usual, DEFAULT_WINDOW) : usual;
}

/** [WIN-003] */
function overrideOf(variables, report) {
  if (variables.text('USER_TYPE') === 'ant') return variables.whole(OVERRIDE);
  if (variables.text(OVERRIDE) !== '') report('internal-only', OVERRIDE);
  return null;
}

/** [WIN-007] */
function outputOf(known, variables, report) {
  const replaced = variables.whole(OUTPUT);
  if (replaced !== null) report('replaced', OUTPUT);
  else if (known.output === null) report('assumed', 'max_output');
  return replaced ?? known.output ?? ASSUMED_OUTPUT;
}
