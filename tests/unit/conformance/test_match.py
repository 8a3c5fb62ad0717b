"""Each matcher takes what it should and refuses what it should not; one that asserts nothing is refused itself."""

from collections.abc import Mapping
from typing import Any

import pytest

from keel_ref.conformance.match import (
    ExpectationError,
    FailureKind,
    find_mismatch,
    parse_expectation,
    resolve_choices,
)
from keel_ref.conformance.wire import Declined, ErrorAnswer, Internal, Ok, Outcome, Unsupported

RESULT = {"files": [{"p": "/a", "layer": "user"}, {"p": "/b", "layer": "local"}], "skipped": [], "size": 7}


def verdict(
    expect: Mapping[str, Any], outcome: Outcome, choices: Mapping[str, str] | None = None
) -> FailureKind | None:
    """The kind of the mismatch; none where the expectation holds."""
    expectation = resolve_choices(parse_expectation(expect), choices or {})
    assert expectation is not None
    mismatch = find_mismatch(expectation, outcome)
    return mismatch.kind if mismatch else None


@pytest.mark.parametrize(
    "expect",
    [
        {"eq": RESULT},
        {"subset": {"files": [{"p": "/a"}, {"layer": "local"}]}},
        {"subset": {"skipped": []}},
        {"unordered": {"files": [{"p": "/b"}, {"p": "/a"}]}},
        {"has": {"files": [{"p": "/b"}]}},
        {"lacks": {"files": [{"p": "/c"}], "skipped": [{"p": "/a"}]}},
        {"between": {"size": [7, 7]}},
        {"one_of": [{"between": {"size": [8, 9]}}, {"between": {"size": [6, 7]}}]},
        {"choice": "unit", "cases": {"x": {"subset": {"size": 7}}, "y": {"subset": {"size": 9}}}},
        {"subset": {"size": 7}, "has": {"files": [{"p": "/a"}]}, "lacks": {"files": [{"p": "/c"}]}},
    ],
)
def test_what_holds_is_taken(expect: Mapping[str, Any]) -> None:
    """Each matcher by itself, and several together."""

    assert verdict(expect, Ok(value=RESULT), {"unit": "x"}) is None


@pytest.mark.parametrize(
    "expect",
    [
        {"eq": {**RESULT, "size": 8}},
        {"eq": {"size": 7}},
        {"subset": {"files": [{"p": "/b"}, {"p": "/a"}]}},
        {"subset": {"files": [{"p": "/a"}]}},
        {"unordered": {"files": [{"p": "/a"}, {"p": "/a"}]}},
        {"has": {"files": [{"p": "/a", "layer": "local"}]}},
        {"has": {"nothing": [{"p": "/a"}]}},
        {"lacks": {"files": [{"layer": "user"}]}},
        {"lacks": {"nothing": [{"p": "/a"}]}},
        {"between": {"size": [8, 9]}},
        {"between": {"size": [1, 6]}},
        {"between": {"nothing": [0, 9]}},
        {"between": {"files": [0, 9]}},
        {"one_of": [{"between": {"size": [8, 9]}}, {"eq": {}}]},
        {"choice": "unit", "cases": {"x": {"subset": {"size": 9}}, "y": {"subset": {"size": 7}}}},
        {"subset": {"size": 7}, "has": {"files": [{"p": "/c"}]}},
    ],
)
def test_what_does_not_hold_is_refused(expect: Mapping[str, Any]) -> None:
    """Each matcher refuses a wrong result, and one of several is enough."""

    assert FailureKind.MISMATCH is verdict(expect, Ok(value=RESULT), {"unit": "x"})


def test_a_truth_value_is_no_number_in_its_bounds() -> None:
    """True is not 1."""

    assert FailureKind.MISMATCH is verdict({"between": {"n": [0, 1]}}, Ok(value={"n": True}))


def test_the_right_error_is_taken() -> None:
    """By its kind alone; the message is never compared."""

    assert verdict({"error": "not_a_folder"}, ErrorAnswer(kind="not_a_folder", message="whatever")) is None


