"""The messages of the wire `keel-wire/1` as values, and one line of it read and written. Spec: protocol.md.

A request goes to the implementation's stdin, its answer comes back on stdout, one JSON object a line. What an answer
says is an outcome: `Ok`, or one of the four ways of not giving a result. A process that dies or hangs gives none.
"""

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
    "Request",
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
    "request_from_object",
    "request_to_object",
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
class Bye:
    """Answered with nothing; then the process ends."""

    id: int


Request = Hello | Ping | Call | Bye


@frozen(kw_only=True)
class Ok:
    """A result."""

    value: Mapping[str, Any] = field(factory=dict)


@frozen(kw_only=True)
class ErrorAnswer:
    """The input is at fault, and the implementation says so."""

    kind: str
    """A registered kind, mapped from whatever the implementation raises."""
    message: str = ""
    """Free text, never compared."""


@frozen(kw_only=True)
class Unsupported:
    """Not claimed, so not done. For something that is claimed it is a failure."""

    capability: str


@frozen(kw_only=True)
class Declined:
    """Claimed, not done, and known: a failure that only the expected file excuses."""

    reason: str
    issue: str = ""


@frozen(kw_only=True)
class Internal:
    """A crash that was caught. It never stands for an expected error."""

    message: str
    trace: str = ""


Outcome = Ok | ErrorAnswer | Unsupported | Declined | Internal


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
            return {"id": request.id, "op": "call", "calls": [_item_to_object(item) for item in request.calls]}
        case Ping():
            return {"id": request.id, "op": "ping"}
        case Bye():
            return {"id": request.id, "op": "bye"}
        case _:
            assert_never(request)


def _item_to_object(item: CallItem) -> dict[str, Any]:
    message: dict[str, Any] = {"fn": item.fn, "args": item.args}
    if item.config is not None:
        message["config"] = item.config
    if item.test is not None:
        message["test"] = item.test
    return message


def request_from_object(message: Mapping[str, Any]) -> Request:
    """A request from the JSON object of its line; unknown fields are ignored. Raises `WireError`."""
    number = _typed(message, "id", int)
    op = _typed(message, "op", str)
    readers: Mapping[str, Callable[[int, Mapping[str, Any]], Request]] = {
        "hello": _hello_from_object,
        "ping": lambda number, _: Ping(id=number),
        "call": _call_from_object,
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
        wire=tuple(_typed(message, "wire", list)),
        nonce=_typed(message, "nonce", str),
        suite=_typed(message, "suite", str, ""),
        revisions=tuple(_typed(message, "revisions", list, [])),
        max_line_bytes=_typed(limits, "max_line", int, MAX_LINE_BYTES),
        timeout_ms=_typed(limits, "timeout_ms", int, 0),
    )


def _call_from_object(number: int, message: Mapping[str, Any]) -> Call:
    return Call(id=number, calls=tuple(_item_from_object(item) for item in _typed(message, "calls", list)))


def _item_from_object(item: object) -> CallItem:
    """One call; a broken one keeps its place under a function that nobody has, so that its neighbours live."""
    if not isinstance(item, Mapping) or not isinstance(item.get("fn"), str):
        return CallItem(fn="")
    args, config = item.get("args", {}), item.get("config")
    if not isinstance(args, Mapping) or not isinstance(config, Mapping | None):
        return CallItem(fn="")
    return CallItem(fn=item["fn"], args=args, config=config)


def outcome_to_object(outcome: Outcome) -> dict[str, Any]:
    """An outcome as the one field of its JSON object."""
    match outcome:
        case Ok():
            return {"ok": outcome.value}
        case ErrorAnswer():
            return {"error": {"kind": outcome.kind, "message": outcome.message}}
        case Unsupported():
            return {"unsupported": {"capability": outcome.capability}}
        case Declined():
            issue = {"issue": outcome.issue} if outcome.issue else {}
            return {"declined": {"reason": outcome.reason, **issue}}
        case Internal():
            trace = {"trace": outcome.trace} if outcome.trace else {}
            return {"internal": {"message": outcome.message, **trace}}
        case _:
            assert_never(outcome)


def outcome_from_object(message: object) -> Outcome:
    """An outcome from its JSON object. Raises `WireError` where it is none, or two at once."""
    kinds = ("ok", "error", "unsupported", "declined", "internal")
    found = [kind for kind in kinds if kind in message] if isinstance(message, Mapping) else []
    if len(found) != 1 or not isinstance(message, Mapping):
        raise WireError(f"an answer holds exactly one of {', '.join(kinds)}")
    body = _typed(message, found[0], dict)
    match found[0]:
        case "ok":
            return Ok(value=body)
        case "error":
            return ErrorAnswer(kind=_typed(body, "kind", str), message=_text(body, "message"))
        case "unsupported":
            return Unsupported(capability=_text(body, "capability"))
        case "declined":
            return Declined(reason=_text(body, "reason"), issue=_text(body, "issue"))
        case _:
            return Internal(message=_text(body, "message"), trace=_text(body, "trace"))


def answer_to_object(answer: Answer) -> dict[str, Any]:
    """An answer as the JSON object of its line."""
    return {"id": answer.id, **outcome_to_object(answer.outcome)}


def answer_from_object(message: Mapping[str, Any]) -> Answer:
    """An answer from the JSON object of its line. Raises `WireError`."""
    return Answer(id=_typed(message, "id", int), outcome=outcome_from_object(message))


_ABSENT: Final = object()


def _typed(message: Mapping[str, Any], name: str, kind: type, default: object = _ABSENT) -> Any:
    value = message.get(name, default)
    if value is _ABSENT:
        raise WireError(f"the field {name!r} is missing")
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise WireError(f"the field {name!r} is not {_KINDS[kind]}")
    return value


_KINDS: Final[Mapping[type, str]] = {int: "a whole number", str: "a text", list: "a list", dict: "an object"}


def _text(body: Mapping[str, Any], name: str) -> str:
    """Free text that is never compared; anything else counts as none."""
    value = body.get(name, "")
    return value if isinstance(value, str) else ""
