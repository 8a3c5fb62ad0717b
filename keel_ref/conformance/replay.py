"""Sends saved failures again, and nothing else: is it fixed, does it still fail, or does it fail differently?

A file holds the smallest call that failed and, where that was made smaller, the test's own. Both must pass before a
failure counts as fixed; then its files go.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from attrs import frozen

from keel_ref.conformance.compare import plain_text
from keel_ref.conformance.exits import UsageError
from keel_ref.conformance.failures import actual_of
from keel_ref.conformance.hello import declared_choices
from keel_ref.conformance.match import Expectation, ExpectationError, find_mismatch, parse_expectation, resolve_choices
from keel_ref.conformance.misbehaviour import Misbehaviour
from keel_ref.conformance.subject import Misshapen, Subject
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.verdict import failure_of_misbehaviour
from keel_ref.conformance.wire import CallItem, ProgramItem, Question
from keel_ref.conformance.wiretap import first_problem
from keel_ref.resources import spec_folder


class Again(StrEnum):
    """What became of a saved failure."""

    FIXED = "FIXED"
    """What is right came, in the smallest case and in the test's own."""
    STILL_FAILS = "STILL FAILS"
    """The same wrong answer came."""
    NOW_DIFFERENT = "NOW DIFFERENT"
    """Another wrong answer came, or it fails in one of the two cases only."""


@frozen(kw_only=True)
class Saved:
    """One failure file."""

    path: Path
    name: str
    """The test's id."""
    question: Question
    """The smallest call or program that failed."""
    expected: Expectation
    """What is right for it."""
    expect: Mapping[str, Any]
    """The same as the file has it."""
    actual: Mapping[str, Any]
    """What came."""
    choices: Mapping[str, str]
    """The choices under which that is right."""
    suite: str
    """The version of the suite that saved it."""
    original: tuple[Question, Expectation] | None
    """The test's own question, where the smallest is another one."""


@frozen(kw_only=True)
class Replayed:
    """A failure that was sent again."""

    saved: Saved
    again: Again
    message: str
    """Where the answer is still wrong; empty where it is right."""


def find_files(files: Sequence[Path], folder: Path | None) -> list[Path]:
    """The failure files that are meant, in order. Raises `UsageError` where there are none."""
    found = [*files, *(sorted(folder.glob("*.json")) if folder else [])]
    if not found:
        where = f"{folder} holds no failures" if folder else "name a failure file, or --all-from DIR"
        raise UsageError(f"nothing to replay: {where}")
    return found


def load_saved(path: Path) -> Saved:
    """Read one failure file, which people may have edited. Raises `UsageError`."""
    try:
        record = json.loads(path.read_bytes())
        problem = first_problem(_validator().iter_errors(record))
        if problem:
            raise UsageError(f"{path}: not a failure file; {problem}")
        original = record.get("original")
        return Saved(
            path=path,
            name=record["property"],
            question=_read_request(record["request"]),
            expected=parse_expectation(record["expected"]),
            expect=record["expected"],
            actual=record["actual"],
            choices=record["choices"],
            suite=record["suite"],
            original=(_read_original(original), parse_expectation(original["expected"])) if original else None,
        )
    except (OSError, ValueError, RecursionError, ExpectationError) as error:
        raise UsageError(f"{path}: not a failure file that can be read ({error})") from error


def _read_request(request: Mapping[str, Any]) -> Question:
    if request["op"] == "program":
        return ProgramItem(config=request["config"], steps=tuple(request["steps"]))
    return CallItem(**request["calls"][0])


def _read_original(original: Mapping[str, Any]) -> Question:
    if "program" in original:
        return ProgramItem(config=original["program"]["config"], steps=tuple(original["program"]["steps"]))
    return CallItem(**original["call"])


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 (slow to import, and rarely wanted)

    return Draft202012Validator(json.loads((spec_folder() / "schema" / "replay.json").read_bytes()))


def replay(saved: Saved, subject: Subject, suite: Suite) -> Replayed:
    """Send one failure again. Raises `AdapterError` when the process does not start."""
    choices = declared_choices(subject.hello, suite)
    cases = [(saved.question, saved.expected)]
    if saved.original is not None:
        if any(choices.get(name) != value for name, value in saved.choices.items()):
            cases.clear()  # what is right for the smallest case was worked out under other choices
        cases.append(saved.original)
    found = [_ask(subject, question, expected, choices) for question, expected in cases]
    wrong = [(message, actual) for message, actual in found if message]
    if not wrong:
        return Replayed(saved=saved, again=Again.FIXED, message="")
    is_same = len(wrong) == len(found) and found[0][1] == saved.actual
    again = Again.STILL_FAILS if is_same else Again.NOW_DIFFERENT
    return Replayed(saved=saved, again=again, message=wrong[0][0])


def _ask(
    subject: Subject, question: Question, expected: Expectation, choices: Mapping[str, str]
) -> tuple[str, Mapping[str, Any]]:
    """Why the answer is wrong, empty if it is right, and the answer itself."""
    if not subject.is_running:
        subject.restart()
    try:
        outcome = subject.ask(question)
    except Misbehaviour as error:
        failure = failure_of_misbehaviour(error)
        return str(error), actual_of(failure)
    if isinstance(outcome, Misshapen):
        return outcome.problem, {"protocol": outcome.problem}
    resolved = resolve_choices(expected, choices)
    if resolved is None:
        return "says nothing about the choices that are declared now", {}
    mismatch = find_mismatch(resolved, outcome)
    return (mismatch.message if mismatch else ""), actual_of(None, outcome)


def forget(saved: Saved) -> None:
    """Remove the files of a failure that is fixed."""
    for path in (saved.path, saved.path.with_suffix(".ndjson")):
        path.unlink(missing_ok=True)


def render_replayed(replayed: Replayed, suite: Suite) -> Iterator[str]:
    """One line for a person, and more where it is still wrong, or was right for another suite."""
    yield plain_text(f"{replayed.again.value:<13} {replayed.saved.name}")
    if replayed.message:
        yield f"              {plain_text(replayed.message)}"
    if replayed.saved.suite != suite.version:
        yield plain_text(f"              saved by suite {replayed.saved.suite}, this is {suite.version}")
