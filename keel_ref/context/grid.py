"""The grid of squares in which the categories are drawn. Spec: CTX-120 to CTX-124."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heapreplace
from typing import Final

from attrs import frozen

from keel_ref.constants import DEFAULT
from keel_ref.context.categories import Share
from keel_ref.units import div_floor

ROWS: Final = 10
"""Rows of every grid. Spec: CTX-120."""
NARROW: Final = 10
"""Squares in a row of a window below the large one. Spec: CTX-120."""
WIDE: Final = 20
"""Squares in a row from the large window on. Spec: CTX-120."""


@frozen(kw_only=True)
class Grid:
    """Squares, and whose they are."""

    columns: int
    """Squares in a row: 10 or 20."""
    squares: tuple[int, ...]
    """How many squares each category has, in the order of the categories."""
    rows: tuple[tuple[int, ...], ...]
    """Row by row, from left to right: the place of the category that has the square. Empty where none has any."""


def grid_of(shares: Sequence[Share], window: int) -> Grid:
    """The grid of these categories in a window of so many tokens. Spec: CTX-120 to CTX-124."""
    columns = WIDE if window >= DEFAULT.large_window_tokens else NARROW  # [CTX-120]
    squares = _squares(shares, ROWS * columns)
    laid = [place for place, count in enumerate(squares) for _ in range(count)]  # [CTX-123] in the order given
    assert len(laid) in {0, ROWS * columns}
    rows = tuple(tuple(laid[start : start + columns]) for start in range(0, len(laid), columns))
    return Grid(columns=columns, squares=squares, rows=rows)


def _squares(shares: Sequence[Share], total: int) -> tuple[int, ...]:
    """How many of so many squares each category gets. Spec: CTX-121, CTX-122."""
    tokens = [0 if share.is_deferred else share.tokens for share in shares]  # [CTX-121]
    everything = sum(tokens)
    if not everything:
        return tuple(0 for _ in tokens)  # [CTX-124]
    counts = [max(div_floor(total * amount, everything), min(amount, 1)) for amount in tokens]  # [CTX-121] at least one
    by_remainder = sorted(range(len(counts)), key=lambda place: (-(total * tokens[place] % everything), place))
    for place in by_remainder[: max(0, total - sum(counts))]:  # [CTX-122] one each
        counts[place] += 1
    _take(counts, sum(counts) - total)
    return tuple(counts)


def _take(counts: list[int], too_many: int) -> None:
    """Take so many squares, each from whoever has most at that moment. Spec: CTX-122."""
    by_most = [(-count, place) for place, count in enumerate(counts)]
    heapify(by_most)
    for _ in range(too_many):
        count, place = by_most[0]  # [CTX-122] of equal ones the earlier
        heapreplace(by_most, (count + 1, place))
        counts[place] -= 1
