// How a tool is found. [CTX-080 to CTX-083]

const BY_NAME = /^select:/i;
const SIGNS = /[\0-/:-@[-`{-\x7f]+/;
const SEAMS = /(?<=[0-9])(?=[^0-9])|(?<=[^0-9])(?=[0-9])|(?<=[^A-Z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][^A-Z0-9])/;

/** {matches, missing}. White space around a query is no part of it, which the text does not say. */
export function searchTools(untrimmed, tools, limit) {
  const query = untrimmed.trim();
  return BY_NAME.test(query) ? searchByName(query.replace(BY_NAME, ''), tools) : searchByWords(query, tools, limit);
}

/** [CTX-080] */
function searchByName(list, tools) {
  const found = new Set();
  const missing = new Set();
  for (const name of list.split(',').map((part) => part.trim())) {
    if (name === '') continue;
    const isAlike = (tool) => tool.name.toLowerCase() === name.toLowerCase();
    const tool = tools.find((one) => one.name === name) ?? tools.find(isAlike);
    if (tool === undefined) missing.add(name);
    else found.add(tool);
  }
  return { matches: [...found].map(({ name }) => ({ name, score: null })), missing: [...missing] };
}

function searchByWords(query, tools, limit) {
  const words = wordsOf(query);
  const scored = tools.map((tool) => ({ name: tool.name, score: scoreOf(tool, words) }));
  const matches = scored.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
  return { matches: matches.slice(0, limit), missing: [] }; // [CTX-083]
}

/** [CTX-081, CTX-082] */
function wordsOf(query) {
  const words = query.toLowerCase().split(/\s+/);
  return words
    .map((word) => ({ word: word.replace(/^\+/, ''), isRequired: word.startsWith('+') }))
    .filter(({ word }) => word !== '');
}

/** What all words are worth; 0 where a required one is worth nothing. */
function scoreOf(tool, words) {
  const texts = textsOf(tool);
  let score = 0;
  for (const { word, isRequired } of words) {
    const worth = worthOf(word, texts);
    if (isRequired && worth === 0) return 0;
    score += worth;
  }
  return score;
}

function textsOf({ name, server, hint, description }) {
  const parts = name.split(SIGNS).flatMap((part) => part.split(SEAMS));
  const lower = (text) => text.toLowerCase();
  return {
    parts: parts.filter((part) => part !== '').map(lower),
    name: lower(name),
    hint: lower(hint),
    description: lower(description),
    isOfServer: server !== null,
  };
}

function worthOf(word, { parts, name, hint, description, isOfServer }) {
  let worth = 0;
  if (parts.includes(word)) worth = isOfServer ? 12 : 10;
  else if (parts.some((part) => part.includes(word))) worth = isOfServer ? 6 : 5;
  else if (name.includes(word)) worth = 3;
  return worth + (hint.includes(word) ? 4 : 0) + (description.includes(word) ? 2 : 0);
}
