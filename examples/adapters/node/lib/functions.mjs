// The functions of the wire. Each takes arguments and gives a result, or throws a CallError.

import { fromBase64 } from './bytes.mjs';
import { makeGates } from './choices.mjs';
import { CallError, invalidArgument } from './errors.mjs';
import { load } from './loader.mjs';
import { cutIndex } from './memory-index.mjs';
import { readRequest } from './request.mjs';
import { Session } from './session.mjs';
import { sizes } from './text.mjs';
import { touch } from './touch.mjs';

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

  'text.sizes'({ text, b64 }) {
    if ((text === undefined) === (b64 === undefined)) throw invalidArgument('one of text and b64 is needed');
    if (text !== undefined && typeof text !== 'string') throw invalidArgument('text is no text');
    const bytes = b64 === undefined ? null : fromBase64(b64);
    if (b64 !== undefined && bytes === null) throw invalidArgument('b64 is no base64');
    return sizes(text ?? bytes.toString('utf8'));
  },
};

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** The outcome of one call; nothing that happens in it spoils its neighbours. */
export function outcomeOf(call, choices) {
  try {
    const { fn, args = {}, config = {} } = isObject(call) ? call : {};
    if (!Object.hasOwn(FUNCTIONS, String(fn))) throw new CallError('unknown_function', `no function ${fn}`);
    if (!isObject(args)) throw invalidArgument('args is no object');
    if (!isObject(config)) throw invalidArgument('config is no object');
    return { ok: FUNCTIONS[fn](args, choices, config) };
  } catch (error) {
    if (error instanceof CallError) return { error: { kind: error.kind, message: error.message } };
    return { internal: { message: String(error?.message), trace: String(error?.stack) } };
  }
}
