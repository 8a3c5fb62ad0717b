// The functions of the area window.

import { autoContinue } from './auto-continue.mjs';
import { budgetOf } from './budget.mjs';
import { invalidArgument } from './errors.mjs';
import { makeGates } from './gates.mjs';
import { readWindow } from './window-arguments.mjs';
import { limitsOf } from './window-limits.mjs';
import { stateOf } from './window-state.mjs';

const withReported = (result, reported) => ({ ...result, ...(reported.length > 0 && { reported }) });

export const WINDOW_FUNCTIONS = {
  'window.limits'(args, choices) {
    const { limits, reported } = limitsOf(readWindow(args), choices);
    return withReported(limits, reported);
  },

  'window.state'(args, choices) {
    const known = limitsOf(readWindow(args), choices);
    if (args.used === undefined) throw invalidArgument('used is missing');
    const state = stateOf(known, args.used, args.freed);
    return withReported(state, known.reported);
  },

  'window.budget'({ text }) {
    if (typeof text !== 'string') throw invalidArgument('text is missing or no text');
    return { budget: budgetOf(text) };
  },

  'window.auto_continue'({ totals, budget, sub_agent: subAgent }, choices, config) {
    if (!Array.isArray(totals)) throw invalidArgument('totals is missing or no list');
    const isSubAgent = subAgent ?? false;
    if (typeof isSubAgent !== 'boolean') throw invalidArgument('sub_agent is neither true nor false');
    return autoContinue({ totals, budget, isSubAgent, isGateOpen: makeGates(config.gates).token_budget });
  },
};
