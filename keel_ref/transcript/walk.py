"""The way from the last row of a thread back to its first. Spec: TRN-010 to TRN-017."""

from __future__ import annotations

from collections.abc import Container, Sequence

from attrs import define, field

from keel_ref.transcript.log import Kind, LogRow, Problem, Reason
from keel_ref.transcript.segments import Copy, Segments

SPOKEN = frozenset({Kind.USER, Kind.ASSISTANT})
"""Kinds that say something; all others hang beside what is said, or link it."""


@define
class Walk:
    """From a row to the one before it. Ends on any graph, after steps that are linear in the rows."""

    rows: Sequence[LogRow]
    copies: Sequence[Copy] = ()
    agent: str | None = None
    """Whose thread it is; None for the main one."""
    elsewhere: Container[str] = ()
    """Uuids that stand in another thread; what hangs on one of these is the first of its own."""
    names: dict[str, int] = field(factory=dict)
    problems: list[Problem] = field(factory=list)
    nearest: list[int] = field(factory=list)
    """Of each place, the nearest row of the thread at or above it that may still be taken; -1 for none."""
    leads: set[int] = field(factory=set)
    """Rows that something said hangs on, however far below."""
    hosts: dict[int, int] = field(factory=dict)
    """What was found of `host_of` so far."""
    segments: Segments = field(init=False)

    def __attrs_post_init__(self) -> None:
        above = -1
        for place, row in enumerate(self.rows):
            if row.uuid is not None:
                self.names.setdefault(row.uuid, place)
                above = place if row.agent == self.agent else above
            self.nearest.append(above)
        self.segments = Segments(self.rows, self.names, self.agent)
        self.segments.find(self.copies)
        for place in range(len(self.rows)):
            if self.is_said(place):
                self._mark(place)

    def chain(self) -> list[int]:
        """Places from the last row of the thread back to its first."""
        own = [place for place in range(len(self.rows) - 1, -1, -1) if self.rows[place].agent == self.agent]
        if not self.names or self._is_unlinked(own):
            return own  # [TRN-012] without any link there is no graph; the order of the file is all there is
        found: list[int] = []
        seen: set[int] = set()
        at = self._last()
        while at >= 0:
            seen.add(at)
            if self.rows[at].agent == self.agent:
                found.append(at)
            at = self._before(at, seen)
        return found

    def _is_unlinked(self, own: Sequence[int]) -> bool:
        """Whether several rows of the thread have names, and none says on which it hangs."""
        named = sum(self.rows[place].uuid is not None for place in own)
        return named > 1 and not any(self.rows[place].parent or self.rows[place].logical_parent for place in own)

    def is_said(self, place: int) -> bool:
        """Whether the row of the thread says something, or is a boundary."""
        row = self.rows[place]
        return row.agent == self.agent and (row.kind in SPOKEN or row.boundary is not None)

    def parent_of(self, place: int) -> int | None:
        """The row that it hangs on; of a boundary without a parent the one that it names. None: none in the file."""
        row = self.rows[place]
        parent = row.parent
        if parent is None and row.boundary is not None:
            parent = row.logical_parent  # [TRN-013] a boundary has no parent, and says what stood before it
        return None if parent is None else self.names.get(parent)

    def host_of(self, place: int) -> int:
        """The nearest row above a result that is an answer, a prompt or a boundary; -1 for none."""
        walked: list[int] = []
        at = self.parent_of(place)
        while at is not None and at not in self.hosts:
            row = self.rows[at]
            if row.boundary is not None or (row.kind in SPOKEN and not is_result(row)):
                break
            self.hosts[at] = -1  # a circle leads to no host
            walked.append(at)
            at = self.parent_of(at)
        host = -1 if at is None else self.hosts.get(at, at)
        for one in walked:
            self.hosts[one] = host
        return host

    def _mark(self, place: int) -> None:
        above = self.parent_of(place)
        while above is not None and above not in self.leads:
            self.leads.add(above)
            above = self.parent_of(above)

    def _last(self) -> int:
        """The row of the file with which the walk begins. Spec: TRN-010."""
        goes_on = {
            self.parent_of(place)
            for place in range(len(self.rows))
            if self.is_said(place) and not is_result(self.rows[place])
        }
        said = named = -1
        for place in range(len(self.rows) - 1, -1, -1):
            row = self.rows[place]
            if row.uuid is None or row.agent != self.agent:
                continue
            named = max(named, place)
            if self.is_said(place):
                said = max(said, place)
                # [TRN-010] nothing hangs on it; a result beside the continuation is not where it went on
                if place not in self.leads and not (is_result(row) and self.parent_of(place) in goes_on):
                    return place
        return said if said >= 0 else named

    def _before(self, at: int, seen: set[int]) -> int:
        row = self.rows[at]
        parent = row.parent
        if parent is None and row.boundary is not None:
            parent = row.logical_parent  # [TRN-013]
        if parent is None:
            # [TRN-010] a row without a parent is the first; a boundary and a side chain stand behind something
            return -1 if row.boundary is None and row.agent == self.agent else self._above(at, seen)
        place = self.names.get(parent)
        if place is None and (parent in self.elsewhere or (at == 0 and self.agent is not None)):
            return -1  # [TRN-017] a side chain may hang on a row of another thread, and of another file
        if place is None:
            self._report(at, Reason.MISSING_PARENT, parent)
            return self._above(at, seen)  # [TRN-012]
        kept = self.segments.nearest(place, at)
        if kept is not None:
            place = kept.anchor  # [TRN-015] what was kept stands before its boundary, and the walk goes through that
        if place in seen:
            self._report(at, Reason.PARENT_CYCLE, parent)
            return self._above(at, seen)  # [TRN-014]
        return place

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


def is_result(row: LogRow) -> bool:
    """Whether it holds the result of a call."""
    return row.kind is Kind.USER and any(block.kind == "tool_result" for block in row.blocks)
