// Clearing old results, by the path of time or in the provider's cache. [CMP-050 to CMP-064]

import { CLEARED } from './cleared-text.mjs';
import { isCompactable } from './compactable.mjs';
import { callsOf, decision, estimate, firstChanged, resultsOf, withResults } from './row-changes.mjs';
import { isAssistant } from './rows.mjs';

const DEFAULT_KEEP = 5;
const DEFAULT_GAP = 60;
const MILLISECONDS = 60_000;

/** `request`: rows, now, source, gap, keep, suppressed, pinned, isSupported, start, cachedKeep, gates, choices. */
export function microcompact(request) {
  const { rows, pinned, suppressed } = request;
  const decisions = [];
  const report = (why, about) => decisions.push(decision('micro', why, about));
  if (suppressed) report('suppression-released');

  const unchanged = { messages: rows, cleared: [], freed: 0, first_changed_row: null, suppressed: false };
  const byTime = clearByTime(request, report);
  if (byTime !== null) {
    const state = { edits: [], cached: { pinned: [] }, expects_drop: true };
    return { ...byTime, path: 'time', suppressed: true, ...state, decisions };
  }
  const ids = deleteInCache(request, report);
  const deletes = ids !== null && ids.length > 0;
  const kept = deletes ? [...pinned, { row: rows.length - 1, ids }] : pinned;
  const state = { edits: ids === null ? [] : kept, cached: { pinned: kept }, expects_drop: deletes };
  return { ...unchanged, path: deletes ? 'cached' : 'none', ...state, decisions };
}

const isMain = (source) => source.startsWith('repl_main_thread'); // [CMP-051]

/** The ids of compactable calls, each at the place of its last one. [CMP-053, CMP-056] */
function compactableIds(rows) {
  const ids = new Set();
  for (const { id, block } of callsOf(rows)) {
    if (id === null || !isCompactable(block.name)) continue;
    ids.delete(id);
    ids.add(id);
  }
  return [...ids];
}

/** What changed, or null. [CMP-052 to CMP-058] */
function clearByTime(request, report) {
  const { rows, choices } = request;
  const refuse = (why) => {
    report(why);
    return null;
  };
  if (!request.gates.time_micro) return refuse('time-path-off');
  const { keep, gap } = numbersOf(request, report);
  const why = whyNotByTime(request, gap);
  if (why !== null) return refuse(why);

  const old = new Set(compactableIds(rows).slice(0, -keep));
  const found = resultsOf(rows).filter(({ id, block }) => old.has(id) && block.content !== CLEARED);
  if (found.length === 0) return refuse('nothing-to-clear');
  for (const { row, id } of found) report('cleared', { row, id });
  const changes = found.map(({ row, place }) => ({ row, place, content: CLEARED }));
  const messages = withResults(rows, changes);
  return {
    messages,
    cleared: [...new Set(found.map(({ id }) => id))],
    freed: Math.max(0, estimate(rows, choices, true) - estimate(messages, choices, true)),
    first_changed_row: firstChanged(changes),
  };
}

function whyNotByTime({ rows, source, now }, gap) {
  if (source === null) return 'source-missing';
  if (!isMain(source)) return 'source-not-main';
  const answer = rows.findLast(isAssistant);
  if (!answer) return 'no-answer';
  const isKnown = Number.isSafeInteger(now) && Number.isSafeInteger(answer.at) && answer.at <= now;
  if (!isKnown) return 'time-unknown';
  return now - answer.at < gap * MILLISECONDS ? 'gap-too-short' : null;
}

/** Numbers from a remote configuration. [CMP-055] */
function numbersOf({ keep, gap }, report) {
  const isNumber = typeof keep === 'number' && Number.isFinite(keep);
  const isGap = Number.isSafeInteger(gap) && gap >= 0;
  if (keep !== null && !isNumber) report('keep-assumed');
  if (gap !== null && !isGap) report('gap-assumed');
  return { keep: isNumber ? Math.max(1, Math.floor(keep)) : DEFAULT_KEEP, gap: isGap ? gap : DEFAULT_GAP };
}

/** The ids that are deleted; null where the request carries no edits at all. [CMP-060, CMP-061] */
function deleteInCache({ rows, source, gates, isSupported, pinned, start, cachedKeep }, report) {
  const off = !gates.cached_micro
    ? 'cached-path-off'
    : !isSupported
      ? 'cached-unsupported'
      : source !== null && !isMain(source)
        ? 'source-not-main'
        : null;
  if (off !== null) {
    report(off);
    return null;
  }
  const answered = new Set(resultsOf(rows).map(({ id }) => id));
  const named = new Set(pinned.flatMap(({ ids }) => ids));
  const held = compactableIds(rows).filter((id) => answered.has(id) && !named.has(id));
  if (held.length <= start) {
    report('too-few-results');
    return [];
  }
  const ids = held.slice(0, held.length - cachedKeep);
  for (const id of ids) report('deletion-queued', { id });
  return ids;
}
