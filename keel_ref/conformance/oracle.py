"""What the reference says to one question, in the form in which an answer from the wire is compared."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from keel_ref.conformance.config import CallConfig, call_config
from keel_ref.conformance.kills import without_kills
from keel_ref.conformance.reference import call_reference, run_reference_program
from keel_ref.conformance.wire import ErrorAnswer, Ok, ProgramItem, Question
from keel_ref.errors import KeelError


def ask_reference(question: Question, base: CallConfig) -> Ok | ErrorAnswer:
    """The reference's answer, as JSON would carry it. What is no `KeelError` is a fault of the reference and raised."""
    try:
        value = _answer(question, base)
    except KeelError as error:
        return ErrorAnswer(kind=error.code, message=str(error))
    return Ok(value=json.loads(json.dumps(value)))


def _answer(question: Question, base: CallConfig) -> Any:
    if isinstance(question, ProgramItem):
        return plain_trace(run_reference_program(question.config, without_kills(question.steps), base))
    return call_reference(question.fn, question.args, call_config(question.config, base))


def plain_trace(trace: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """A trace whose errors have their kind alone; messages are never compared."""
    return [{"error": {"kind": step["error"]["kind"]}} if "error" in step else step for step in trace]
