"""The grid of squares, in numbers that can be followed by hand."""

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.context.categories import Share
from keel_ref.context.grid import Grid, grid_of


def grid(*tokens: int, window: int = 200_000, deferred: tuple[int, ...] = ()) -> Grid:
    """The grid of these amounts; `deferred` holds the places of deferred ones."""
    shares = [Share(name=str(place), tokens=each, is_deferred=place in deferred) for place, each in enumerate(tokens)]
    return grid_of(shares, window)


@clause("CTX-120")
@pytest.mark.parametrize(("window", "columns"), [(1, 10), (999_999, 10), (1_000_000, 20), (2_000_000, 20)])
def test_the_large_window_has_the_wide_grid(window: int, columns: int) -> None:
    """Ten rows, of 10 squares or of 20."""
    found = grid(1, window=window)

    assert columns == found.columns
    assert [columns] * 10 == [len(row) for row in found.rows]


@clause("CTX-121", "CTX-122")
@pytest.mark.parametrize(
    ("tokens", "squares"),
    [
        ((1, 1, 2), (25, 25, 50)),
        ((1, 1, 1), (34, 33, 33)),
        ((1, 199_999), (1, 99)),
        ((0, 7), (0, 100)),
        ((1, 3, 3), (14, 43, 43)),
        ((95, 3_385, 3_360, 3_160), (2, 34, 33, 31)),
        ((1, 1, 1, 1, 10**6, 10**6), (1, 1, 1, 1, 48, 48)),
        ((1, 1, 1, 10**6, 10**6), (1, 1, 1, 48, 49)),
        ((6_000, 24_000, 137_000, 33_000), (3, 12, 69, 16)),
    ],
)
def test_the_shares(tokens: tuple[int, ...], squares: tuple[int, ...]) -> None:
    """Rounded down, at least one, the rest by remainder or from the largest; ties to the earlier."""

    assert squares == grid(*tokens).squares


@clause("CTX-121")
def test_what_is_deferred_has_no_square() -> None:
    """However much it is, it is in no sum either."""

    assert (50, 0, 50) == grid(1, 10**9, 1, deferred=(1,)).squares


@clause("CTX-122")
def test_many_categories_are_counted_soon() -> None:
    """With a hundred thousand categories the first ones go without; it takes no time that grows with the square."""
    found = grid(*[1] * 100_000)

    assert (0,) * 99_900 + (1,) * 100 == found.squares


@clause("CTX-123")
def test_the_squares_lie_row_by_row() -> None:
    """From left to right, category after category, by place in the list."""
    found = grid(15, 0, 85)

    assert ((0,) * 10, (0,) * 5 + (2,) * 5, *((2,) * 10,) * 8) == found.rows


@clause("CTX-124")
@pytest.mark.parametrize("tokens", [(), (0,), (0, 0)])
def test_nothing_has_no_rows(tokens: tuple[int, ...]) -> None:
    """There is nothing to divide by."""

    assert Grid(columns=10, squares=tokens, rows=()) == grid(*tokens)
