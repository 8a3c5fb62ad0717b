"""What a check is given."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import field, frozen

from keel_ref.audit.recording import Piece, Recording, Response, Step
from keel_ref.audit.shares import Peak, Share
from keel_ref.constants import DEFAULT, Constants
from keel_ref.window.limits import Limits

LINES_SHOWN = 20
"""Further lines that one finding names; it says how many there are in all."""


@frozen(kw_only=True)
class Question:
    """A recording, and what it is judged by."""

    recording: Recording
    limits: Limits
    is_window_known: bool
    """Whether the window is that of a known model, or was given."""
    peak: Peak
    shares: Sequence[Share]
    """At the peak."""
    constants: Constants = field(default=DEFAULT)

    def segments(self) -> Iterator[tuple[int, int]]:
        """First and behind the last step of each part between two compactions; each begins with its boundary."""
        ends = [0, *self.recording.boundaries(), len(self.recording.steps)]
        return pairwise(ends)

    def responses(self, start: int, end: int) -> Sequence[Response]:
        """The responses that begin in those steps."""
        held = self.recording.responses
        first = bisect_left(held, start, key=lambda one: one.start)
        return held[first : bisect_left(held, end, key=lambda one: one.start)]

    def pieces(self, start: int, end: int) -> Iterator[tuple[Step, Piece]]:
        """The pieces of some steps, each with its step."""
        return self.recording.pieces(start, end)
