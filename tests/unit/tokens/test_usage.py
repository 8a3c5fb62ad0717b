"""Recorded usage at its edges, and the percentage."""

from math import inf, nan
from typing import Any

import pytest
from anthropic.types import Usage as LibraryUsage

from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens import read_usage, used_percentage


@clause("EST-013")
def test_the_total_has_four_terms() -> None:
    """Each once, and nothing else of the usage."""
    usage = read_usage(
        {
            "input_tokens": 1,
            "cache_creation_input_tokens": 20,
            "cache_read_input_tokens": 300,
            "output_tokens": 4_000,
            "cache_creation": {"ephemeral_5m_input_tokens": 20},
        }
    )

    assert usage is not None
    assert (4_321, 321, False) == (usage.total, usage.input_total, usage.has_bad_terms)


@clause("EST-015")
@pytest.mark.parametrize(
    ("term", "tokens", "is_bad"),
    [
        (7, 7, False),
        (7.0, 7, False),
        (1e3, 1_000, False),
        (0, 0, False),
        (-0.0, 0, False),
        (None, 0, False),
        (-1, 0, True),
        (-1.0, 0, True),
        (7.5, 0, True),
        (nan, 0, True),
        (inf, 0, True),
        (True, 0, True),
        ("7", 0, True),
        ([7], 0, True),
    ],
)
def test_a_term(term: Any, tokens: int, is_bad: bool) -> None:
    """A number that is whole counts however it is stored; what is missing is 0, and anything else is 0 and bad."""
    usage = read_usage({"input_tokens": term})

    assert usage is not None
    assert (tokens, is_bad) == (usage.total, usage.has_bad_terms)


@clause("EST-015")
@pytest.mark.parametrize("value", [None, 12, "x", [], True])
def test_what_is_no_object_is_no_usage(value: Any) -> None:
    """It counts nothing in a gauge either, and is bad unless it is missing."""

    assert read_usage(value) is None
    assert (0, value is not None) == used_percentage(value, 100)


@clause("EST-015", "EST-034")
def test_a_usage_of_the_client_library() -> None:
    """Its fields are the terms."""
    usage = read_usage(LibraryUsage(input_tokens=3, output_tokens=4, cache_read_input_tokens=None))

    assert usage is not None
    assert (7, 3, False) == (usage.total, usage.input_total, usage.has_bad_terms)


@clause("EST-014")
@pytest.mark.parametrize(
    ("tokens", "window", "percent"),
    [(0, 200, 0), (1, 201, 0), (1, 200, 1), (2, 200, 1), (3, 200, 2), (199, 200, 100), (198, 200, 99), (500, 200, 100)],
)
def test_the_percentage_is_rounded_half_up(tokens: int, window: int, percent: int) -> None:
    """And never passes 100."""

    assert (percent, False) == used_percentage({"input_tokens": tokens}, window)


@clause("EST-014")
@pytest.mark.parametrize("window", [0, -1, 1.0, True, None, "200"])
def test_a_window_is_a_whole_number_of_at_least_one(window: Any) -> None:
    """Anything else is refused."""
    with pytest.raises(InvalidArgumentError, match=r"window: .* is no whole number of at least 1"):
        used_percentage({}, window)
