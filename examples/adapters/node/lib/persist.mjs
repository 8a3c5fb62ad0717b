// Sessions that outlive their process: what was done is written down, and done again by the next. [protocol.md, resume]

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { invalidArgument } from './errors.mjs';
import { runProgram } from './program.mjs';

const NAME = 'session.json';

/** The trace of a program, which is left in its folder where it names one. */
export function runAndLeave({ config = {}, steps, state }, choices, done = []) {
  const whole = Array.isArray(steps) ? [...done, ...steps] : steps;
  const trace = runProgram({ config, steps: whole }, choices);
  if (state !== undefined) leave(state, { config, steps: whole });
  return trace.slice(done.length);
}

/** The trace of the rest of a program: of the session that is taken up, then of each step. */
export function resumeProgram({ s, steps, state }, choices) {
  if (typeof state !== 'string' || typeof s !== 'string' || !Array.isArray(steps)) throw invalidArgument('no resume');
  const left = takeUp(state);
  return runAndLeave({ config: left.config, steps: [['resume', { s }], ...steps], state }, choices, left.steps);
}

function leave(state, left) {
  try {
    const draft = join(state, `${NAME}.${process.pid}`);
    writeFileSync(draft, JSON.stringify(left));
    renameSync(draft, join(state, NAME));
  } catch (error) {
    throw invalidArgument(`state: ${error.message}`);
  }
}

function takeUp(state) {
  try {
    return JSON.parse(readFileSync(join(state, NAME), 'utf8'));
  } catch (error) {
    throw invalidArgument(`state: ${error.message}`);
  }
}
