"""Makes a saved failure smaller than it was made when it was found, and writes it down again."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import frozen

from keel_ref.conformance.compare import plain_text
from keel_ref.conformance.explore_model import expect_by, reference_model
from keel_ref.conformance.explore_probe import Patience, Prober, Seen
from keel_ref.conformance.failures import actual_of, plain_lines, request_record
from keel_ref.conformance.hello import declared_choices
from keel_ref.conformance.match import find_mismatch, resolve_choices
from keel_ref.conformance.replay import Saved
from keel_ref.conformance.report_terminal import ENDINGS
from keel_ref.conformance.show_call import show_question
from keel_ref.conformance.shrink import Ending, ask_subject, minimise
from keel_ref.conformance.shrink_program import shrink_program
from keel_ref.conformance.subject import Subject
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.vectors import Vector
from keel_ref.conformance.verdict import failure_of_mismatch
from keel_ref.conformance.wire import CallItem, Outcome, ProgramItem, Question, question_to_object, size_question

MAX_TRIES: Final = 100_000
"""Candidates; the time is what bounds it."""


@frozen(kw_only=True)
class Smaller:
    """What a saved failure came down to."""

    question: Question
    expect: Mapping[str, Any]
    actual: Mapping[str, Any]
    message: str
    ending: Ending

    def is_smaller_than(self, saved: Saved) -> bool:
        """Whether it says less than what was saved."""
        return size_question(self.question) < size_question(saved.question)


def shrink_saved(saved: Saved, subject: Subject, suite: Suite, *, max_seconds: float) -> Smaller | None:
    """A saved failure as small as the time allows; none where it does not fail any more. Raises `AdapterError`."""
    choices = declared_choices(subject.hello, suite)
    if isinstance(saved.question, ProgramItem):
        return _shrink_program(saved.question, subject, choices, max_seconds)
    return _shrink_call(saved, saved.question, subject, choices, max_seconds)


def _shrink_program(
    item: ProgramItem, subject: Subject, choices: Mapping[str, str], max_seconds: float
) -> Smaller | None:
    prober = Prober(subject, expect_by(reference_model(choices)), Patience(subject.limits.timeout_ms))
    seen: Seen | None = prober.probe(item)
    if seen is None:
        return None
    shrunk = shrink_program(seen, prober.probe, max_tries=MAX_TRIES, max_seconds=max_seconds)
    failure = shrunk.seen.failure
    return Smaller(
        question=shrunk.seen.item,
        expect=shrunk.seen.expect,
        actual=actual_of(failure),
        message=failure.message,
        ending=shrunk.ending,
    )


def _shrink_call(
    saved: Saved, call: CallItem, subject: Subject, choices: Mapping[str, str], max_seconds: float
) -> Smaller | None:
    expectation = resolve_choices(saved.expected, choices)
    ask = ask_subject(subject)
    outcome: Outcome = ask(call)
    mismatch = find_mismatch(expectation, outcome) if expectation is not None else None
    if mismatch is None:
        return None
    failure = failure_of_mismatch(mismatch, outcome)
    vector = Vector(
        id=saved.name,
        area="",
        clauses=(),
        needs=(),
        why="",
        seen=(),
        question=call,
        expectation=saved.expected,
        source={"expect": saved.expect},
        path="",
        digest="",
    )
    found = minimise(vector, failure, choices, ask, max_tries=MAX_TRIES, max_seconds=max_seconds)
    if found is None:
        return Smaller(
            question=call,
            expect=saved.expect,
            actual=actual_of(failure),
            message=failure.message,
            ending=Ending.ONE_MINIMAL,
        )
    return Smaller(
        question=found.question,
        expect=found.expect,
        actual=actual_of(None, found.outcome),
        message=found.mismatch.message,
        ending=found.ending,
    )


def write_smaller(saved: Saved, smaller: Smaller, suite: Suite, subject: Subject) -> None:
    """Put what it came down to in the place of what was saved; the test's own stays as it is. Raises `OSError`."""
    record = json.loads(saved.path.read_bytes())
    if "original" not in record and smaller.question != saved.question:
        name = "program" if isinstance(saved.question, ProgramItem) else "call"
        record["original"] = {name: question_to_object(saved.question), "expected": record["expected"]}
    record |= {
        "request": request_record(smaller.question),
        "expected": smaller.expect,
        "actual": smaller.actual,
        "first_difference": smaller.message,
        "minimal": smaller.ending.value,
    }
    saved.path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    lines = saved.path.with_suffix(".ndjson")
    lines.write_bytes(plain_lines(suite, subject.limits, smaller.question))


def render_smaller(saved: Saved, smaller: Smaller) -> Iterator[str]:
    """What a failure came down to, line by line."""
    before, after = size_question(saved.question), size_question(smaller.question)
    word = f"{ENDINGS[smaller.ending]}, {before} characters before, {after} now"
    yield plain_text(f"{saved.name}: {word}")
    yield from (f"    {line}" for line in show_question(smaller.question))
    yield f"    {plain_text(smaller.message)}"
