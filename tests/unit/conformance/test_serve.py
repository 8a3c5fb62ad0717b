"""The reference on the wire: every line answered, no call spoils another, stdout stays clean."""

import io
import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from keel_ref.conformance.config import DOCUMENTED, CallConfig, resolve_gates
from keel_ref.conformance.runner import reference_command
from keel_ref.conformance.serve import serve_streams
from keel_ref.conformance.wire import MAX_LINE_BYTES
from keel_ref.errors import NotAFolderError, UnknownChoiceError, UnknownFunctionError

HELLO = {"id": 0, "op": "hello", "wire": [1], "nonce": "n", "suite": "s", "revisions": ["2026.11", "older"]}


def function(name: str, args: Mapping[str, Any], config: CallConfig) -> Mapping[str, Any]:
    """A model of these tests that can fail in every way."""
    match name:
        case "echo":
            return {"value": args.get("value")}
        case "gates":
            return {"gates": dict(config.gates), "choices": dict(config.choices)}
        case "no-folder":
            raise NotAFolderError("/r", "is missing")
        case "boom":
            raise ZeroDivisionError("by zero")
        case "fraction":
            return {"value": 0.5}
        case "set":
            return {"value": {1, 2}}
        case "deep":
            return function("deep", args, config)
        case "huge":
            return {"value": "x" * MAX_LINE_BYTES}
        case _:
            raise UnknownFunctionError(name)


def talk(*lines: object, config: CallConfig | None = None) -> list[dict[str, Any]]:
    """What comes back for these lines; what is no bytes is sent as JSON."""
    sent = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    came = io.BytesIO()
    serve_streams(io.BytesIO(sent), came, config or CallConfig(), call=function)
    return [json.loads(line) for line in came.getvalue().splitlines()]


def call(*names: str, **args: Any) -> dict[str, Any]:
    """A call of several functions."""
    return {"id": 5, "op": "call", "calls": [{"fn": name, "args": args} for name in names]}


def test_hello_says_who_it_is() -> None:
    """With the nonce, the best shared wire, the first revision, every claim and every choice."""
    answer = talk(HELLO, config=CallConfig(choices={"memory.root": "read"}))[0]["ok"]

    assert ("n", 1, "2026.11", "keel-ref") == (
        answer["nonce"],
        answer["wire"],
        answer["revision"],
        answer["impl"]["name"],
    )
    assert {"memory.root": "read"} == answer["choices"]
    assert {} == answer["capabilities"]["memory"]


def test_no_shared_wire_is_said() -> None:
    """With what this side speaks."""
    answer = talk({**HELLO, "wire": [7]})[0]

    assert "speaks 1" in answer["error"]["message"]


def test_bye_is_the_last_thing_answered() -> None:
    """What comes behind it stays unread."""

    assert [{"id": 1, "ok": {}}, {"id": 2, "ok": {}}] == talk(
        {"id": 1, "op": "ping"}, {"id": 2, "op": "bye"}, {"id": 3, "op": "ping"}
    )


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("no-folder", {"error": {"kind": "not_a_folder"}}),
        ("missing", {"error": {"kind": "unknown_function"}}),
        ("boom", {"internal": {"message": "ZeroDivisionError: by zero"}}),
        ("fraction", {"internal": {"message": "WireError: the number 0.5 is not whole; write a ratio as [num, den]"}}),
        ("set", {"internal": {"message": "TypeError: Object of type set is not JSON serializable"}}),
        ("deep", {"internal": {"message": "RecursionError: maximum recursion depth exceeded in comparison"}}),
    ],
)
def test_a_bad_call_spoils_no_neighbour(name: str, outcome: dict[str, Any]) -> None:
    """It has an outcome of its own, and both others are answered."""
    results = talk(call("echo", name, "echo", value=7))[0]["ok"]["results"]
    kind = next(iter(outcome))

    assert [{"ok": {"value": 7}}] * 2 == [results[0], results[2]]
    assert [kind] == list(results[1])
    assert all(results[1][kind][key].startswith(value[:20]) for key, value in outcome[kind].items())


def test_a_result_that_no_line_can_hold_gives_way() -> None:
    """The answer says so instead of being cut."""
    results = talk(call("echo", "huge", value=1))[0]["ok"]["results"]

    assert [{"value": 1}, "internal"] == [results[0]["ok"], next(iter(results[1]))]


