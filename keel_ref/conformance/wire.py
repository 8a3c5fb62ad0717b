"""The messages of the wire `keel-wire/1` as values, and one line of it read and written. Spec: protocol.md.

A request goes to the implementation's stdin, its answer comes back on stdout, one JSON object a line. What an answer
says is an outcome: `Ok`, or one of the four ways of not giving a result. A process that dies or hangs gives none.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, assert_never

from attrs import field, frozen

from keel_ref.conformance.line import (
    MAX_INTEGER,
    MAX_LINE_BYTES,
    WireError,
    bytes_from_wire,
    decode_line,
    encode_line,
    path_from_wire,
    path_to_wire,
    take_field,
)
from keel_ref.conformance.outcomes import (
    Declined,
    ErrorAnswer,
    Internal,
    Ok,
    Outcome,
    Unsupported,
    outcome_from_object,
    outcome_to_object,
)

__all__ = [
    "MAX_INTEGER",
    "MAX_LINE_BYTES",
    "WIRE_VERSIONS",
    "Answer",
    "Bye",
    "Call",
    "CallItem",
    "Declined",
    "ErrorAnswer",
    "Hello",
    "Internal",
    "Ok",
    "Outcome",
    "Ping",
    "Program",
    "ProgramItem",
    "Question",
    "Request",
    "Resume",
    "Unsupported",
    "WireError",
    "answer_from_object",
    "answer_to_object",
    "bytes_from_wire",
    "decode_line",
    "encode_line",
    "outcome_from_object",
    "outcome_to_object",
    "path_from_wire",
    "path_to_wire",
    "question_to_object",
    "request_from_object",
    "request_to_object",
    "size_question",
]

WIRE_VERSIONS: Final = (1,)
"""The versions of the wire that this suite speaks."""


@frozen(kw_only=True)
class Hello:
    """The first request: which wires, which suite, which limits. The nonce proves that its answer is an answer."""

    id: int
    wire: tuple[int, ...] = WIRE_VERSIONS
    """Versions of the wire to pick from."""
    nonce: str
    """A text that nobody can have written before; comes back unchanged."""
    suite: str
    """Name and version of the suite."""
    revisions: tuple[str, ...]
    """Revisions of the specification to pick from."""
    max_line_bytes: int = MAX_LINE_BYTES
    """The longest line that may be sent."""
    timeout_ms: int
    """How long an answer may take."""


@frozen(kw_only=True)
class Ping:
    """Answered at once with nothing."""

    id: int


@frozen(kw_only=True)
class CallItem:
    """One call of one pure function."""

    fn: str
    """The function's registered name."""
    args: Mapping[str, Any] = field(factory=dict)
    """Its arguments, as the wire writes them."""
    config: Mapping[str, Any] | None = None
    """What it runs under, gates above all; absent means the defaults."""
    test: str | None = None
    """The test's id, told only where `--reveal-ids` asks for it."""


@frozen(kw_only=True)
class Call:
    """Several calls in one message; each has its own outcome, in the same order."""

    id: int
    calls: tuple[CallItem, ...]


@frozen(kw_only=True)
class ProgramItem:
    """A sequence of steps on sessions, run as a whole; each step has its own outcome."""

    config: Mapping[str, Any] = field(factory=dict)
    """What it runs under: the window, the gates, and constants that may be made small."""
    steps: tuple[Any, ...]
    """Each a list of the step's name and its arguments."""
    test: str | None = None
    """The test's id, told only where `--reveal-ids` asks for it."""
    state: str | None = None
    """A folder in which the sessions are left when the program has been answered; None: nothing is left of them."""


@frozen(kw_only=True)
class Program:
    """One program in one message."""

    id: int
    item: ProgramItem


@frozen(kw_only=True)
class Resume:
    """The rest of a program whose process is gone: one session is taken up from a folder, then come the steps."""

    id: int
    item: ProgramItem
    """Its `state` is the folder; what it was run under is said again."""
    session: str
    """The session that is taken up."""


@frozen(kw_only=True)
class Bye:
    """Answered with nothing; then the process ends."""

    id: int


Request = Hello | Ping | Call | Program | Resume | Bye
Question = CallItem | ProgramItem
"""What a test asks."""


@frozen(kw_only=True)
class Answer:
    """What came back for one request."""

    id: int | None
    """The request's id; none for a line that could not be read as a request."""
    outcome: Outcome


