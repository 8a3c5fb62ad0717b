"""JSON in texts: what is one value, how deep, and in how little time."""

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.tokens import count_lines
from keel_ref.tokens.json_text import NotJson, parse_json
from keel_ref.tokens.serialise import serialised


@clause("EST-025", "EST-033")
def test_a_torn_string_of_escapes_takes_no_longer_than_its_size() -> None:
    """A megabyte of escaped quotes behind a quote that never closes: with a look at each rest it would take an hour."""
    torn = '["' + '\\"' * 500_000

    with pytest.raises(NotJson):
        parse_json(torn)
    assert 1 == count_lines([b'{"type":"user","message":{"content":' + torn.encode()]).broken


@clause("EST-010")
@pytest.mark.parametrize("digits", [1, 4_000, 4_001, 20_000, 20_001, 1_000_000])
def test_a_whole_number_keeps_all_its_digits(digits: int) -> None:
    """However many: on either side of what Python writes, and of what is worth the time to turn into a number."""
    text = "[-" + "7" * digits + "]"

    assert text == serialised(parse_json(text))


@clause("EST-004")
@pytest.mark.parametrize(("levels", "is_json"), [(199, True), (200, True), (201, False), (100_000, False)])
def test_two_hundred_levels(levels: int, is_json: bool) -> None:
    """Brackets in strings are no levels."""
    text = "[" * (levels - 1) + '["[[[{{{"]' + "]" * (levels - 1)

    if is_json:
        parse_json(text)
    else:
        with pytest.raises(NotJson):
            parse_json(text)
