"""What the next turn of a session sees. Spec: TRN-022, MSG-002."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from keel_ref.constants import DEFAULT
from keel_ref.transcript.log import LogRow
from keel_ref.transcript.segments import Segment


@frozen(kw_only=True)
class View:
    """The slice of a conversation from its last boundary on."""

    order: tuple[int, ...]
    """Places of its rows; each once."""
    kept: frozenset[int]
    """Those that the boundary kept."""


def find_view(rows: Sequence[LogRow], conversation: Sequence[int], segments: Mapping[int, Segment]) -> View:
    """From the last boundary on, with what that one kept behind its anchor. Spec: TRN-022."""
    starts = [index for index, place in enumerate(conversation) if rows[place].boundary is not None]
    if not starts:
        return View(order=tuple(conversation), kept=frozenset())
    stretches = _Stretches(rows, conversation, starts, segments)
    number = first = len(starts) - 1
    while first > 0 and number - first < DEFAULT.kept_cap_boundaries and stretches.keeps_older(first):
        first -= 1  # [TRN-022] it kept what the one before it had kept
    view = View(order=stretches.plain(first - 1), kept=frozenset())
    for one in range(first, number + 1):
        view = stretches.next(view, one)
    return view


@frozen
class _Stretches:
    rows: Sequence[LogRow]
    conversation: Sequence[int]
    starts: Sequence[int]
    segments: Mapping[int, Segment]

    def plain(self, number: int) -> tuple[int, ...]:
        """What stands from one boundary up to the next; -1: before the first."""
        start = self.starts[number] if number >= 0 else 0
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.conversation)
        return tuple(self.conversation[start:end])

    def keeps_older(self, number: int) -> bool:
        """Whether what this boundary kept begins before the boundary above it."""
        segment = self.segments.get(self.conversation[self.starts[number]])
        return segment is not None and segment.head not in self.plain(number - 1)

    def next(self, before: View, number: int) -> View:
        """The view behind a boundary, of the view that it made shorter."""
        order = self.plain(number)
        segment = self.segments.get(order[0])
        places = {place: index for index, place in enumerate(before.order)} if segment is not None else {}
        if segment is None or segment.head not in places or segment.tail not in places:
            return View(order=order, kept=frozenset())
        between = before.order[places[segment.head] : places[segment.tail] + 1]
        kept = tuple(place for place in between if self.rows[place].boundary is None)
        cut = order.index(segment.anchor) + 1 if segment.anchor in order else 1
        return View(order=(*order[:cut], *kept, *order[cut:]), kept=frozenset(kept))  # [TRN-015]
