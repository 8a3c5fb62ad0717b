"""Messages as values: read as written, refused where they are none."""

from typing import Any

import pytest

from keel_ref.conformance.wire import (
    Answer,
    Bye,
    Call,
    CallItem,
    Declined,
    ErrorAnswer,
    Hello,
    Internal,
    Ok,
    Outcome,
    Ping,
    Request,
    Unsupported,
    WireError,
    answer_from_object,
    answer_to_object,
    outcome_from_object,
    request_from_object,
    request_to_object,
)

REQUESTS: list[Request] = [
    Hello(id=0, nonce="9f", suite="keel-ref 1", revisions=("2026.11",), timeout_ms=2000),
    Ping(id=1),
    Call(id=2, calls=(CallItem(fn="a.b", args={"x": 1}), CallItem(fn="a.c", args={}, config={"gates": "released"}))),
    Bye(id=3),
]
OUTCOMES: list[Outcome] = [
    Ok(value={"files": []}),
    ErrorAnswer(kind="not_a_folder", message="no such folder"),
    Unsupported(capability="memory.includes"),
    Declined(reason="known gap", issue="https://example.org/1"),
    Internal(message="TypeError", trace="line 1"),
]


@pytest.mark.parametrize("request_", REQUESTS)
def test_a_request_is_read_as_it_was_written(request_: Request) -> None:
    """Nothing is lost on the way, whatever the kind."""

    assert request_ == request_from_object(request_to_object(request_))


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_an_answer_is_read_as_it_was_written(outcome: Outcome) -> None:
    """Nothing is lost on the way back."""
    answer = Answer(id=4, outcome=outcome)

    assert answer == answer_from_object(answer_to_object(answer))


def test_hello_says_its_limits() -> None:
    """The longest line and the time for an answer stand in hello."""
    message = request_to_object(REQUESTS[0])

    assert {"max_line": 8388608, "timeout_ms": 2000} == message["limits"]
    assert [1] == message["wire"]


def test_a_call_says_no_more_than_it_must() -> None:
    """Without a config, and without `--reveal-ids`, a call holds its function and its arguments."""
    message = request_to_object(Call(id=2, calls=(CallItem(fn="a.b", args={"x": 1}),)))

    assert [{"fn": "a.b", "args": {"x": 1}}] == message["calls"]


def test_a_revealed_test_travels_with_its_call() -> None:
    """The id of the test is one more field, for those who ask for it."""
    message = request_to_object(Call(id=2, calls=(CallItem(fn="a.b", test="the-test"),)))

    assert "the-test" == message["calls"][0]["test"]


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"id": 1},
        {"op": "ping"},
        {"id": "1", "op": "ping"},
        {"id": True, "op": "ping"},
        {"id": 1, "op": "dance"},
        {"id": 1, "op": "call"},
        {"id": 1, "op": "call", "calls": {}},
        {"id": 0, "op": "hello", "wire": [1]},
        {"id": 0, "op": "hello", "wire": 1, "nonce": "x"},
    ],
)
def test_what_is_no_request_is_refused(message: dict[str, Any]) -> None:
    """A missing or ill-typed field is said, not guessed."""

    with pytest.raises(WireError):
        request_from_object(message)


def test_unknown_fields_are_ignored() -> None:
    """A newer suite may say more."""

    assert Ping(id=1) == request_from_object({"id": 1, "op": "ping", "mood": "fine"})


@pytest.mark.parametrize(
    "item", [None, 1, {}, {"fn": 1}, {"fn": "a.b", "args": []}, {"fn": "a.b", "args": {}, "config": 1}]
)
def test_a_broken_call_keeps_its_place(item: object) -> None:
    """Its neighbours are read as if nothing were wrong."""
    call = request_from_object({"id": 1, "op": "call", "calls": [item, {"fn": "a.b", "args": {}}]})

    assert isinstance(call, Call)
    assert ["", "a.b"] == [each.fn for each in call.calls]


@pytest.mark.parametrize(
    "message",
    [
        {},
        None,
        [],
        {"ok": 1},
        {"ok": {}, "error": {"kind": "x"}},
        {"error": {}},
        {"error": "broken"},
        {"internal": "boom"},
        {"result": {}},
    ],
)
def test_what_is_no_outcome_is_refused(message: object) -> None:
    """An answer is exactly one of five things."""

    with pytest.raises(WireError):
        outcome_from_object(message)


@pytest.mark.parametrize("number", [None, "1", True, 1.0])
def test_an_answer_without_a_whole_id_is_refused(number: object) -> None:
    """Only the id says which request it answers."""

    with pytest.raises(WireError):
        answer_from_object({"id": number, "ok": {}})


def test_free_text_of_the_wrong_type_counts_as_none() -> None:
    """What is never compared is never a reason to fail."""

    assert Declined(reason="", issue="") == outcome_from_object({"declined": {"reason": 7}})
