"""What a line from an adapter says, and everything that it may be instead of an answer."""

import re
from collections.abc import Container, Mapping

from attrs import frozen

from keel_ref.conformance.child import show_line
from keel_ref.conformance.misbehaviour import Misbehaviour, Misdeed
from keel_ref.conformance.wire import (
    Answer,
    ErrorAnswer,
    Ok,
    Outcome,
    WireError,
    answer_from_object,
    decode_line,
    outcome_from_object,
)


@frozen(kw_only=True)
class Misshapen:
    """The place of one call in a batch, or of one step in a trace, holds no outcome."""

    problem: str
    """What is wrong with it."""


def read_answer(line: bytes, wanted: int, asked: Container[int] = (), *, is_nobody_due: bool = False) -> Answer:
    """The answer of a line to one request, or to nobody, with the id null, where that is due. Raises `Misbehaviour`.

    What was asked before, and so was answered already, tells a second answer from one to a question never put.
    """

    def stray(misdeed: Misdeed, problem: str) -> Misbehaviour:
        return Misbehaviour(misdeed, problem, detail=show_line(line))

    try:
        message = decode_line(line)
    except WireError as error:
        is_meant = re.search(rb'"id"\s*:\s*%d(?!\d)' % wanted, line)  # the id may stand anywhere
        misdeed = Misdeed.ILL_FORMED if is_meant else Misdeed.POLLUTED
        raise stray(misdeed, f"stdout carried a line that is no answer: {error.problem}") from error
    number = message.get("id")
    if number is None and "id" in message and is_nobody_due:
        return Answer(id=None, outcome=Ok())
    if type(number) is not int:
        raise stray(Misdeed.POLLUTED, "stdout carried JSON that is no answer, for it has no id")
    if number != wanted and number in asked:
        raise stray(Misdeed.ANSWERED_TWICE, "a second answer to one id")
    if number != wanted:
        raise stray(Misdeed.WRONG_ID, "an answer with an id that was never sent")
    try:
        return answer_from_object(message)
    except WireError as error:
        raise stray(Misdeed.ILL_FORMED, f"an ill-formed answer: {error.problem}") from error


def split_outcome(outcome: Outcome, count: int) -> tuple[Outcome | Misshapen, ...]:
    """One outcome for each call of a batch. Raises `Misbehaviour` where there is not one for each."""
    if not isinstance(outcome, Ok):
        if count == 1:
            return (outcome,)
        problem = f"a batch of {count} calls was answered as a whole, instead of call by call"
        raise Misbehaviour(Misdeed.ILL_FORMED, problem)
    results = outcome.value.get("results")
    if not isinstance(results, list) or len(results) != count:
        found = f"{len(results)} results" if isinstance(results, list) else "no list `results`"
        raise Misbehaviour(Misdeed.ILL_FORMED, f"{count} calls were answered with {found}")
    return tuple(_read_result(result) for result in results)


def _read_result(result: object) -> Outcome | Misshapen:
    try:
        return outcome_from_object(result)
    except WireError as error:
        return Misshapen(problem=str(error))


def read_trace(outcome: Outcome, steps: int) -> Outcome | Misshapen:
    """The outcome of a program with its trace as the value: one outcome a step, errors by their kind alone.

    A program that was refused as a whole, or not run, keeps its outcome.
    """
    if not isinstance(outcome, Ok):
        return outcome
    trace = outcome.value.get("trace")
    if not isinstance(trace, list) or len(trace) != steps:
        found = f"{len(trace)} outcomes" if isinstance(trace, list) else "no list `trace`"
        return Misshapen(problem=f"{steps} steps were answered with {found}")
    read: list[Mapping[str, object]] = []
    for place, result in enumerate(trace):
        step = _read_result(result)
        if isinstance(step, Misshapen):
            return Misshapen(problem=f"[{place}]: {step.problem}")
        if not isinstance(step, Ok | ErrorAnswer):
            return Misshapen(problem=f"[{place}]: a step ends in ok or in an error")
        read.append({"ok": step.value} if isinstance(step, Ok) else {"error": {"kind": step.kind}})
    return Ok(value=read)
