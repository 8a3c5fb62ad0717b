"""What each boundary kept of what stood before it. Spec: TRN-015."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence

from attrs import define, field, frozen

from keel_ref.constants import DEFAULT
from keel_ref.transcript.log import LogRow


@frozen
class Copy:
    """A row that was written again under the uuid of an earlier one."""

    uuid: str
    parent: str | None
    place: int
    """How many rows stood above it."""


@frozen(kw_only=True)
class Segment:
    """A stretch of rows that a boundary kept, by the places of its ends."""

    head: int
    tail: int
    anchor: int
    """The row behind which they stand: the boundary itself, or one behind it."""


@define
class Segments:
    """By boundary what it kept, and by row which boundaries kept it. Spec: TRN-015."""

    rows: Sequence[LogRow]
    names: Mapping[str, int]
    summaries: dict[str | None, int] = field(factory=dict)
    """By the uuid of a boundary, the first summary that hangs on it and stands behind it."""
    of: dict[int, Segment] = field(factory=dict)
    kept_by: dict[int, list[int]] = field(factory=dict)
    """Of each kept row its boundaries, in the order of the file."""

    def find(self, copies: Iterable[Copy]) -> None:
        """Look at every boundary of the main thread, and at the rows that were written again behind one."""
        boundaries = [place for place, row in enumerate(self.rows) if row.boundary is not None and row.agent is None]
        for place, row in enumerate(self.rows):
            if row.is_summary and row.parent is not None and self.names.get(row.parent, place) < place:
                self.summaries.setdefault(row.parent, place)
        steps = DEFAULT.segment_walk_factor * len(self.rows)
        found: dict[int, list[int]] = {}
        for boundary in reversed(boundaries):
            path = self._named(boundary, steps)
            steps -= len(path)
            found[boundary] = path
        self._rewritten(boundaries, found, copies)
        for boundary in boundaries:
            for place in found[boundary]:
                self.kept_by.setdefault(place, []).append(boundary)

    def nearest(self, place: int, at: int) -> Segment | None:
        """What the last boundary above `at` that kept this row kept; None: none did, or it stands below."""
        boundaries = self.kept_by.get(place, ())
        index = bisect_left(boundaries, at)
        return self.of[boundaries[index - 1]] if index else None

    def _named(self, boundary: int, steps: int) -> list[int]:
        """The rows from the tail that a boundary names up to its head; the tail alone where that leads nowhere."""
        about = self.rows[boundary].boundary
        if about is None or about.tail is None or about.head is None:
            return []
        tail, head = self.names.get(about.tail), self.names.get(about.head)
        if tail is None or head is None or max(tail, head) >= boundary:
            return []  # [TRN-015] a segment that cannot be found is not guessed at
        anchor = -1 if about.anchor is None else self.names.get(about.anchor, -1)
        if anchor < boundary:
            anchor = self.summaries.get(self.rows[boundary].uuid, boundary)  # [TRN-015]
        self.of[boundary] = Segment(head=head, tail=tail, anchor=anchor)
        path = [tail]
        while path[-1] != head:
            parent = self.rows[path[-1]].parent
            above = None if parent is None else self.names.get(parent)
            if above is None or above >= path[-1] or len(path) >= steps or self.rows[above].boundary is not None:
                return path[:1]
            path.append(above)
        return path

    def _rewritten(self, boundaries: Sequence[int], found: dict[int, list[int]], copies: Iterable[Copy]) -> None:
        """Rows from before a boundary that were written again behind it, and hang there on what is behind it."""
        kept = {boundary: set(path) for boundary, path in found.items()}
        for copy in copies:
            index = bisect_left(boundaries, copy.place)
            place = self.names[copy.uuid]
            parent = None if copy.parent is None else self.names.get(copy.parent)
            if not index or parent is None or place >= boundaries[index - 1]:
                continue
            boundary = boundaries[index - 1]
            segment = self.of.get(boundary)
            if place in kept[boundary] or not (parent >= boundary or parent in kept[boundary]):
                continue
            found[boundary].append(place)
            kept[boundary].add(place)
            anchor = parent if segment is None else segment.anchor
            head = place if segment is None else segment.head
            self.of[boundary] = Segment(head=head, tail=place, anchor=anchor)