@pytest.mark.parametrize(
    ("expect", "outcome"),
    [
        ({"error": "not_a_folder"}, ErrorAnswer(kind="invalid_argument")),
        ({"error": "not_a_folder"}, Ok(value={})),
        ({"subset": {"size": 7}}, ErrorAnswer(kind="not_a_folder")),
        ({"lacks": {"files": [{"p": "/a"}]}}, ErrorAnswer(kind="not_a_folder")),
    ],
)
def test_a_wrong_error_is_said_as_such(expect: Mapping[str, Any], outcome: Outcome) -> None:
    """Another error, a result instead of one, or one instead of a result."""

    assert FailureKind.WRONG_ERROR is verdict(expect, outcome)


@pytest.mark.parametrize(
    ("outcome", "kind"),
    [
        (Internal(message="boom"), FailureKind.CRASH),
        (Declined(reason="known gap"), FailureKind.DECLINED),
        (Unsupported(capability="memory"), FailureKind.UNSUPPORTED),
    ],
)
@pytest.mark.parametrize(
    "expect", [{"error": "invalid_argument"}, {"one_of": [{"error": "x"}, {"error": "y"}]}, {"eq": {}}]
)
def test_no_answer_never_stands_for_an_error(expect: Mapping[str, Any], outcome: Outcome, kind: FailureKind) -> None:
    """A caught crash, a refusal and a denial fail every expectation."""

    assert kind is verdict(expect, outcome)


def test_a_choice_without_a_case_is_not_applicable() -> None:
    """A test that says nothing about the value declared is not run."""
    expectation = parse_expectation({"choice": "unit", "cases": {"x": {"eq": {}}}})

    assert resolve_choices(expectation, {"unit": "y"}) is None
    assert resolve_choices(expectation, {}) is None
    assert resolve_choices(expectation, {"unit": "x"}) is not None


def test_choices_inside_choices_and_alternatives_are_resolved() -> None:
    """However deep they stand."""
    inner = {"choice": "b", "cases": {"1": {"subset": {"size": 7}}}}
    expect = {"choice": "a", "cases": {"1": {"one_of": [inner, {"subset": {"size": 8}}]}}}

    assert verdict(expect, Ok(value=RESULT), {"a": "1", "b": "1"}) is None
    assert FailureKind.MISMATCH is verdict(expect, Ok(value=RESULT), {"a": "1", "b": "2"})


def test_the_message_begins_with_the_place() -> None:
    """An expected entry names its beginning."""
    expectation = parse_expectation({"subset": {"files": [{"p": "/a"}, {"p": "/c"}]}})
    mismatch = find_mismatch(expectation, Ok(value=RESULT))

    assert mismatch is not None
    assert 'files[1].p: expected "/c", got "/b"' == mismatch.message


@pytest.mark.parametrize(
    "expect",
    [
        None,
        [],
        {},
        {"equals": 1},
        {"subset": {}},
        {"unordered": []},
        {"has": {}},
        {"has": {"files": []}},
        {"has": {"files": [{}]}},
        {"has": {"files": {"p": "/a"}}},
        {"lacks": {"files": []}},
        {"between": {}},
        {"between": {"n": [2, 1]}},
        {"between": {"n": [1]}},
        {"between": {"n": [1, 2.5]}},
        {"between": {"n": [True, 2]}},
        {"error": ""},
        {"error": ["a"]},
        {"error": "a", "eq": 1},
        {"one_of": [{"eq": 1}]},
        {"one_of": []},
        {"choice": "a"},
        {"cases": {}},
        {"choice": "a", "cases": {}},
        {"choice": "a", "cases": {"x": {}}},
    ],
)
def test_an_expectation_that_asserts_nothing_or_is_ill_formed_is_refused(expect: object) -> None:
    """A test that cannot fail is worse than none."""

    with pytest.raises(ExpectationError):
        parse_expectation(expect)