@pytest.mark.parametrize("item", [None, 7, {}, {"fn": 3}, {"fn": "echo", "args": 3}])
def test_a_broken_call_is_an_error_of_its_own(item: object) -> None:
    """Its neighbour is answered."""
    results = talk({"id": 1, "op": "call", "calls": [item, {"fn": "echo", "args": {"value": 1}}]})[0]["ok"]["results"]

    assert ["unknown_function", {"value": 1}] == [results[0]["error"]["kind"], results[1]["ok"]]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b"nonsense\n", None),
        (b"\n", None),
        (b"[]\n", None),
        (b"\xff\xfe\n", None),
        (b'{"id":7}\n', 7),
        (b'{"id":7,"op":"dance"}\n', 7),
        (b'{"id":true,"op":"dance"}\n', None),
        (b'{"id":7,"op":"call"}\n', 7),
        (b'{"id":7,"op":"call","calls":[0.5]}\n', None),
        (b'{"id":7,"x":"' + b"x" * MAX_LINE_BYTES + b'"}\n', None),
        (b"[" * 100_000 + b"\n", None),
    ],
)
def test_a_line_that_is_no_request_is_survived(line: bytes, number: int | None) -> None:
    """It is answered by an error, with its id where it has one, and the next line is read as usual."""
    answers = talk(line, {"id": 9, "op": "ping"})

    assert [number, 9] == [answer["id"] for answer in answers]
    assert "malformed_request" == answers[0]["error"]["kind"]


def test_the_last_line_needs_no_end() -> None:
    """What a shell sends without one is answered all the same."""

    assert [{"id": 1, "ok": {}}] == talk(b'{"id":1,"op":"ping"}')


@pytest.mark.parametrize(
    ("config", "is_open"),
    [(None, False), ({}, False), ({"gates": "released"}, False), ({"gates": {"team_memory": True}}, True)],
)
def test_gates_are_inputs_of_a_call(config: object, *, is_open: bool) -> None:
    """A preset or a map, laid over the default."""
    answer = talk({"id": 1, "op": "call", "calls": [{"fn": "gates", "args": {}, "config": config}]})[0]

    assert is_open is answer["ok"]["results"][0]["ok"]["gates"]["team_memory"]


@pytest.mark.parametrize("gates", ["other", {"nothing": True}, {"team_memory": "yes"}, [1]])
def test_an_odd_gate_is_the_callers_fault(gates: object) -> None:
    """Of that call alone."""
    answer = talk({"id": 1, "op": "call", "calls": [{"fn": "gates", "args": {}, "config": {"gates": gates}}]})[0]

    assert answer["ok"]["results"][0]["error"]["kind"] in ("unknown_choice", "invalid_argument")


def test_a_map_of_gates_changes_the_base_alone() -> None:
    """What is not named stays as it is, and the base itself is not touched."""
    gates = resolve_gates({"team_memory": True})

    assert {**DOCUMENTED, "team_memory": True} == gates
    assert DOCUMENTED["team_memory"] is False
    with pytest.raises(UnknownChoiceError):
        resolve_gates({"nothing": True})


def test_what_a_library_prints_stays_off_stdout() -> None:
    """Only answers reach it, whatever prints, in Python or below it."""
    start = (
        "import os, sys, keel_ref.conformance.serve as s\n"
        "from keel_ref.conformance.config import CallConfig\n"
        "def call(name, args, config):\n"
        "    print('python prints'); os.write(1, b'the system prints\\n'); return {}\n"
        "s.serve(CallConfig(), call=call)\n"
    )
    sent = b'{"id":1,"op":"call","calls":[{"fn":"x","args":{}}]}\n'
    done = subprocess.run([sys.executable, "-c", start], input=sent, capture_output=True, check=True, timeout=30)

    assert [{"id": 1, "ok": {"results": [{"ok": {}}]}}] == [json.loads(line) for line in done.stdout.splitlines()]
    assert b"python prints" in done.stderr
    assert b"the system prints" in done.stderr


def test_the_whole_reference_answers_a_real_call() -> None:
    """As a process of its own, with the model behind it."""
    tree = [{"p": "/r/CLAUDE.md", "t": "hi"}]
    request = {"id": 1, "op": "call", "calls": [{"fn": "memory.load", "args": {"cwd": "/r", "tree": tree}}]}
    sent = json.dumps(request).encode() + b"\n"
    done = subprocess.run(reference_command(), input=sent, capture_output=True, check=True, timeout=60)
    files = json.loads(done.stdout)["ok"]["results"][0]["ok"]["files"]

    assert ["/r/CLAUDE.md"] == [file["p"] for file in files]
