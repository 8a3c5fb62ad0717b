"""Programs for tests that shrink by Hypothesis: the same drawing that feeds the wire, with Hypothesis as the source.

Each choice is Hypothesis's own, so that what fails in a test gets small there too: the first of several things and the
lowest number are the plainest.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import strategies as st

from keel_ref.strategies.program_drawing import LONGEST, DrawnProgram, StartProgram, draw_program

T = TypeVar("T")


class HypothesisDraw:
    """Choices that Hypothesis makes."""

    def __init__(self, draw: Callable[[st.SearchStrategy[int]], int]) -> None:
        """Take the draw of a composite strategy, or of interactive data."""
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        """A whole number between two bounds, both included."""
        return self._draw(st.integers(low, high))

    def pick(self, items: Sequence[T]) -> T:
        """One of several things."""
        return items[self.integer(0, len(items) - 1)]

    def chance(self, percent: int) -> bool:
        """True so often in a hundred times; the plain case is false."""
        return self.integer(0, 99) >= 100 - percent


@st.composite
def programs(draw: st.DrawFn, start: StartProgram, *, longest: int = LONGEST) -> DrawnProgram:
    """Programs of a model with their right traces; `start` begins one under a config."""
    return draw_program(HypothesisDraw(draw), start, longest=longest)
