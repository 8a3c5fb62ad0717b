// The functions of the wire. Each takes arguments and gives a result, or throws a CallError.

import * as read from './arguments.mjs';
import { COMPACTION_FUNCTIONS } from './compaction-functions.mjs';
import { CONTEXT_FUNCTIONS } from './context-functions.mjs';
import { contextSize } from './context-size.mjs';
import { Documented, ratioOf } from './documented.mjs';
import { CallError, invalidArgument } from './errors.mjs';
import { makeGates } from './gates.mjs';
import { isObject } from './json.mjs';
import { LIST_FUNCTIONS } from './list-functions.mjs';
import { load } from './loader.mjs';
import { MEMORY_FUNCTIONS } from './memory-functions.mjs';
import { cutIndex } from './memory-index.mjs';
import { prepare } from './prepare.mjs';
import { resumeProgram, runAndLeave } from './persist.mjs';
import { readRequest } from './request.mjs';
import { rounds } from './rounds.mjs';
import { estimateRows } from './row-costs.mjs';
import { viewStart } from './rows.mjs';
import { Session } from './session.mjs';
import { sizes } from './text.mjs';
import { touch } from './touch.mjs';
import { TRANSCRIPT_FUNCTIONS } from './transcript-functions.mjs';
import { percentage } from './usage.mjs';
import { WINDOW_FUNCTIONS } from './window-functions.mjs';

const FUNCTIONS = {
  'memory.load'(args, choices, config) {
    return load(new Session(readRequest(args), choices, makeGates(config.gates))).result();
  },

  'memory.touch'(args, choices, config) {
    const request = readRequest(args);
    const { kit, result } = load(new Session(request, choices, makeGates(config.gates)));
    const reads = touch(kit, request.reads);
    return { ...result(), reads };
  },

  'memory.index'({ text }, choices) {
    if (typeof text !== 'string') throw invalidArgument('text is missing or no text');
    return cutIndex(text, choices['memory.index_unit']);
  },

  'text.sizes'(args) {
    return sizes(read.text(args));
  },

  'tokens.estimate'(args, choices) {
    const text = read.text(args);
    const ratio = ratioOf(read.kind(args), read.extension(args));
    return { tokens: read.method(args, choices).text(text, ratio) };
  },

  'tokens.estimate_messages'(args, choices) {
    return estimateRows(read.messages(args), read.method(args, choices), read.padded(args));
  },

  'tokens.context_size'(args, choices) {
    return contextSize(read.messages(args), new Documented(choices), choices);
  },

  'tokens.percentage'(args) {
    return percentage(args.usage, read.window(args));
  },

  'messages.rounds'(args) {
    return { rounds: rounds(read.messages(args)) };
  },

  'messages.after_boundary'(args) {
    return { from: viewStart(read.messages(args)) };
  },

  'messages.prepare'(args) {
    return prepare(read.messages(args), read.pending(args));
  },

  ...WINDOW_FUNCTIONS,
  ...COMPACTION_FUNCTIONS,
  ...CONTEXT_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...MEMORY_FUNCTIONS,
  ...TRANSCRIPT_FUNCTIONS,
};

/** The outcome of one call; nothing that happens in it spoils its neighbours. */
export const outcomeOf = (call, choices) =>
  guarded(() => {
    const { fn, args = {}, config = {} } = isObject(call) ? call : {};
    if (!Object.hasOwn(FUNCTIONS, String(fn))) throw new CallError('unknown_function', `no function ${fn}`);
    if (!isObject(args)) throw invalidArgument('args is no object');
    if (!isObject(config)) throw invalidArgument('config is no object');
    return FUNCTIONS[fn](args, choices, config);
  });

/** The answer to a program. */
export const traceOf = (request, choices) => guarded(() => ({ trace: runAndLeave(request, choices) }));

/** The outcome of the rest of a program whose process was ended. */
export const resumedTraceOf = (request, choices) => guarded(() => ({ trace: resumeProgram(request, choices) }));

function guarded(answer) {
  try {
    return { ok: answer() };
  } catch (error) {
    if (error instanceof CallError) return { error: { kind: error.kind, message: error.message } };
    return { internal: { message: String(error?.message), trace: String(error?.stack) } };
  }
}
