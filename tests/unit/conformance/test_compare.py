"""The first difference between two values, in each degree of strictness."""

import pytest

from keel_ref.conformance.compare import (
    NOTHING,
    Difference,
    Mode,
    first_difference,
    join_path,
    show_value,
)


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("value", [0, "", None, True, [], {}, {"a": [1, {"b": None}]}, [[1], [2]]])
def test_a_value_equals_itself(mode: Mode, value: object) -> None:
    """Whatever the strictness."""

    assert first_difference(value, value, mode) is None


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(
    ("expected", "got"),
    [(1, True), (0, False), (1, "1"), (None, 0), ("", None), ([], {}), ({}, []), (1, 2), ("a", "b")],
)
def test_kinds_are_never_confused(mode: Mode, expected: object, got: object) -> None:
    """A number is no truth value, no text and no nothing."""

    assert Difference(path="", expected=expected, got=got) == first_difference(expected, got, mode)


@pytest.mark.parametrize(
    ("expected", "got", "path"),
    [
        ({"a": {"b": 1}}, {"a": {"b": 2}}, "a.b"),
        ({"files": [{"p": "x"}, {"p": "y"}]}, {"files": [{"p": "x"}, {"p": "z"}]}, "files[1].p"),
        ({"a b": 1}, {"a b": 2}, '["a b"]'),
        ({"reads": {"/r/a": 1}}, {"reads": {"/r/a": 2}}, 'reads["/r/a"]'),
        ([1, 2], [1, 3], "[1]"),
    ],
)
def test_the_place_is_named(expected: object, got: object, path: str) -> None:
    """So that a reader finds it, and an expected entry can begin with it."""
    found = first_difference(expected, got, Mode.EXACT)

    assert found is not None
    assert path == found.path


def test_only_eq_minds_other_keys() -> None:
    """What was not asked for is free under subset and unordered."""
    expected, got = {"a": 1}, {"a": 1, "b": 2}

    assert Difference(path="b", expected=NOTHING, got=2) == first_difference(expected, got, Mode.EXACT)
    assert first_difference(expected, got, Mode.SUBSET) is None
    assert first_difference(expected, got, Mode.UNORDERED) is None


@pytest.mark.parametrize("mode", list(Mode))
def test_a_missing_key_is_a_difference(mode: Mode) -> None:
    """Under every strictness, also where nothing (null) was expected."""

    assert Difference(path="a", expected=None, got=NOTHING) == first_difference({"a": None}, {}, mode)


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(("expected", "got", "path"), [([1], [1, 2], "[1]"), ([1, 2], [1], "[1]"), ([], [1], "[0]")])
def test_the_number_of_items_counts(mode: Mode, expected: list[int], got: list[int], path: str) -> None:
    """A list that is longer or shorter differs, at the first item too many or too few."""
    found = first_difference(expected, got, mode)

    assert found is not None
    assert path == found.path


def test_only_unordered_forgives_order() -> None:
    """The same items in another order."""
    expected, got = [{"p": "a"}, {"p": "b"}], [{"p": "b"}, {"p": "a"}]

    assert first_difference(expected, got, Mode.UNORDERED) is None
    assert first_difference(expected, got, Mode.SUBSET) is not None
    assert first_difference(expected, got, Mode.EXACT) is not None


def test_unordered_lists_pair_off_wherever_they_can() -> None:
    """An item that fits two partners leaves the one that fits only one to it."""
    expected = [{"p": "a"}, {"p": "a", "layer": "user"}, {"p": "a", "layer": "user", "text": "x"}]
    got = [
        {"p": "a", "layer": "user", "text": "x"},
        {"p": "a", "layer": "user", "text": "y"},
        {"p": "a", "layer": "local", "text": "y"},
    ]

    assert first_difference(expected, got, Mode.UNORDERED) is None


def test_unordered_lists_that_cannot_pair_off_differ() -> None:
    """Two items that both need the same partner."""
    expected = [{"p": "a", "n": 1}, {"n": 1}]
    got = [{"p": "a", "n": 1}, {"p": "b", "n": 2}]
    found = first_difference(expected, got, Mode.UNORDERED)

    assert Difference(path="[1]", expected={"n": 1}, got=NOTHING) == found


def test_a_difference_reads_as_a_sentence() -> None:
    """Place, expected, got."""

    assert 'files[1].p: expected "/a", got nothing' == str(Difference(path="files[1].p", expected="/a", got=NOTHING))


def test_a_long_value_is_cut_for_the_reader() -> None:
    """One line, never more than the cap, with a sign that something is missing."""
    shown = show_value("x" * 500)

    assert 200 == len(shown)
    assert shown.endswith("…")


def test_a_value_is_shown_without_what_moves_the_cursor() -> None:
    """Control characters and surrogates show as escapes."""

    assert '"\\u001b\\u0085\\ud800"' == show_value("\x1b\x85\ud800")


def test_places_are_joined() -> None:
    """Keys by dots, items by brackets."""

    assert "a.b[0]" == join_path(join_path(join_path("", "a"), "b"), 0)
