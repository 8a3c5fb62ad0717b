"""The reference on stdin and stdout, as any adapter is. Spec: protocol.md."""

import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO, Final, assert_never

from attrs import evolve

from keel_ref.adapters.program_store import Left, leave, take_up
from keel_ref.conformance.config import CallConfig, call_config
from keel_ref.conformance.reference import (
    call_reference,
    claimed_capabilities,
    describe_reference,
    run_reference_program,
)
from keel_ref.conformance.wire import (
    MAX_LINE_BYTES,
    WIRE_VERSIONS,
    Answer,
    Bye,
    Call,
    CallItem,
    ErrorAnswer,
    Hello,
    Internal,
    Ok,
    Outcome,
    Ping,
    Program,
    ProgramItem,
    Request,
    Resume,
    WireError,
    answer_to_object,
    decode_line,
    encode_line,
    outcome_to_object,
    request_from_object,
)
from keel_ref.errors import KeelError

CallFunction = Callable[[str, Mapping[str, Any], CallConfig], Mapping[str, Any]]
"""A function's name, its arguments and what it runs under, to its result."""

_DRAIN_BYTES: Final = 64 * 1024


def serve(config: CallConfig, *, call: CallFunction = call_reference) -> None:
    """Answer requests on stdin until `bye` or the end of input. Nothing but answers reaches stdout."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints goes to stderr
    sys.stdout = sys.stderr
    serve_streams(sys.stdin.buffer, answers, config, call=call)


def serve_streams(requests: BinaryIO, answers: BinaryIO, config: CallConfig, *, call: CallFunction) -> None:
    """Answer each line of one stream on the other, in order."""
    while line := requests.readline(MAX_LINE_BYTES + 1):
        if not line.endswith(b"\n") and len(line) > MAX_LINE_BYTES:
            _skip_line(requests)
        answer, is_last = _answer_line(line, config, call)
        answers.write(_encode_answer(answer))
        answers.flush()
        if is_last:
            return


def _skip_line(requests: BinaryIO) -> None:
    """Read on to the end of a line that is too long, keeping nothing."""
    while (rest := requests.readline(_DRAIN_BYTES)) and not rest.endswith(b"\n"):
        pass


def _answer_line(line: bytes, config: CallConfig, call: CallFunction) -> tuple[Answer, bool]:
    """The answer to one line, and whether it was the last. A line that is no request gets an error, never silence."""
    number: int | None = None
    try:
        message = decode_line(line)
        asked = message.get("id")
        number = asked if isinstance(asked, int) and not isinstance(asked, bool) else None
        request = request_from_object(message)
    except WireError as error:
        return Answer(id=number, outcome=ErrorAnswer(kind=error.code, message=str(error))), False
    return Answer(id=request.id, outcome=_answer_request(request, config, call)), isinstance(request, Bye)


def _answer_request(request: Request, config: CallConfig, call: CallFunction) -> Outcome:
    match request:
        case Hello():
            return _answer_hello(request, config)
        case Call():
            results = [outcome_to_object(_answer_item(item, config, call)) for item in request.calls]
            return Ok(value={"results": results})
        case Program():
            return _answer_program(request.item, config)
        case Resume():
            return _answer_resume(request, config)
        case Ping() | Bye():
            return Ok()
        case _:
            assert_never(request)


def _answer_hello(request: Hello, config: CallConfig) -> Outcome:
    shared = [version for version in request.wire if version in WIRE_VERSIONS]
    if not shared:
        spoken = ", ".join(str(version) for version in WIRE_VERSIONS)
        return ErrorAnswer(kind="malformed_request", message=f"no shared wire version; this side speaks {spoken}")
    revision = {"revision": request.revisions[0]} if request.revisions else {}
    return Ok(
        value={
            "wire": max(shared),
            "nonce": request.nonce,
            **revision,
            "impl": describe_reference(),
            "capabilities": claimed_capabilities(),
            "choices": dict(sorted(config.choices.items())),
            "max_inflight": 1,
        }
    )


def _answer_item(item: CallItem, config: CallConfig, call: CallFunction) -> Outcome:
    """The outcome of one call. Whatever it raises stays its own: the next call runs as if it had not been."""
    try:
        return Ok(value=call(item.fn, item.args, call_config(item.config, config)))
    except KeelError as error:
        return ErrorAnswer(kind=error.code, message=str(error))
    except Exception as error:  # noqa: BLE001 (a fault of ours is told on the wire, not by a dead process)
        return Internal(message=f"{type(error).__name__}: {error}", trace=traceback.format_exc(limit=-8))


def _answer_program(item: ProgramItem, config: CallConfig) -> Outcome:
    """The outcome of a program: its trace, or why its config cannot be used."""
    return _guarded(lambda: _run_and_leave(item, config, done=()))


def _answer_resume(request: Resume, config: CallConfig) -> Outcome:
    """The outcome of the rest of a program: of the session that is taken up, then of each step."""

    def run() -> Sequence[Mapping[str, Any]]:
        left = take_up(request.item.state or "")
        steps = (["resume", {"s": request.session}], *request.item.steps)
        item = evolve(request.item, config=left.config, steps=steps)
        return _run_and_leave(item, config, done=left.steps)

    return _guarded(run)


def _run_and_leave(item: ProgramItem, config: CallConfig, *, done: Sequence[Any]) -> Sequence[Mapping[str, Any]]:
    """The trace of the steps behind those that were done before. Raises `KeelError`."""
    steps = (*done, *item.steps)
    trace = run_reference_program(item.config, steps, config)
    if item.state is not None:
        leave(item.state, Left(config=item.config, steps=steps))
    return trace[len(done) :]


def _guarded(run: Callable[[], Sequence[Mapping[str, Any]]]) -> Outcome:
    try:
        return Ok(value={"trace": run()})
    except KeelError as error:
        return ErrorAnswer(kind=error.code, message=str(error))
    except Exception as error:  # noqa: BLE001 (as above)
        return Internal(message=f"{type(error).__name__}: {error}", trace=traceback.format_exc(limit=-8))


def _encode_answer(answer: Answer) -> bytes:
    """The line of an answer. A result that the wire cannot carry gives way alone; an answer too long, as a whole."""
    message = answer_to_object(answer)
    problem = _problem(message)
    if problem and "results" in message.get("ok", {}):
        message["ok"] = {"results": [_carriable(result) for result in message["ok"]["results"]]}
        problem = _problem(message)
    if problem:
        message = answer_to_object(Answer(id=answer.id, outcome=Internal(message=problem)))
    return encode_line(message)


def _carriable(result: Mapping[str, Any]) -> Mapping[str, Any]:
    problem = _problem(result)
    return outcome_to_object(Internal(message=problem)) if problem else result


def _problem(message: Mapping[str, Any]) -> str:
    """Why the wire cannot carry a message; empty if it can."""
    try:
        encode_line(message)
    except (WireError, TypeError, ValueError, RecursionError) as error:
        return f"{type(error).__name__}: {error}"
    return ""
