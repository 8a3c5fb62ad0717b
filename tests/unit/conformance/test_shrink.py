"""Failures are made smaller: what is left out, what counts, and what is refused as another fault."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from keel_ref.conformance import shrink
from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.derive import derive_expect, names_of
from keel_ref.conformance.match import FailureKind, find_mismatch, parse_expectation
from keel_ref.conformance.misbehaviour import Misbehaviour, Misdeed
from keel_ref.conformance.reductions import drop_arguments, drop_entries, drop_lines, drop_words
from keel_ref.conformance.shrink import Ending, Minimal, minimise
from keel_ref.conformance.vectors import Vector
from keel_ref.conformance.verdict import failure_of_mismatch
from keel_ref.conformance.wire import CallItem, ErrorAnswer, Internal, Ok, Outcome
from keel_ref.errors import InvalidArgumentError, NotAFolderError
from tests.unit.conformance.toy_suite import echo, make_suite

Function = Callable[[Mapping[str, Any]], Mapping[str, Any]]
TREE = [{"p": f"/r/{name}.md", "t": f"{name}\nsecond\nthird\n"} for name in "abcdefgh"]


def right(args: Mapping[str, Any]) -> Mapping[str, Any]:
    """The reference of these tests: every file in the order of its path."""
    paths = sorted(entry["p"] for entry in args["tree"])
    return {"files": [{"p": path} for path in paths], "count": len(paths)}


def swaps_a_and_c(args: Mapping[str, Any]) -> Mapping[str, Any]:
    """Wrong as soon as both are there."""
    paths = [entry["p"] for entry in right(args)["files"]]
    if "/r/a.md" in paths and "/r/c.md" in paths:
        first, second = paths.index("/r/a.md"), paths.index("/r/c.md")
        paths[first], paths[second] = paths[second], paths[first]
    return {"files": [{"p": path} for path in paths], "count": len(paths)}


def ask(function: Function) -> Callable[[CallItem], Outcome]:
    """An implementation."""
    return lambda item: Ok(value=function(item.args))


@pytest.fixture
def vector(tmp_path: Path) -> Vector:
    """A test of eight files, with arguments that do not matter."""
    args = {"cwd": "/r", "tree": TREE, "bare": False, "add_dirs": ["/x", "/y"]}
    expect = {"subset": {"files": [{"p": entry["p"]} for entry in TREE]}}
    call = {"fn": "toy.list", "args": args, "config": {"gates": "released"}}
    return make_suite(tmp_path, [echo("toy-list", 0, call=call, expect=expect)]).vectors[0]


@pytest.fixture(autouse=True)
def _reference(monkeypatch: pytest.MonkeyPatch) -> None:
    def call(_: str, args: Mapping[str, Any], __: CallConfig) -> Mapping[str, Any]:
        if not args["tree"]:
            raise NotAFolderError("/r", "nothing is there")
        return right(args)

    monkeypatch.setattr(shrink, "call_reference", call)


def shrunk(vector: Vector, asked: Callable[[CallItem], Outcome], max_tries: int = 200) -> Minimal | None:
    """The smaller case of what an implementation gets wrong."""
    assert isinstance(vector.question, CallItem)
    outcome = asked(vector.question)
    mismatch = find_mismatch(vector.expectation, outcome)
    assert mismatch is not None
    return minimise(vector, failure_of_mismatch(mismatch, outcome), {}, asked, max_tries=max_tries)


def test_a_case_is_made_one_minimal(vector: Vector) -> None:
    """Two entries without a line of text, no argument that is not needed, no config."""
    minimal = shrunk(vector, ask(swaps_a_and_c))

    assert minimal is not None
    assert (
        CallItem(fn="toy.list", args={"cwd": "/r", "tree": [{"p": "/r/a.md", "t": ""}, {"p": "/r/c.md", "t": ""}]})
        == minimal.question
    )
    assert (Ending.ONE_MINIMAL, 8) == (minimal.ending, minimal.size_before)
    assert {"subset": {"files": [{"p": "/r/a.md"}, {"p": "/r/c.md"}]}} == minimal.expect
    assert 'files[0].p: expected "/r/a.md", got "/r/c.md"' == minimal.mismatch.message


def test_the_number_of_tries_is_bounded(vector: Vector) -> None:
    """What is found by then is kept, and says that it may not be the smallest."""
    minimal = shrunk(vector, ask(swaps_a_and_c), max_tries=5)

    assert minimal is not None
    assert (Ending.TRIES, 5) == (minimal.ending, minimal.tries)


def test_the_same_failure_is_made_smaller_in_the_same_way(vector: Vector) -> None:
    """No clock and no chance is in it."""

    assert shrunk(vector, ask(swaps_a_and_c)) == shrunk(vector, ask(swaps_a_and_c))


def test_a_process_that_breaks_on_a_candidate_ends_the_search(vector: Vector) -> None:
    """What was found before it is kept."""
    asked = 0

    def breaks(item: CallItem) -> Outcome:
        nonlocal asked
        asked += 1
        if asked > 8:
            raise Misbehaviour(Misdeed.DIED, "it died")
        return Ok(value=swaps_a_and_c(item.args))

    minimal = shrunk(vector, breaks)

    assert minimal is not None
    assert Ending.MISBEHAVED is minimal.ending


def test_a_candidate_that_fails_otherwise_does_not_count(vector: Vector) -> None:
    """An implementation that refuses smaller trees has another fault there."""

    def refuses(item: CallItem) -> Outcome:
        if item != vector.question:
            return ErrorAnswer(kind="invalid_argument")
        return Ok(value=swaps_a_and_c(item.args))

    assert shrunk(vector, refuses) is None


def test_a_candidate_that_brings_in_something_new_does_not_count(vector: Vector) -> None:
    """A file that did not load before would be about another rule."""

    def invents(item: CallItem) -> Outcome:
        value = dict(swaps_a_and_c(item.args))
        if item != vector.question:
            value["files"] = [{"p": "/elsewhere.md"}, *value["files"]]
        return Ok(value=value)

    assert shrunk(vector, invents) is None


def test_a_crash_is_not_made_smaller(vector: Vector) -> None:
    """There is no answer to compare."""

    assert shrunk(vector, lambda _: Internal(message="boom")) is None


def test_an_expected_error_is_made_smaller_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as the reference still gives that error."""

    def call(_: str, args: Mapping[str, Any], __: CallConfig) -> Mapping[str, Any]:
        if any(entry["p"] == "/r/b.md" for entry in args["tree"]):
            raise InvalidArgumentError("tree", "no b, please")
        return right(args)

    monkeypatch.setattr(shrink, "call_reference", call)
    item = {"fn": "toy.list", "args": {"cwd": "/r", "tree": TREE}}
    vector = make_suite(tmp_path, [echo("toy-b", 0, call=item, expect={"error": "invalid_argument"})]).vectors[0]
    minimal = shrunk(vector, ask(right))

    assert minimal is not None
    assert FailureKind.WRONG_ERROR is minimal.mismatch.kind
    assert isinstance(minimal.question, CallItem)
    assert [{"p": "/r/b.md", "t": ""}] == minimal.question.args["tree"]


