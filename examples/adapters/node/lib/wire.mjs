// The wire: one JSON object on a line, requests on stdin, answers on stdout. See spec/protocol.md.

import { decodeStrictly } from './bytes.mjs';
import { outcomeOf, resumedTraceOf, traceOf } from './functions.mjs';

const WIRE = 1;
const REVISION = '2026.11';
const MAX_LINE = 8 * 1024 * 1024;
const LF = 0x0a;

/** Speaks the wire until `bye` or the end of the input. */
export async function serve({ input, output, hello, choices }) {
  const lines = new Lines();
  for await (const chunk of input) {
    for (const line of lines.add(chunk)) {
      const answer = answerTo(line, { hello, choices, lines });
      if (answer === null) continue;
      output.write(`${fit(answer, lines.limit)}\n`);
      if (answer.bye) return;
    }
  }
}

/** Cuts a stream of bytes into lines. A line beyond the limit is not kept; null stands for it. */
class Lines {
  limit = MAX_LINE;
  #parts = [];
  #length = 0;

  *add(chunk) {
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      this.#keep(chunk.subarray(from, end));
      yield this.#length > this.limit ? null : Buffer.concat(this.#parts);
      this.#parts = [];
      this.#length = 0;
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(part) {
    this.#length += part.length;
    if (this.#length > this.limit) this.#parts = [];
    else this.#parts.push(part);
  }
}

function answerTo(line, state) {
  const request = line === null ? null : parse(line);
  const id = isId(request?.id) ? request.id : null;
  if (id === null) return malformed(null, 'no request, or a request without an id');
  switch (request.op) {
    case 'hello':
      return greet(request, state);
    case 'ping':
      return { id, ok: {} };
    case 'bye':
      return new Farewell(id);
    case 'call':
      if (!Array.isArray(request.calls)) return malformed(id, 'calls is no list');
      return { id, ok: { results: request.calls.map((call) => outcomeOf(call, state.choices)) } };
    case 'program':
      return { id, ...traceOf(request, state.choices) };
    case 'resume':
      return { id, ...resumedTraceOf(request, state.choices) };
    default:
      return malformed(id, 'an unknown op');
  }
}

class Farewell {
  ok = {};

  constructor(id) {
    this.id = id;
  }

  get bye() {
    return true; // not part of the message: a getter is not an own property
  }
}

function greet({ id, wire, nonce, limits }, { hello, choices, lines }) {
  if (!Array.isArray(wire) || !wire.includes(WIRE)) return malformed(id, `only wire ${WIRE} is spoken`);
  if (typeof nonce !== 'string') return malformed(id, 'no nonce');
  if (Number.isSafeInteger(limits?.max_line) && limits.max_line > 0) lines.limit = limits.max_line;
  return { id, ok: { wire: WIRE, nonce, revision: REVISION, ...hello, choices } };
}

const malformed = (id, message) => ({ id, error: { kind: 'malformed_request', message } });

const isId = (id) => Number.isSafeInteger(id) && id >= 0;

function parse(line) {
  const text = decodeStrictly(line);
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** The answer as a line; one that no line can hold says so instead. */
function fit(answer, limit) {
  try {
    const line = JSON.stringify(answer);
    if (Buffer.byteLength(line) <= limit) return line;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // longer than any string may be
  }
  return JSON.stringify({ id: answer.id, internal: { message: 'the answer is longer than a line may be' } });
}
