"""Nastier lines than a run would ever send: whether an adapter reads the wire as it is, or only as it usually looks.

Each probe talks to a process of its own, so that one fault says nothing about the next. What is asked for is the
envelope alone; no probe depends on what the implementation claims.
"""

from __future__ import annotations

import json
import secrets
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from attrs import field, frozen

from keel_ref.conformance.child import Child, start_child
from keel_ref.conformance.hello import HelloAnswer, read_hello
from keel_ref.conformance.misbehaviour import AdapterError, Misbehaviour, Misdeed
from keel_ref.conformance.smoke import Colour
from keel_ref.conformance.subject import Limits
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.wire import (
    Answer,
    ErrorAnswer,
    Hello,
    Internal,
    Ok,
    Outcome,
    WireError,
    answer_from_object,
    decode_line,
    encode_line,
    outcome_from_object,
    outcome_to_object,
    request_to_object,
)

_LARGE_BYTES: Final = 4 * 1024 * 1024
_PAUSE_SECONDS: Final = 0.03
_ENDING_SECONDS: Final = 2.0
_NOBODY: Final = {"fn": "adapter.no_such_function", "args": {}}
"""A call that every adapter can answer, because none has the function."""


@frozen(kw_only=True)
class Finding:
    """What one probe found."""

    name: str
    """What the adapter should do."""
    colour: Colour
    """Whether it does."""
    reason: str
    """Why it matters; where it does not hold, what happened instead."""


class _Unexpected(Exception):
    """The probe found something else than it asked for; the message says what."""


@frozen(kw_only=True)
class _Talk:
    """A started adapter that has said hello, and raw lines to and from it."""

    child: Child
    hello: HelloAnswer
    seconds: float = field()
    """How long one answer may take."""

    def send(self, *pieces: bytes) -> None:
        """Write bytes as they are, with a pause between the pieces."""
        for number, piece in enumerate(pieces):
            if number:
                time.sleep(_PAUSE_SECONDS)
            self.child.send(piece, time.monotonic() + self.seconds)

    def receive(self) -> Answer:
        """The next answer that is for somebody; complaints about nonsense, with the id null, are passed over."""
        deadline = time.monotonic() + self.seconds
        while True:
            message = decode_line(self.child.receive(deadline))
            if message.get("id", 0) is not None:
                return answer_from_object(message)

    def ask(self, number: int, **request: Any) -> Outcome:
        """The outcome of one request, which must come back under its own id."""
        self.send(_line({"id": number, **request}))
        return self.expect(number)

    def expect(self, number: int) -> Outcome:
        """The outcome of a request that was sent before."""
        answer = self.receive()
        if answer.id != number:
            raise _Unexpected(f"the answer to request {number} came back under the id {answer.id}")
        return answer.outcome


def probe(command: tuple[str, ...], suite: Suite, *, limits: Limits | None = None) -> Iterator[Finding]:
    """Every probe in turn, each as soon as it is known. Raises `AdapterError` where no hello comes back."""
    for name in _PROBES:
        yield probe_one(name, command, suite, limits=limits)


def probe_one(name: str, command: tuple[str, ...], suite: Suite, *, limits: Limits | None = None) -> Finding:
    """One probe by its name. Raises `AdapterError` where no hello comes back."""
    why, run = _PROBES[name]
    try:
        talk = _start(command, suite, limits or Limits())
    except (Misbehaviour, WireError) as error:
        where = "" if str(error).startswith("hello") else "hello: "
        raise AdapterError(f"{where}{error}; `keel-ref smoke` explains it") from error
    try:
        run(talk)
    except (Misbehaviour, WireError, _Unexpected) as error:
        return Finding(name=name, colour=Colour.RED, reason=str(error))
    finally:
        talk.child.end()
    return Finding(name=name, colour=Colour.GREEN, reason=why)


