"""Claims about comparisons: what is equal, what is forgiven, and that pairs are found whenever there are any."""

import re
from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.compare import NOTHING, Mode, first_difference
from keel_ref.conformance.derive import derive_expect
from keel_ref.conformance.match import find_mismatch, parse_expectation
from keel_ref.conformance.wire import Ok

KEYS = st.sampled_from("abc")
SCALARS = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "x", "y"])
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3))
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=3)
ITEMS = st.lists(st.dictionaries(KEYS, st.integers(0, 1), max_size=2), max_size=4)


def is_same(one: Any, other: Any) -> bool:
    """Equality as JSON has it, written as plainly as can be."""
    if isinstance(one, dict) and isinstance(other, dict):
        return set(one) == set(other) and all(is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    return type(one) is type(other) and bool(one == other)


@given(one=VALUES, other=VALUES)
def test_exact_is_equality(one: object, other: object) -> None:
    """There is a difference if and only if they differ."""

    assert is_same(one, other) is (first_difference(one, other, Mode.EXACT) is None)


@given(one=VALUES, other=VALUES)
def test_each_mode_forgives_more_than_the_one_before(one: object, other: object) -> None:
    """What is exact is a subset, and what is a subset is one in any order."""
    exact, subset, unordered = (first_difference(one, other, mode) is None for mode in Mode)

    assert not exact or subset
    assert not subset or unordered


@given(items=ITEMS, data=st.data())
def test_the_order_of_what_came_never_matters_to_unordered(items: list[dict[str, int]], data: st.DataObject) -> None:
    """Any shuffle of what was expected is taken."""
    shuffled = data.draw(st.permutations(items))

    assert first_difference(items, shuffled, Mode.UNORDERED) is None


@given(expected=ITEMS, got=ITEMS)
def test_pairs_are_found_if_and_only_if_there_are_any(
    expected: list[dict[str, int]], got: list[dict[str, int]]
) -> None:
    """As trying every order would find them."""
    fits = len(expected) == len(got) and any(
        all(first_difference(item, found, Mode.SUBSET) is None for item, found in zip(expected, order, strict=True))
        for order in permutations(got)
    )

    assert fits is (first_difference(expected, got, Mode.UNORDERED) is None)


def follow(path: str, value: object) -> object:
    """What lies at a place of a value, or `NOTHING`."""
    for step in re.findall(r"[a-c]|\d+", path):
        try:
            value = value[int(step) if step.isdigit() else step]  # type: ignore[index]
        except (KeyError, IndexError):
            return NOTHING
    return value


@given(one=VALUES, other=VALUES, mode=st.sampled_from([Mode.EXACT, Mode.SUBSET]))
def test_a_difference_lies_where_it_says(one: object, other: object, mode: Mode) -> None:
    """Following its place in either value leads to what it says was expected, and to what it says came."""
    found = first_difference(one, other, mode)
    if found is None:
        return

    assert found.expected is follow(found.path, one)
    assert found.got is follow(found.path, other)


@given(result=OBJECTS, extra=VALUES)
def test_a_result_meets_the_subset_of_itself(result: dict[str, Any], extra: object) -> None:
    """With whatever else is in it."""

    assert first_difference(result, {**result, "z": extra}, Mode.SUBSET) is None
    assert first_difference(result, {**result, "z": extra}, Mode.EXACT) is not None


@given(named=OBJECTS.filter(bool), right=OBJECTS, mode=st.sampled_from(["subset", "unordered"]))
def test_a_derived_expectation_is_met_by_what_it_was_derived_from(
    named: dict[str, Any], right: dict[str, Any], mode: str
) -> None:
    """Whatever the expectation names."""
    derived = derive_expect({mode: named}, Ok(value=right), {})

    assert derived is None or find_mismatch(parse_expectation(derived), Ok(value=right)) is None


@given(wanted=OBJECTS.filter(bool), result=OBJECTS)
def test_a_wrong_result_is_refused_by_eq(wanted: dict[str, Any], result: dict[str, Any]) -> None:
    """And a right one is taken."""
    mismatch = find_mismatch(parse_expectation({"eq": wanted}), Ok(value=result))

    assert is_same(wanted, result) is (mismatch is None)


@given(items=ITEMS.filter(all), elements=ITEMS)
def test_has_and_lacks_are_opposites_for_one_item(items: list[dict[str, int]], elements: list[dict[str, int]]) -> None:
    """What the one takes, the other refuses."""
    for item in items:
        has = find_mismatch(parse_expectation({"has": {"a": [item]}}), Ok(value={"a": elements}))
        lacks = find_mismatch(parse_expectation({"lacks": {"a": [item]}}), Ok(value={"a": elements}))

        assert (has is None) is not (lacks is None)


@given(low=st.integers(-3, 3), width=st.integers(0, 3), value=st.integers(-9, 9))
def test_between_takes_what_lies_between(low: int, width: int, value: int) -> None:
    """Both ends included."""
    mismatch = find_mismatch(parse_expectation({"between": {"n": [low, low + width]}}), Ok(value={"n": value}))

    assert (low <= value <= low + width) is (mismatch is None)