def request_to_object(request: Request) -> dict[str, Any]:
    """A request as the JSON object of its line."""
    match request:
        case Hello():
            limits = {"max_line": request.max_line_bytes, "timeout_ms": request.timeout_ms}
            return {
                "id": request.id,
                "op": "hello",
                "wire": list(request.wire),
                "nonce": request.nonce,
                "suite": request.suite,
                "revisions": list(request.revisions),
                "limits": limits,
            }
        case Call():
            return {"id": request.id, "op": "call", "calls": [question_to_object(item) for item in request.calls]}
        case Program():
            return {"id": request.id, "op": "program", **question_to_object(request.item)}
        case Resume():
            return {"id": request.id, "op": "resume", "s": request.session, **question_to_object(request.item)}
        case Ping():
            return {"id": request.id, "op": "ping"}
        case Bye():
            return {"id": request.id, "op": "bye"}
        case _:
            assert_never(request)


def question_to_object(item: Question) -> dict[str, Any]:
    """A call or a program as the fields of its JSON object."""
    message: dict[str, Any]
    if isinstance(item, ProgramItem):
        message = {"config": item.config, "steps": list(item.steps)}
        if item.state is not None:
            message["state"] = item.state
    else:
        message = {"fn": item.fn, "args": item.args}
        if item.config is not None:
            message["config"] = item.config
    if item.test is not None:
        message["test"] = item.test
    return message


def size_question(item: Question) -> int:
    """Characters of what a call or a program says, as JSON."""
    return len(json.dumps(item.args if isinstance(item, CallItem) else [item.config, item.steps]))


def request_from_object(message: Mapping[str, Any]) -> Request:
    """A request from the JSON object of its line; unknown fields are ignored. Raises `WireError`."""
    number = take_field(message, "id", int)
    op = take_field(message, "op", str)
    readers: Mapping[str, Callable[[int, Mapping[str, Any]], Request]] = {
        "hello": _hello_from_object,
        "ping": lambda number, _: Ping(id=number),
        "call": _call_from_object,
        "program": _program_from_object,
        "resume": _resume_from_object,
        "bye": lambda number, _: Bye(id=number),
    }
    if op not in readers:
        raise WireError(f"op {op[:40]!r} is not one of {', '.join(readers)}")
    return readers[op](number, message)


def _hello_from_object(number: int, message: Mapping[str, Any]) -> Hello:
    limits = message.get("limits")
    limits = limits if isinstance(limits, Mapping) else {}
    return Hello(
        id=number,
        wire=tuple(take_field(message, "wire", list)),
        nonce=take_field(message, "nonce", str),
        suite=take_field(message, "suite", str, ""),
        revisions=tuple(take_field(message, "revisions", list, [])),
        max_line_bytes=take_field(limits, "max_line", int, MAX_LINE_BYTES),
        timeout_ms=take_field(limits, "timeout_ms", int, 0),
    )


def _call_from_object(number: int, message: Mapping[str, Any]) -> Call:
    return Call(id=number, calls=tuple(_item_from_object(item) for item in take_field(message, "calls", list)))


def _program_from_object(number: int, message: Mapping[str, Any]) -> Program:
    config = take_field(message, "config", dict, {})
    state = take_field(message, "state", str) if "state" in message else None
    return Program(
        id=number, item=ProgramItem(config=config, steps=tuple(take_field(message, "steps", list)), state=state)
    )


def _resume_from_object(number: int, message: Mapping[str, Any]) -> Resume:
    take_field(message, "state", str)
    item = _program_from_object(number, message).item
    return Resume(id=number, item=item, session=take_field(message, "s", str))


def _item_from_object(item: object) -> CallItem:
    """One call; a broken one keeps its place under a function that nobody has, so that its neighbours live."""
    if not isinstance(item, Mapping) or not isinstance(item.get("fn"), str):
        return CallItem(fn="")
    args, config = item.get("args", {}), item.get("config")
    if not isinstance(args, Mapping) or not isinstance(config, Mapping | None):
        return CallItem(fn="")
    return CallItem(fn=item["fn"], args=args, config=config)


def answer_to_object(answer: Answer) -> dict[str, Any]:
    """An answer as the JSON object of its line."""
    return {"id": answer.id, **outcome_to_object(answer.outcome)}


def answer_from_object(message: Mapping[str, Any]) -> Answer:
    """An answer from the JSON object of its line. Raises `WireError`."""
    return Answer(id=take_field(message, "id", int), outcome=outcome_from_object(message))
