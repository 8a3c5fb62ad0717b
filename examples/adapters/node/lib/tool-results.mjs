// The results of tools: judged one by one and together, saved, replaced. [CMP-020 to CMP-036]

import { CLEARED } from './cleared-text.mjs';
import { isObject } from './json.mjs';
import { fileOf } from './result-files.mjs';
import { isTextAlone, replacementOf, textOf } from './result-text.mjs';
import { callsOf, decision, estimate, firstChanged, resultsOf, withResults } from './row-changes.mjs';
import { isId } from './rows.mjs';

/** `request`: rows, state, limitOf, measure, folder, names, failed, sumLimit (or null), choices, decisions. */
export function limitToolResults(request) {
  const layer = new Layer(request);
  for (const group of groupsOf(request.rows, layer.results)) layer.judge(group);
  return layer.settle();
}

/** [CMP-029] */
function groupsOf(rows, results) {
  const seen = new Set();
  const groups = [[]];
  const byRow = grouped(results);
  for (const [index, row] of rows.entries()) {
    groups.at(-1).push(...(byRow.get(index) ?? []));
    if (!isObject(row) || row.role !== 'assistant') continue;
    if (!isId(row.id) || !seen.has(row.id)) groups.push([]);
    seen.add(row.id);
  }
  return groups.filter((group) => group.length > 0);
}

function grouped(results) {
  const byRow = new Map();
  for (const result of results) byRow.set(result.row, [...(byRow.get(result.row) ?? []), result]);
  return byRow;
}

class Layer {
  #request;
  #toolOf = new Map();
  #firsts = new Map();
  #saves = new Map(); // id to {id, path, text, preview, replacement, row, why}
  #paths = new Set();

  constructor(request) {
    this.#request = request;
    for (const { id, block } of callsOf(request.rows)) {
      if (id !== null && !this.#toolOf.has(id)) this.#toolOf.set(id, isId(block.name) ? block.name : null);
    }
    this.results = resultsOf(request.rows).map((found) => this.#measured(found));
    for (const result of this.results) {
      if (result.id !== null && !this.#firsts.has(result.id)) this.#firsts.set(result.id, result);
    }
  }

  #measured(found) {
    const { content } = found.block;
    const text = textOf(content);
    const limit = this.#request.limitOf(this.#toolOf.get(found.id) ?? null);
    return { ...found, content, text, size: this.#request.measure.size(text), limit };
  }

  #report(why, result, path) {
    this.#request.decisions.push(decision('results', why, { row: result.row, id: result.id, path }));
  }

  #isFresh(result) {
    const isFirst = this.#firsts.get(result.id) === result;
    return result.id !== null && isFirst && !this.#request.state.has(result.id) && result.content !== CLEARED;
  }

  judge(group) {
    const candidates = [];
    for (const result of group) {
      if (result.id === null) this.#report('no-call-id', result);
      else if (this.#firsts.get(result.id) !== result) this.#report('second-result', result);
      if (!this.#isFresh(result) || result.limit === Infinity) continue;
      if (!isTextAlone(result.content)) {
        if (result.size > result.limit) this.#report('not-text', result);
      } else if (result.size > result.limit) this.#save(result, 'saved-for-limit');
      else candidates.push(result);
    }
    if (this.#request.sumLimit !== null) this.#limitSum(group, candidates);
  }

  /** [CMP-030] */
  #limitSum(group, candidates) {
    let sum = group.reduce((total, result) => total + this.#shownSize(result), 0);
    candidates.sort((one, other) => other.size - one.size); // stable: the first of equal ones first
    for (const result of candidates) {
      if (sum <= this.#request.sumLimit) return;
      if (this.#save(result, 'saved-for-sum')) sum -= result.size;
    }
    if (sum > this.#request.sumLimit) this.#report('sum-exceeded', group[0]);
  }

  #shownSize({ id, content, size }) {
    if (content === CLEARED) return size;
    const replacement = this.#request.state.replaced.get(id) ?? this.#saves.get(id)?.replacement;
    return replacement === undefined ? size : this.#request.measure.size(replacement);
  }

  /** Plans a save. False where the result stays. */
  #save(result, why) {
    const { measure } = this.#request;
    const { id, row, content, size } = result;
    const { path, text } = fileOf(content, id, this.#request);
    const preview = measure.preview(result.text);
    const replacement = replacementOf({ size, path, preview });
    const isTaken = this.#paths.has(path);
    if (isTaken || measure.size(replacement) >= size) {
      if (isTaken) this.#report('name-taken', result, path);
      else this.#report('not-smaller', result);
      return false;
    }
    this.#paths.add(path);
    this.#saves.set(id, { id, path, text, preview, replacement, row, why });
    return true;
  }

  settle() {
    const { rows, state, failed, choices, decisions } = this.#request;
    const replaced = [];
    for (const { id, path, replacement, row, why } of this.#saves.values()) {
      const isSaved = !failed.has(id);
      decisions.push(decision('results', isSaved ? why : 'save-failed', { row, id, path }));
      if (isSaved) replaced.push({ id, text: replacement });
    }
    const now = new Map(replaced.map(({ id, text }) => [id, text]));
    const kept = [...this.#firsts.keys()].filter((id) => !now.has(id) && !state.has(id));

    const changes = [];
    for (const result of this.results) {
      const text = state.replaced.get(result.id) ?? now.get(result.id);
      if (text === undefined || result.content === text || result.content === CLEARED) continue;
      changes.push({ row: result.row, place: result.place, content: text });
      if (state.replaced.has(result.id)) this.#report('replaced-again', result);
    }
    const messages = withResults(rows, changes);
    return {
      messages,
      saves: [...this.#saves.values()].map(({ id, path, text, preview }) => ({ id, path, text, preview })),
      state: state.after(replaced, kept),
      freed: Math.max(0, estimate(rows, choices) - estimate(messages, choices)),
      first_changed_row: firstChanged(changes),
      decisions,
    };
  }
}
