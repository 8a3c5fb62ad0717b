// What stands behind the system prompt and in front of the conversation. [CTX-010 to CTX-023, CTX-086]

import { invalidArgument } from './errors.mjs';

const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const isText = (text) => (text ?? '') !== '';

/** [CTX-010, CTX-011] */
export function systemEntries({ git, injection, gates }) {
  const entries = [];
  if (isText(git)) entries.push({ key: 'gitStatus', value: git });
  if (gates.break_cache && isText(injection)) {
    entries.push({ key: 'cacheBreaker', value: `[CACHE_BREAKER: ${injection}]` });
  }
  return entries;
}

/** [CTX-012] */
export function systemBlocks(prompt, entries) {
  const block = entries.map(({ key, value }) => `${key}: ${value}`).join('\n');
  return [...prompt, block].filter(isText);
}

/** [CTX-021, CTX-022] */
export function userEntries({ memory, date }) {
  const entries = isText(memory) ? [{ key: 'claudeMd', value: memory }] : [];
  return [...entries, { key: 'currentDate', value: `Today's date is ${date}.` }];
}

export function checkDate(date) {
  if (!DATE.test(date)) throw invalidArgument('the date has another form than YYYY-MM-DD'); // [CTX-022]
  return date;
}

/** The message in front, as its form. [CTX-020] */
export const firstMessage = (entries) => ({
  role: 'user',
  meta: true,
  tagged: true,
  headings: entries.map(({ key }) => `# ${key}`),
});
