"""Claims about making calls smaller, about shards, and about batches."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.match import find_mismatch, parse_expectation
from keel_ref.conformance.reductions import REDUCTIONS, Reduction
from keel_ref.conformance.select import Shard
from keel_ref.conformance.wire import CallItem, Ok

TEXTS = st.lists(st.sampled_from(["a", "b", ""]), max_size=4).map("\n".join)
ENTRIES = st.lists(
    st.fixed_dictionaries({"p": st.sampled_from(["/a", "/b", "/c"])}, optional={"t": TEXTS, "mtime": st.just(1)}),
    max_size=5,
)
CALLS = st.builds(
    CallItem,
    fn=st.just("f"),
    args=st.fixed_dictionaries(
        {"cwd": st.just("/r"), "tree": ENTRIES},
        optional={"bare": st.booleans(), "reads": st.lists(st.just("/a"), max_size=3), "text": TEXTS},
    ),
    config=st.none() | st.just({"gates": "released"}),
)


def size_call(call: CallItem) -> int:
    """How much there is to read."""
    return len(json.dumps(call.args)) + (0 if call.config is None else 1)


@given(call=CALLS, reduce=st.sampled_from(REDUCTIONS), start=st.integers(0, 9), count=st.integers(1, 4))
def test_a_reduction_never_adds(call: CallItem, reduce: Reduction, start: int, count: int) -> None:
    """What it gives is no larger, still has what is needed, and the call it was given is as it was."""
    before = repr(call)
    smaller = reduce(call, start, count)

    assert before == repr(call)
    assert smaller is None or size_call(smaller) <= size_call(call)
    assert smaller is None or "cwd" in smaller.args


@given(call=CALLS, reduce=st.sampled_from(REDUCTIONS))
def test_a_reduction_comes_to_an_end(call: CallItem, reduce: Reduction) -> None:
    """From some place on there is nothing left to leave out."""

    assert reduce(call, 1000, 1) is None


@given(call=CALLS)
def test_everything_can_go_but_what_is_needed(call: CallItem) -> None:
    """Applied until nothing changes, the reductions leave the bare arguments."""
    smallest = call
    for reduce in (*REDUCTIONS, *REDUCTIONS):
        while (smaller := reduce(smallest, 0, 1)) is not None and smaller != smallest:
            smallest = smaller

    assert [] == smallest.args["tree"]
    assert smallest.config is None
    assert "bare" not in smallest.args


@given(name=st.text(max_size=20), count=st.integers(1, 9))
def test_a_test_is_in_exactly_one_shard(name: str, count: int) -> None:
    """However many there are."""
    holders = [number for number in range(1, count + 1) if Shard(number=number, count=count).holds(name)]

    assert 1 == len(holders)


@given(values=st.lists(st.integers(0, 3), min_size=2, max_size=4), got=st.integers(0, 5))
def test_one_of_takes_what_any_alternative_takes(values: list[int], got: int) -> None:
    """No more and no less."""
    expect: dict[str, Any] = {"one_of": [{"eq": {"n": value}} for value in values]}
    mismatch = find_mismatch(parse_expectation(expect), Ok(value={"n": got}))

    assert (got in values) is (mismatch is None)
