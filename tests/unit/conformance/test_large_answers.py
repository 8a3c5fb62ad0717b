"""Answers as large as the wire allows, hundreds at once: judged whole, kept and shown in part."""

import json
from pathlib import Path

import pytest

from keel_ref.conformance.compare import (
    MAX_KEPT_CHARACTERS,
    MAX_WORDS_CHARACTERS,
    NOTHING,
    Mode,
    first_difference,
    keep_value,
)
from keel_ref.conformance.failures import save_failures
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.replay import Again, load_saved, replay
from keel_ref.conformance.report_json import write_report
from keel_ref.conformance.report_junit import write_junit
from keel_ref.conformance.runner import Policy, Run, run_suite
from keel_ref.conformance.select import Selection
from keel_ref.conformance.subject import Direction
from keel_ref.conformance.verdict import Verdict, keep_outcome
from keel_ref.conformance.wire import (
    Declined,
    ErrorAnswer,
    Internal,
    Ok,
    Outcome,
    Unsupported,
    outcome_to_object,
    question_to_object,
)
from keel_ref.conformance.wiretap import MAX_KEPT_BYTES, LoneCalls
from tests.unit.conformance.toy_suite import LIMITS, TRAP, command, echo, make_suite, subject

LONG = "x" * 300_000
POLICY = Policy(limits=LIMITS, repeat_failures=1, shrink_seconds=0)
KINDS = {
    "huge": FailureKind.MISMATCH,
    "huge-error": FailureKind.WRONG_ERROR,
    "huge-words": FailureKind.CRASH,
}


def check(folder: Path, misdeed: str) -> Run:
    """A run against the toy, which answers at great length at the trap."""
    return run_suite(make_suite(folder, [TRAP, echo("toy-a-echo", 1)]), Selection(), command(misdeed), POLICY)


@pytest.mark.parametrize("misdeed", KINDS)
def test_a_large_wrong_answer_is_kept_in_part(tmp_path: Path, misdeed: str) -> None:
    """It fails as a small one would, and neither the run, nor a report, nor the failure file holds all of it."""
    run = check(tmp_path, misdeed)
    (failed,) = (result for result in run.results if result.verdict is Verdict.FAIL)
    saved = save_failures(run, tmp_path / "failures")
    sizes = [len(write_report(run)), len(write_junit(run, saved)), saved["toy-m-trap"].path.stat().st_size]

    assert failed.failure is not None
    assert KINDS[misdeed] is failed.failure.kind
    assert failed.failure.outcome is not None
    assert len(json.dumps(outcome_to_object(failed.failure.outcome))) < 2 * MAX_KEPT_CHARACTERS
    assert max(sizes) < 2 * MAX_KEPT_CHARACTERS


@pytest.mark.parametrize("misdeed", KINDS)
def test_a_large_wrong_answer_still_fails_when_it_is_replayed(tmp_path: Path, misdeed: str) -> None:
    """What was kept of it is compared with what would be kept now."""
    run = check(tmp_path, misdeed)
    saved = load_saved(save_failures(run, tmp_path / "failures")["toy-m-trap"].path)
    process = subject(misdeed)
    try:
        process.start()
        replayed = replay(saved, process, run.suite)
    finally:
        process.close()

    assert Again.STILL_FAILS is replayed.again


def test_a_large_hello_is_shown_in_part(tmp_path: Path) -> None:
    """The nonce that came back is no reason to fill the screen."""
    run = check(tmp_path, "huge-nonce")

    assert run.error is not None
    assert len(str(run.error)) < MAX_WORDS_CHARACTERS


@pytest.mark.parametrize("value", [{"a": [1, "é", None]}, "x" * (MAX_KEPT_CHARACTERS - 2), NOTHING])
def test_what_is_small_is_kept_as_it_came(value: object) -> None:
    """Up to the bound, with the quotes that JSON puts around a text."""

    assert value is keep_value(value)


def test_what_is_too_large_is_kept_as_text() -> None:
    """Its beginning, with a mark at the end."""
    kept = keep_value("x" * (MAX_KEPT_CHARACTERS - 1))

    assert kept.startswith('"xxx')
    assert kept.endswith("x…")
    assert kept == keep_value(kept)


@pytest.mark.parametrize(
    "outcome",
    [
        ErrorAnswer(kind=LONG, message=LONG),
        Unsupported(capability=LONG),
        Declined(reason=LONG, issue=LONG),
        Internal(message=LONG, trace=LONG),
        Ok(value={"value": LONG}),
        Ok(value={"value": '\\"' * 100_000}),
    ],
)
def test_an_outcome_of_any_kind_is_kept_in_part(outcome: Outcome) -> None:
    """It stays of its kind, and what is kept is kept whole."""
    kept = keep_outcome(outcome)

    assert kept == keep_outcome(kept)
    assert type(outcome) is type(kept)
    assert len(json.dumps(outcome_to_object(kept))) < 2 * MAX_KEPT_CHARACTERS


def test_a_long_key_makes_no_long_place() -> None:
    """A place is the beginning of a message, and of an entry in the expected file."""
    difference = first_difference({}, {LONG: 1}, Mode.EXACT)

    assert difference is not None
    assert len(difference.path) < MAX_WORDS_CHARACTERS


def test_the_lines_of_a_lone_call_are_kept_in_part(tmp_path: Path) -> None:
    """Also where one line alone is larger than what is kept of a test."""
    (vector,) = make_suite(tmp_path, [TRAP]).vectors
    tap = LoneCalls()
    request = {"id": 1, "op": "call", "calls": [question_to_object(vector.question)]}
    tap(Direction.SENT, json.dumps(request).encode())
    for _ in range(3):
        tap(Direction.RECEIVED, LONG.encode())
    kept = tap.lines_of(vector, is_revealed=False)

    assert MAX_KEPT_BYTES == sum(len(line) - len(b"> \n") for line in kept)
