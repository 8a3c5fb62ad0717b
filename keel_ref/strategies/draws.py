"""Where the generator of programs gets its choices from: a seed here, Hypothesis in `keel_ref.strategies.programs`."""

import random
from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Draw(Protocol):
    """A source of choices. The first of several, and the lowest number, are the plainest."""

    def integer(self, low: int, high: int) -> int:
        """A whole number between two bounds, both included."""

    def pick(self, items: Sequence[T]) -> T:
        """One of several things."""

    def chance(self, percent: int) -> bool:
        """True so often in a hundred times."""


class SeededDraw:
    """Choices that follow from a seed alone: the same in every process, whatever the hash seed.

    The wire is fed by this one. Hypothesis draws some 2,000 steps a second; this one does ten times as much, and what
    Hypothesis would add, its shrinker, is not needed there: programs are shrunk on the wire.
    """

    def __init__(self, seed: int, index: int) -> None:
        """Take the seed of a run and the number of the program in it."""
        self._random = random.Random(f"keel-program/1 {seed} {index}")  # noqa: S311 (nothing secret)

    def integer(self, low: int, high: int) -> int:
        """A whole number between two bounds, both included."""
        return low + int(self._random.random() * (high - low + 1))  # the same on every version of Python

    def pick(self, items: Sequence[T]) -> T:
        """One of several things."""
        return items[self.integer(0, len(items) - 1)]

    def chance(self, percent: int) -> bool:
        """True so often in a hundred times."""
        return self.integer(0, 99) < percent
