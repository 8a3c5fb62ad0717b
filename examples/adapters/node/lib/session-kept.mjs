// Rows that a boundary kept, and what then hangs on its anchor. [TRN-015]

const WALK = 4;

/**
 * What each boundary kept: a list of {boundary, head, tail, again, rows, anchors}, in the order of the file.
 *
 * `head` and `tail` are rows or null; `again` are rows that were written again. `anchors` has each kept row
 * with the row behind which it is sent.
 */
export function findKept({ rows, byUuid, copies }) {
  const boundaries = rows.filter(({ isBoundary, uuid }) => isBoundary && uuid !== null);
  const summaries = firstSummaries(rows);
  const budget = { steps: WALK * rows.length };
  const kept = boundaries.map((boundary) => fromSegment(boundary, { byUuid, summaries, budget }));
  for (const copy of copies) addCopy(copy, kept, byUuid);
  return kept;
}

/** The first summary behind each boundary that hangs on it, by the uuid of the boundary. */
function firstSummaries(rows) {
  const summaries = new Map();
  for (const row of rows) {
    if (row.isSummary && row.uuid !== null && !summaries.has(row.parent)) summaries.set(row.parent, row);
  }
  return summaries;
}

function fromSegment(boundary, { byUuid, summaries, budget }) {
  const { segment } = boundary.metadata;
  const isAbove = (row) => row !== undefined && row.line < boundary.line;
  const [head, tail] = [byUuid.get(segment.head), byUuid.get(segment.tail)];
  const kept = { boundary, head: null, tail: null, again: [], anchors: new Map(), anchor: null };
  if (!isAbove(head) || !isAbove(tail)) return kept;
  const named = byUuid.get(segment.anchor);
  const summary = summaries.get(boundary.uuid);
  const fallback = summary !== undefined && summary.line > boundary.line ? summary : boundary;
  const anchor = named === undefined || isAbove(named) ? fallback : named;
  const way = wayTo(head, tail, { isAbove, byUuid, budget }) ?? [tail];
  return { ...kept, head, tail, anchor, anchors: new Map(way.map((row) => [row, anchor])) };
}

/** The rows from the tail along the parents up to the head; null where the way does not lead there. */
function wayTo(head, tail, { isAbove, byUuid, budget }) {
  const way = new Set();
  for (let row = tail; isAbove(row) && !row.isBoundary && !way.has(row); row = byUuid.get(row.parent)) {
    if (budget.steps-- <= 0) return null;
    way.add(row);
    if (row === head) return [...way];
  }
  return null;
}

/** A row behind a boundary whose uuid stands above it. */
function addCopy(copy, kept, byUuid) {
  const last = kept.findLast(({ boundary }) => boundary.line < copy.line);
  const row = byUuid.get(copy.uuid);
  if (last === undefined || row.line > last.boundary.line) return;
  const parent = byUuid.get(copy.parent);
  if (parent === undefined) return;
  const anchor = parent.line > last.boundary.line ? parent : last.anchors.get(parent);
  if (anchor === undefined) return;
  last.anchors.set(row, anchor);
  last.again.push(row);
}

/**
 * Lets each row behind a boundary that hangs on a row which that boundary kept hang on the anchor instead.
 *
 * Sets `above`, the row that a row hangs on (null for none), and `isLost` where it names one that is not there.
 */
export function hang({ rows, byUuid }, kept) {
  const keepers = new Map();
  for (const { boundary, anchors } of kept) {
    for (const [row, anchor] of anchors) {
      if (!keepers.has(row)) keepers.set(row, []);
      keepers.get(row).push({ boundary, anchor });
    }
  }
  for (const row of rows) {
    const parent = row.parent === null ? null : (byUuid.get(row.parent) ?? null);
    row.isLost = row.parent !== null && parent === null;
    const keeper = keepers.get(parent)?.findLast(({ boundary }) => boundary.line < row.line);
    row.above = keeper === undefined ? parent : keeper.anchor;
  }
}