def test_a_reference_that_fails_itself_makes_nothing_smaller(vector: Vector, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without knowing what is right there is nothing to look for."""

    def broken(_: str, __: Mapping[str, Any], ___: CallConfig) -> Mapping[str, Any]:
        raise RuntimeError

    monkeypatch.setattr(shrink, "call_reference", broken)

    assert shrunk(vector, ask(swaps_a_and_c)) is None


ANSWER = Ok(
    value={"files": [{"p": "/a", "layer": "user", "text": "A"}], "skipped": [{"p": "/b", "reason": "empty"}], "n": 1}
)


@pytest.mark.parametrize(
    ("expect", "derived"),
    [
        ({"eq": {"x": 1}}, {"eq": ANSWER.value}),
        ({"subset": {"files": [{"p": "/z"}, {"layer": "x"}]}}, {"subset": {"files": [{"p": "/a", "layer": "user"}]}}),
        ({"subset": {"files": []}}, {"subset": {"files": ANSWER.value["files"]}}),
        ({"unordered": {"n": 7}}, {"unordered": {"n": 1}}),
        ({"has": {"skipped": [{"p": "/b"}]}}, {"has": {"skipped": [{"p": "/b"}]}}),
        ({"has": {"skipped": [{"p": "/c"}]}}, None),
        ({"lacks": {"files": [{"p": "/b"}]}}, {"lacks": {"files": [{"p": "/b"}]}}),
        ({"lacks": {"files": [{"p": "/a"}]}}, None),
        ({"between": {"n": [0, 1]}}, {"between": {"n": [0, 1]}}),
        ({"between": {"n": [2, 3]}}, None),
        ({"error": "invalid_argument"}, None),
        ({"one_of": [{"eq": 1}, {"eq": 2}]}, None),
        ({"subset": {"other": 1}}, None),
        ({"choice": "c", "cases": {"v": {"subset": {"n": 5}}, "w": {"eq": 1}}}, {"subset": {"n": 1}}),
        ({"choice": "c", "cases": {"w": {"eq": 1}}}, None),
    ],
)
def test_an_expectation_is_carried_over_in_the_keys_it_names(
    expect: Mapping[str, Any], derived: Mapping[str, Any] | None
) -> None:
    """Values come from the reference; what it does not bear out is not carried over."""

    assert derived == derive_expect(expect, ANSWER, {"c": "v"})


def test_what_is_derived_is_an_expectation_that_the_reference_meets() -> None:
    """So that a replay can hold an implementation to it."""
    derived = derive_expect({"subset": {"files": [{"p": "x", "layer": "y"}]}}, ANSWER, {})

    assert derived is not None
    assert find_mismatch(parse_expectation(derived), ANSWER) is None


def test_names_tell_the_lists_apart() -> None:
    """A file that is skipped is not a file that loads."""

    assert {'.files "/a"', '.skipped "/b"'} == names_of(ANSWER)
    assert frozenset() == names_of(ErrorAnswer(kind="x"))


CALL = CallItem(
    fn="f",
    args={
        "cwd": "/r",
        "bare": True,
        "reads": ["/r/x", "/r/y"],
        "tree": [{"p": "/r/a", "t": "1\n2\n", "mtime": 3}, {"p": "/r/l", "link": "a"}],
    },
    config={"gates": {}},
)


def test_entries_go_by_place() -> None:
    """So many from a place on; none past the last."""
    smaller = drop_entries(CALL, 1, 1)

    assert smaller is not None
    assert CALL.args["tree"][:1] == smaller.args["tree"]
    assert drop_entries(CALL, 2, 1) is None


def test_arguments_go_one_by_one_but_not_those_that_are_needed() -> None:
    """The config, an option, an item of a list, an attribute of an entry."""
    left = [drop_arguments(CALL, place, 1) for place in range(6)]

    assert left[0] is not None
    assert left[0].config is None
    assert ["bare" in item.args for item in left[:5] if item] == [True, False, True, True, True]
    assert [item.args["reads"] for item in left[2:4] if item] == [["/r/y"], ["/r/x"]]
    assert left[4] is not None
    assert {"p": "/r/a", "t": "1\n2\n"} == left[4].args["tree"][0]
    assert left[5] is None


def test_lines_are_counted_over_all_texts() -> None:
    """Those of the entries, then that of an argument `text`."""
    call = CallItem(fn="f", args={"tree": [{"p": "/r/a", "t": "1\n2\n"}, {"p": "/r/b", "t": "3"}], "text": "4\n5"})
    smaller = drop_lines(call, 1, 3)

    assert smaller is not None
    assert {"tree": [{"p": "/r/a", "t": "1\n"}, {"p": "/r/b", "t": ""}], "text": "5"} == smaller.args
    assert drop_lines(call, 5, 1) is None


def test_words_go_with_the_blank_behind_them() -> None:
    """Counted over all texts, so that one mention of several can go."""
    call = CallItem(fn="f", args={"tree": [{"p": "/r/a", "t": "@x.md @y.md\n"}], "text": "one two"})
    smaller = [drop_words(call, place, 1) for place in range(5)]

    assert ["@y.md\n", "@x.md ", "@x.md @y.md\n"] == [item.args["tree"][0]["t"] for item in smaller[:3] if item]
    assert ["two", "one "] == [item.args["text"] for item in smaller[2:4] if item]
    assert smaller[4] is None


def test_nothing_is_changed_in_place() -> None:
    """The call that was given stays as it was."""
    before = repr(CALL)
    for reduce in (drop_entries, drop_arguments, drop_lines, drop_words):
        reduce(CALL, 0, 2)

    assert before == repr(CALL)
