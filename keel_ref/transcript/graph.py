"""The conversation that a session file holds: from the last row back along the parents. Spec: TRN-010 to TRN-016."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, field, frozen

from keel_ref.transcript.log import Kind, LogRow, Problem, Reason

SPOKEN = frozenset({Kind.USER, Kind.ASSISTANT})
LEAVES = frozenset({Kind.ATTACHMENT, Kind.PROGRESS, Kind.SYSTEM})
"""Kinds that hang beside the conversation where they were recorded."""


@frozen(kw_only=True)
class Conversation:
    """The main thread, and what was found wrong on the way."""

    order: tuple[int, ...]
    """Places of its rows, from the first to the last; each once."""
    problems: tuple[Problem, ...]


def find_conversation(rows: Sequence[LogRow], groups: Sequence[tuple[int, ...]]) -> Conversation:
    """The main thread of these rows, each uuid of which stands once; `groups` are the rows of each response.

    Ends on any graph. Spec: TRN-010.
    """
    walk = _Walk(rows)
    chain = walk.chain()
    order = tuple(_with_beside(rows, walk, chain, groups))
    problems = [*walk.problems, *_left_out(rows, walk, frozenset(order))]
    return Conversation(order=order, problems=tuple(problems))


@define
class _Walk:
    """From a row to the one before it."""

    rows: Sequence[LogRow]
    names: dict[str, int] = field(factory=dict)
    problems: list[Problem] = field(factory=list)
    segments: dict[int, int] = field(factory=dict)
    """Of each row that a boundary kept, the last boundary that did."""
    nearest: list[int] = field(factory=list)
    """Of each place, the nearest row of the main thread at or above it, or one that stood there; -1 for none."""

    def __attrs_post_init__(self) -> None:
        above = -1
        for place, row in enumerate(self.rows):
            if row.uuid is not None:
                self.names.setdefault(row.uuid, place)
            above = place if row.agent is None else above
            self.nearest.append(above)
        for place, row in enumerate(self.rows):
            if row.boundary is not None and row.agent is None:
                for kept in self.segment(place):
                    self.segments[kept] = place

    def segment(self, boundary: int) -> list[int]:
        """Places that a boundary kept, the last first; all above it. Spec: TRN-015."""
        about = self.rows[boundary].boundary
        if about is None or about.tail is None or about.head is None:
            return []
        found: list[int] = []
        at = self.names.get(about.tail)
        head = self.names.get(about.head)
        while at is not None and at < boundary and self.segments.get(at) != boundary:
            if self.rows[at].boundary is not None or (found and at >= found[-1]):
                return []  # it does not lead to its head: a boundary stands between, or a circle
            found.append(at)
            if at == head:
                return found
            parent = self.rows[at].parent
            at = None if parent is None else self.names.get(parent)
        return []

    def chain(self) -> list[int]:
        """From the last row of the main thread back to its first."""
        found: list[int] = []
        seen: set[int] = set()
        at = self._last()
        while at >= 0:
            seen.add(at)
            found.append(at)
            at = self._before(at, seen)
        return found

    def _last(self) -> int:
        """The last row of the file that was said; where nothing was, the last row."""
        fallback = -1
        for place in range(len(self.rows) - 1, -1, -1):
            row = self.rows[place]
            if row.agent is not None:
                continue
            if row.kind in SPOKEN or row.boundary is not None:
                return place
            fallback = max(fallback, place)
        return fallback

    def _before(self, at: int, seen: set[int]) -> int:
        row = self.rows[at]
        parent = row.parent
        if row.boundary is not None and parent is None:
            parent = row.logical_parent  # [TRN-013] a boundary has no parent, and says what stood before it
        if parent is None:
            # [TRN-012] a row without a name hangs on the row above it; any other without a parent is the first
            return self._above(at, seen) if row.uuid is None or row.boundary is not None else -1
        place = self.names.get(parent)
        if place is None:
            self._report(at, Reason.MISSING_PARENT, parent)
            return self._above(at, seen)  # [TRN-012]
        boundary = self.segments.get(place)
        if boundary is not None and place < boundary < at:
            place = self._anchor(boundary)  # [TRN-015] the kept rows stand before the boundary too
        if place in seen:
            self._report(at, Reason.PARENT_CYCLE, parent)
            return self._above(at, seen)  # [TRN-014]
        return place

    def _anchor(self, boundary: int) -> int:
        about = self.rows[boundary].boundary
        anchor = None if about is None or about.anchor is None else self.names.get(about.anchor)
        return boundary if anchor is None or anchor < boundary else anchor

    def _above(self, at: int, seen: set[int]) -> int:
        """The nearest row above that is not on the chain yet; -1 for none. All look-ups together are linear."""
        steps: list[int] = []
        place = self.nearest[at - 1] if at else -1
        while place >= 0 and place in seen:
            steps.append(place)
            place = self.nearest[place - 1] if place else -1
        for step in steps:
            self.nearest[step] = place
        return place

    def _report(self, at: int, reason: Reason, detail: str) -> None:
        self.problems.append(Problem(line=self.rows[at].line, reason=reason, detail=detail))


def _with_beside(
    rows: Sequence[LogRow], walk: _Walk, chain: Sequence[int], groups: Sequence[tuple[int, ...]]
) -> Iterator[int]:
    """The chain from its first row on, with the rows that belong to it and that it does not pass through."""
    group_of = {place: places for places in groups for place in places}
    results = _results(rows)
    leaves = _leaves(rows, walk, frozenset(chain))
    done: set[int] = set()
    for place in reversed(chain):
        fresh = [place]
        if rows[place].kind is Kind.ASSISTANT:
            fragments = group_of[place]
            fresh = [*fragments, *_answers(rows, fragments, results)]  # [TRN-011] calls, then their results
        for one in fresh:
            if one not in done:
                done.add(one)
                yield one
                beside = [leaf for leaf in leaves.get(one, ()) if leaf not in done]
                done.update(beside)
                yield from beside


def _results(rows: Sequence[LogRow]) -> dict[tuple[str | None, str], list[int]]:
    """By thread and call, the rows that hold its result."""
    found: dict[tuple[str | None, str], list[int]] = {}
    for place, row in enumerate(rows):
        for block in row.blocks if row.kind is Kind.USER else ():
            if block.kind == "tool_result" and block.id is not None:
                found.setdefault((row.agent, block.id), []).append(place)
    return found


def _answers(
    rows: Sequence[LogRow], fragments: Sequence[int], results: dict[tuple[str | None, str], list[int]]
) -> list[int]:
    """Rows with results of the calls of one response, in the order of the file. Spec: TRN-011."""
    own = {rows[place].uuid for place in fragments}
    found: set[int] = set()
    for place in fragments:
        for block in rows[place].blocks:
            if block.kind != "tool_use" or block.id is None:
                continue
            held = results.get((rows[place].agent, block.id), ())
            mine = [one for one in held if rows[one].parent in own]
            found.update(mine or [one for one in held if one > place][:1])
    return sorted(found)


def _leaves(rows: Sequence[LogRow], walk: _Walk, chain: frozenset[int]) -> dict[int, list[int]]:
    """Attachments and bookkeeping that hang beside a row, with what hangs on them, unless somebody spoke on them."""
    hosts: dict[int, int] = {}
    leads: set[int] = set(chain)
    for place in range(len(rows) - 1, -1, -1):  # what was said, and all above it, is no leaf
        row = rows[place]
        if row.kind in SPOKEN or place in leads:
            leads.add(place)
            parent = None if row.parent is None else walk.names.get(row.parent)
            if parent is not None:
                leads.add(parent)
    found: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        if place in leads or row.agent is not None or row.kind not in LEAVES or row.boundary is not None:
            continue
        parent = None if row.parent is None else walk.names.get(row.parent)
        if parent is None or parent >= place:
            continue
        host = hosts.get(parent, parent)
        hosts[place] = host
        found.setdefault(host, []).append(place)
    return found


def _left_out(rows: Sequence[LogRow], walk: _Walk, order: frozenset[int]) -> Iterator[Problem]:
    """A word for each branch that is no part of the conversation, and for each stretch that nothing leads to."""
    roots: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for place, row in enumerate(rows):
        if place in order or row.agent is not None:
            continue
        parent = None if row.parent is None else walk.names.get(row.parent)
        root = place if parent is None or parent in order or parent not in roots else roots[parent]
        roots[place] = root
        sizes[root] = sizes.get(root, 0) + 1
    for root, size in sizes.items():
        parent_name = rows[root].parent
        is_branch = parent_name is not None and walk.names.get(parent_name) in order
        reason = Reason.ABANDONED_BRANCH if is_branch else Reason.UNREACHABLE  # [TRN-016]
        yield Problem(line=rows[root].line, reason=reason, detail=f"{size} rows")
