"""Segments with extended groups: no test of an implementation relies on them, so they must not do harm."""

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.memory.extglob import parse_extended
from keel_ref.memory.meter import Meter


@clause("MEM-062")
@pytest.mark.parametrize(
    ("matching", "failing", "pattern"),
    [
        (("a", "b"), ("", "ab", "c"), "@(a|b)"),
        (("", "a"), ("aa",), "?(a)"),
        (("", "a", "aba"), ("c",), "*(a|b)"),
        (("a", "aab"), ("",), "+(a|b)"),
        (("", "b", "aa"), ("a",), "!(a)"),
        (("xay", "xy"), ("xa",), "x*(a)y"),
        (("ab", "abb", "aab"), ("a", "ba"), "+(a|*(a)b)b"),
        (("(", "a"), ("b",), "@(\\(|a)"),
    ],
)
def test_groups_match(matching: tuple[str, ...], failing: tuple[str, ...], pattern: str) -> None:
    """One, at most one, any number, at least one, anything but."""
    segment = parse_extended(pattern)

    assert segment is not None
    assert all(segment.matches(text, Meter.endless()) for text in matching)
    assert not any(segment.matches(text, Meter.endless()) for text in failing)


@pytest.mark.parametrize("pattern", ["a", "(a)", "@(a", "a|b", "@(@(@(@(a))))", "\\@(a)"])
def test_what_is_no_group_is_left_to_the_plain_dialect(pattern: str) -> None:
    """No group, one that does not close, and groups that nest too deeply."""

    assert parse_extended(pattern) is None


def test_a_repeated_group_takes_no_exponential_time() -> None:
    """Many ways to the same place are one way."""
    segment = parse_extended("+(a|aa|aaa|+(a))b")

    assert segment is not None
    assert not segment.matches("a" * 200, Meter.endless())
