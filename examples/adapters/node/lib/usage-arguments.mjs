// The arguments of context.usage and context.grid. What is null is missing for a server and for marks alone. [CTX-125]

import { invalidArgument } from './errors.mjs';
import { isObject, serialise } from './json.mjs';

const isText = (value) => typeof value === 'string';
const isAmount = (value) => Number.isSafeInteger(value) && value >= 0;

function required(object, name, fits) {
  if (!fits(object[name])) throw invalidArgument(`${name} is missing or cannot be used`);
  return object[name];
}

const text = (object, name) => required(object, name, isText);
const amount = (object, name) => required(object, name, isAmount);

function mark(object, name) {
  return required({ [name]: object[name] ?? false }, name, (value) => typeof value === 'boolean');
}

/** A list of objects; one that is left out is empty. */
function list(args, name) {
  const value = args[name] ?? [];
  if (!Array.isArray(value) || !value.every(isObject)) throw invalidArgument(`${name} is no list of objects`);
  return value;
}

/** The tokens of an entry that brings either them, or what they are estimated from. [CTX-101] */
function tokensOf(entry, name, estimate) {
  const [isKnown, isThere] = ['tokens', name].map((key) => entry[key] !== undefined);
  if (isKnown === isThere) throw invalidArgument(`one of tokens and ${name} is needed`);
  return isKnown ? amount(entry, 'tokens') : estimate(entry[name]);
}

function toolOf(tool, method) {
  const name = text(tool, 'name');
  const server = (tool.server ?? null) === null ? null : text(tool, 'server');
  const tokens = tokensOf(tool, 'definition', (definition) => method.text(serialise(definition)));
  const [deferred, loaded] = [mark(tool, 'deferred'), mark(tool, 'loaded')];
  return { name, server, tokens, deferred, counts: !deferred || loaded }; // [CTX-103]
}

function prompts({ system_prompt: prompt }) {
  const texts = isText(prompt) ? [prompt] : (prompt ?? []);
  if (!Array.isArray(texts) || !texts.every(isText)) throw invalidArgument('system_prompt is neither a text nor a list of them');
  return texts;
}

/** The arguments by kind; each entry with its tokens. [CTX-104] */
export function readEntries(args, method) {
  const ofText = (entry) => tokensOf(entry, 'text', () => method.text(text(entry, 'text')));
  const named = (entry) => ({ name: text(entry, 'name'), tokens: ofText(entry) });
  const { messages } = args;
  if ((messages ?? null) !== null && !Array.isArray(messages)) throw invalidArgument('messages is no list');
  return {
    prompt: prompts(args),
    tools: list(args, 'tools').map((tool) => toolOf(tool, method)),
    agents: list(args, 'agents').map(named),
    memory: list(args, 'memory').map((file) => ({ path: text(file, 'path'), type: text(file, 'type'), tokens: ofText(file) })),
    skills: list(args, 'skills').map(named),
    messages: messages ?? [],
  };
}

export const readRecorded = (args) => ((args.recorded ?? null) === null ? null : amount(args, 'recorded'));

export function readGrid(args) {
  const categories = list(args, 'categories').map((category) => {
    text(category, 'name');
    return { tokens: BigInt(amount(category, 'tokens')), deferred: mark(category, 'deferred') };
  });
  return { categories, window: required(args, 'window', (value) => isAmount(value) && value >= 1) };
}