def _start(command: tuple[str, ...], suite: Suite, limits: Limits) -> _Talk:
    """A process of its own for one probe, as far as its hello."""
    child = start_child(command, max_line_bytes=limits.max_line_bytes)
    nonce = secrets.token_hex(8)
    request = Hello(
        id=0, nonce=nonce, suite=f"keel-ref {suite.version}", revisions=(suite.revision,), timeout_ms=limits.timeout_ms
    )
    deadline = time.monotonic() + limits.handshake_timeout_ms / 1000
    try:
        child.send(encode_line(request_to_object(request)), deadline)
        answer = answer_from_object(decode_line(child.receive(deadline)))
        hello = read_hello(answer.outcome, nonce)
    except (Misbehaviour, WireError):
        child.end()
        raise
    return _Talk(child=child, hello=hello, seconds=limits.timeout_ms / 1000)


def _line(message: Mapping[str, Any]) -> bytes:
    """A line of the wire, also for what `encode_line` would refuse to send."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def _require_ok(outcome: Outcome) -> Mapping[str, Any]:
    if not isinstance(outcome, Ok):
        raise _Unexpected(f"ok was due; it gave {_show(outcome)}")
    value: Mapping[str, Any] = outcome.value
    return value


def _require_refusal(outcome: Outcome) -> None:
    if isinstance(outcome, Ok | Internal):
        raise _Unexpected(f"an error was due; it gave {_show(outcome)}")


def _results(outcome: Outcome, count: int) -> list[Outcome]:
    """The results of a batch, as many as there were calls."""
    results = _require_ok(outcome).get("results")
    if not isinstance(results, list) or len(results) != count:
        raise _Unexpected(f"{count} results were due; it gave {json.dumps(results)[:200]}")
    return [outcome_from_object(result) for result in results]


def _require_unknown_function(outcome: Outcome) -> None:
    if not isinstance(outcome, ErrorAnswer) or outcome.kind != "unknown_function":
        raise _Unexpected(f'the error "unknown_function" was due; it gave {_show(outcome)}')


def _show(outcome: Outcome) -> str:
    return json.dumps(outcome_to_object(outcome))[:200]


def _unknown_fields(talk: _Talk) -> None:
    _require_ok(talk.ask(1, op="ping", later={"version": [2]}))
    (outcome,) = _results(talk.ask(2, op="call", calls=[{**_NOBODY, "later": True}], later=1), 1)
    _require_unknown_function(outcome)


def _unknown_operation(talk: _Talk) -> None:
    """Silence is as good as an error; only a result would be a lie."""
    strange, next_one = 1, 2
    talk.send(_line({"id": strange, "op": "resume_later"}), _line({"id": next_one, "op": "ping"}))
    answer = talk.receive()
    if answer.id == strange:
        _require_refusal(answer.outcome)
        answer = talk.receive()
    if answer.id != next_one:
        raise _Unexpected(f"request {next_one}, sent behind it, was answered under the id {answer.id}")
    _require_ok(answer.outcome)


def _large_line(talk: _Talk) -> None:
    call = {"fn": _NOBODY["fn"], "args": {"text": "x" * _LARGE_BYTES}}
    (outcome,) = _results(talk.ask(1, op="call", calls=[call]), 1)
    _require_unknown_function(outcome)


def _two_in_flight(talk: _Talk) -> None:
    talk.send(_line({"id": 1, "op": "ping"}) + _line({"id": 2, "op": "ping"}))
    answers = [talk.receive(), talk.receive()]
    ids = [answer.id for answer in answers]
    if sorted(ids, key=str) != [1, 2]:
        raise _Unexpected(f"requests 1 and 2 were answered under the ids {ids}")
    if ids != [1, 2] and talk.hello.max_inflight == 1:
        raise _Unexpected("answers came out of order, though max_inflight is 1")
    for answer in answers:
        _require_ok(answer.outcome)


def _lone_cr(talk: _Talk) -> None:
    talk.send(b'{"id":1,\r"op":"ping"}\n')
    _require_ok(talk.expect(1))


def _cr_lf(talk: _Talk) -> None:
    talk.send(b'{"id":1,"op":"ping"}\r\n')
    _require_ok(talk.expect(1))


def _split_writes(talk: _Talk) -> None:
    line = _line({"id": 1, "op": "ping", "word": "é"}).replace(b"\\u00e9", "é".encode())
    inside_character = line.index("é".encode()) + 1
    talk.send(line[:5], line[5:inside_character], line[inside_character:-1], line[-1:])
    _require_ok(talk.expect(1))


def _unknown_function(talk: _Talk) -> None:
    (outcome,) = _results(talk.ask(1, op="call", calls=[_NOBODY]), 1)
    _require_unknown_function(outcome)


def _bad_among_good(talk: _Talk) -> None:
    bad: tuple[object, ...] = ({}, {"fn": 7}, {"fn": _NOBODY["fn"], "args": []}, None, "memory.load")
    calls = [_NOBODY, *bad, _NOBODY]
    first, *between, last = _results(talk.ask(1, op="call", calls=calls), len(calls))
    for outcome in between:
        if isinstance(outcome, Ok):
            raise _Unexpected(f"a call that is none was answered with {_show(outcome)}")
    for outcome in (first, last):
        _require_unknown_function(outcome)


def _empty_batch(talk: _Talk) -> None:
    _results(talk.ask(1, op="call", calls=[]), 0)


def _nonsense(talk: _Talk) -> None:
    for number, line in enumerate((b"hello?", b"", b"[]", b"7", b"null", b'{"id":1,"op"', b"\xff\xfe{}"), start=1):
        talk.send(line + b"\n")
        try:
            _require_ok(talk.ask(number, op="ping"))
        except (Misbehaviour, WireError, _Unexpected) as error:
            raise _Unexpected(f"after the line {line!r}: {error}") from error


def _bye(talk: _Talk) -> None:
    """It ends before its stdin is closed, which would end it anyhow."""
    _require_ok(talk.ask(1, op="bye"))
    try:
        line = talk.child.receive(time.monotonic() + _ENDING_SECONDS)
    except Misbehaviour as error:
        if error.misdeed is not Misdeed.DIED:
            raise _Unexpected("it did not end by itself after bye") from error
    else:
        raise _Unexpected(f"it went on after bye: {line[:80]!r}")
    _require_end(talk, "after bye")


def _end_of_input(talk: _Talk) -> None:
    _require_ok(talk.ask(1, op="ping"))
    _require_end(talk, "when its stdin was closed")


def _require_end(talk: _Talk, when: str) -> None:
    """The process must end by itself; `end` closes its stdin, waits, and kills what is left."""
    talk.child.end(patience_seconds=_ENDING_SECONDS)
    if talk.child.process.returncode == -signal.SIGKILL:
        raise _Unexpected(f"it did not end {when} and had to be killed")
    if talk.child.notes:
        raise _Unexpected("; ".join(sorted(talk.child.notes)))


_PROBES: Final[Mapping[str, tuple[str, Callable[[_Talk], None]]]] = {
    "unknown fields are ignored": ("later versions of the wire add fields", _unknown_fields),
    "an unknown operation is survived": (
        "a later suite may ask for more; it gets an error or nothing",
        _unknown_operation,
    ),
    "a line of 4 MiB is read whole": ("a tree travels in one line of up to 8 MiB", _large_line),
    "two requests may wait in the pipe": (
        "a reader that takes one chunk for one line loses the second",
        _two_in_flight,
    ),
    "a CR inside a line ends nothing": ("only LF ends a line; CR is white space of JSON", _lone_cr),
    "a CR before the LF is white space": ("a hand-written request may come from Windows", _cr_lf),
    "a line may come in pieces": ("a pipe cuts where it likes, also inside a character", _split_writes),
    "an unknown function is an error": (
        'its kind is "unknown_function"; a crash would be scored as one',
        _unknown_function,
    ),
    "a bad call spares its neighbours": ("every call of a batch has its own outcome", _bad_among_good),
    "an empty batch has no results": ("no call is no error", _empty_batch),
    "nonsense is survived": ("a line that is no request gets an error under the id null, or nothing", _nonsense),
    "bye is answered, then it ends": ("a process that stays must be killed", _bye),
    "the end of input ends it": ("a runner that dies says no bye", _end_of_input),
}
"""What is asked, why, and how."""
