// Programs: a sequence of steps on sessions, run as a whole. [protocol.md, program]

import { CallError, invalidArgument } from './errors.mjs';
import { isObject } from './json.mjs';
import { readConfig } from './program-config.mjs';
import { Session } from './program-session.mjs';
import { STEPS } from './program-steps.mjs';

const MAX_STEPS = 1_000;
const FIRST_SESSION = 'a';

/** The trace: one outcome for each step. */
export function runProgram({ config, steps }, choices) {
  const known = readConfig(config, choices);
  if (!Array.isArray(steps) || steps.length > MAX_STEPS) throw invalidArgument('steps is no list of at most 1,000');
  const sessions = new Map();
  return steps.map((step) => {
    try {
      return { ok: runStep(step, sessions, known) };
    } catch (error) {
      if (error instanceof CallError) return { error: { kind: error.kind, message: error.message } };
      throw error;
    }
  });
}

function runStep(step, sessions, config) {
  const [name, args] = Array.isArray(step) ? step : [];
  if (!Object.hasOwn(STEPS, String(name)) || !isObject(args)) throw invalidArgument('no step of a program');
  const which = args.s ?? FIRST_SESSION;
  if (typeof which !== 'string' || which === '') throw invalidArgument('s is no name');
  const session = sessions.get(which) ?? new Session(config);
  const result = STEPS[name](session, args, sessions);
  if (!sessions.has(which)) sessions.set(which, session);
  return result;
}
