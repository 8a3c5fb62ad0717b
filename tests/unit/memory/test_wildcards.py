"""Wildcards in one segment."""

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.memory.meter import Meter
from keel_ref.memory.wildcards import Globstar, Segment, fold, match_parts, parse_segment


def matches(pattern: str, text: str, *, ignores_case: bool = False) -> bool:
    """Does the whole segment match?"""
    return parse_segment(pattern, ignores_case=ignores_case).matches(text, Meter.endless())


@clause("MEM-050", "MEM-062")
@pytest.mark.parametrize(
    ("expected", "pattern", "text"),
    [
        (True, "", ""),
        (False, "", "a"),
        (True, "*", ""),
        (True, "a*b*c", "axbxbc"),
        (False, "a*b*c", "axbxb"),
        (True, "***", "a"),
        (True, "?", "😀"),
        (False, "?", ""),
        (True, "[a-cx]", "x"),
        (True, "[a\\-c]", "-"),
        (False, "[a\\-c]", "b"),
        (True, "[-a]", "-"),
        (True, "[a-]", "-"),
        (True, "[^^]", "a"),
        (False, "[^^]", "^"),
    ],
)
def test_wildcards(expected: bool, pattern: str, text: str) -> None:
    """A star is any run, a question mark one code point, a class one of its members."""

    assert expected == matches(pattern, text)


@clause("MEM-050")
def test_case_is_folded_one_character_against_one() -> None:
    """A letter whose lower case is two characters stays as it is."""

    assert matches("[A-C]É*", "bé.x", ignores_case=True)
    assert not matches("a", "A")
    assert "aé\u0130" == fold("AÉ\u0130")


def test_stars_between_segments_take_any_number_of_them() -> None:
    """Or at least as many as they ask for."""
    star: Segment = parse_segment("a", ignores_case=False)

    assert match_parts((Globstar(), star), ("x", "y", "a"), Meter.endless())
    assert match_parts((Globstar(), star), ("a",), Meter.endless())
    assert not match_parts((star, Globstar(1)), ("a",), Meter.endless())
    assert match_parts((star, Globstar(1)), ("a", "b", "c"), Meter.endless())
