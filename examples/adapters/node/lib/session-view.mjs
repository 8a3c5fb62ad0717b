// What the next turn sees: from the last boundary on, with what it kept; calls and results of it. [TRN-022, TRN-023]

const KEPT_AGAIN = 100;

/** {view, kept} of a conversation; `kept` is what findKept found. */
export function findView(conversation, kept) {
  const keptBy = new Map(kept.map((item) => [item.boundary, item]));
  const starts = conversation.flatMap((row, index) => (row.isBoundary ? [index] : [])).slice(-KEPT_AGAIN);
  let view = conversation.slice(0, starts[0] ?? conversation.length);
  const before = view.findLastIndex(({ isBoundary }) => isBoundary);
  if (before > 0) view = view.slice(before);
  let rows = [];
  for (const [at, start] of starts.entries()) {
    const part = conversation.slice(start, starts[at + 1] ?? conversation.length);
    const item = keptBy.get(conversation[start]);
    rows = item === undefined ? [] : keptOf(view, item);
    view = rows.length === 0 ? part : withKept(part, rows, item);
  }
  return { view, kept: rows };
}

/** What the boundary kept of the view that it made shorter, in its order. */
function keptOf(view, { head, tail, again }) {
  const kept = new Set(again);
  const [from, to] = [view.indexOf(head), view.indexOf(tail)];
  if (from >= 0 && to >= 0) for (const row of from <= to ? view.slice(from, to + 1) : [tail]) kept.add(row);
  return view.filter((row) => kept.has(row) && !row.isBoundary);
}

/** Each kept row behind its anchor; behind the boundary where the anchor is not there. */
function withKept(part, rows, { anchor, anchors }) {
  const behind = new Map(part.map((row) => [row, [row]]));
  for (const row of rows) (behind.get(anchors.get(row) ?? anchor) ?? behind.get(part[0])).push(row);
  return [...behind.values()].flat();
}

/** Each result without its call, and each call without its result. [TRN-023] */
export function reportPairs(view, report) {
  const open = new Map(); // ids of calls -> the rows of those that had no result so far
  const seen = new Set();
  for (const row of view) {
    for (const call of row.calls) {
      seen.add(call);
      if (!open.has(call)) open.set(call, []);
      open.get(call).push(row);
    }
    for (const call of row.results) {
      if (!seen.has(call)) report(row, 'orphan-result');
      open.delete(call);
    }
  }
  const lost = [...open.values()].flat();
  if (lost.length === 0) return;
  const last = lastRows(view);
  const at = new Map(view.map((row, index) => [row, index]));
  for (const row of lost) if (last.behind(row.response) > at.get(row)) report(row, 'missing-result');
}

/** The last prompt or answer that is no error row, and the last answer of another response than that one's. */
function lastRows(view) {
  const counts = view.map(({ isPrompt, isAnswer, isError }) => isPrompt || (isAnswer && !isError));
  const last = counts.lastIndexOf(true);
  const isOther = (index) => counts[index] && (view[index].isPrompt || view[index].response !== view[last].response);
  const other = view.findLastIndex((_row, index) => isOther(index));
  return { behind: (response) => (last >= 0 && !view[last].isPrompt && view[last].response === response ? other : last) };
}
