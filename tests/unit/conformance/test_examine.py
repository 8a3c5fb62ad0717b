"""How a failing test is repeated, against a process that does as it is told."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from keel_ref.conformance.examine import REPEATED_TIMEOUT_MS, Examiner
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.misbehaviour import Misbehaviour, Misdeed
from keel_ref.conformance.subject import Limits, Misshapen, Subject
from keel_ref.conformance.verdict import TestResult, Verdict
from keel_ref.conformance.wire import CallItem, Ok, Outcome
from tests.unit.conformance.toy_suite import TRAP, echo, make_suite

HANGS = Misbehaviour(Misdeed.HUNG, "no answer within the limit")
RIGHT = Ok(value={"value": "trap"})
WRONG = Ok(value={"value": "wrong"})


class Scripted(Subject):
    """Gives one prepared outcome after the other, and remembers what it was given."""

    def __init__(self, outcomes: Sequence[Outcome | Misbehaviour]) -> None:
        super().__init__(("none",), limits=Limits(timeout_ms=2_000), suite="toy", revisions=("1",))
        self.outcomes = list(outcomes)
        self.given: list[int | None] = []
        """The limit of each message."""
        self.sizes: list[int] = []
        """How many calls each message held."""
        self._is_up = True

    @property
    def is_running(self) -> bool:
        """Unless it misbehaved last."""
        return self._is_up

    def restart(self) -> None:
        """At once."""
        self.restarts += 1
        self._is_up = True

    def call(self, items: tuple[CallItem, ...], *, timeout_ms: int | None = None) -> tuple[Outcome | Misshapen, ...]:
        """The next outcome, for each call of the message."""
        self.given.append(timeout_ms)
        self.sizes.append(len(items))
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Misbehaviour):
            self._is_up = False
            raise outcome
        return (outcome,) * len(items)


def examine(folder: Path, *outcomes: Outcome | Misbehaviour) -> tuple[TestResult, list[int | None]]:
    """The result of one test that is repeated three times, and the limits of all its calls."""
    suite = make_suite(folder, [TRAP])
    subject = Scripted(outcomes)
    run = Examiner(subject, suite, {}, repeat_failures=3).examine(suite.vectors)
    return run.results[0], subject.given


def test_what_hung_once_has_the_whole_limit_again(tmp_path: Path) -> None:
    """A busy machine makes nobody fail five times out of five."""
    result, given = examine(tmp_path, HANGS, RIGHT, RIGHT, RIGHT)

    assert "0/3" == str(result.repeats)
    assert result.failure is not None
    assert FailureKind.TIMEOUT is result.failure.kind  # a broken wire keeps its own kind
    assert [None] * 4 == given


def test_what_hangs_again_is_waited_for_no_longer(tmp_path: Path) -> None:
    """The second time is proof enough; the rest is counted in less time."""
    result, given = examine(tmp_path, HANGS, HANGS, HANGS, HANGS)

    assert "3/3" == str(result.repeats)
    assert [None, None, REPEATED_TIMEOUT_MS, REPEATED_TIMEOUT_MS] == given


@pytest.mark.parametrize(("outcomes", "rate"), [((WRONG, WRONG, RIGHT, WRONG), "2/3"), ((WRONG,) * 4, "3/3")])
def test_a_wrong_answer_is_counted_with_the_whole_limit(tmp_path: Path, outcomes: tuple[Ok, ...], rate: str) -> None:
    """How often it was wrong again, of all repeats."""
    result, given = examine(tmp_path, *outcomes)

    assert rate == str(result.repeats)
    assert [None] * 4 == given


def test_who_is_slow_only_in_sum_gets_no_more_batches(tmp_path: Path) -> None:
    """It is asked one by one from then on, and the restart that we caused is not counted."""
    suite = make_suite(tmp_path, [echo(f"toy-{letter}", "trap") for letter in "abcd"])
    subject = Scripted([HANGS, RIGHT, RIGHT, RIGHT, RIGHT])
    examiner = Examiner(subject, suite, {})
    runs = [examiner.examine(suite.vectors[:2]), examiner.examine(suite.vectors[2:])]

    assert [2, 1, 1, 1, 1] == subject.sizes
    assert [0, 0] == [run.restarts for run in runs]
    assert {Verdict.PASS} == {result.verdict for run in runs for result in run.results}


def test_a_test_that_hangs_alone_is_counted_with_its_batch(tmp_path: Path) -> None:
    """Then the batch hung because of it: both restarts are the adapter's, and it gets batches still."""
    suite = make_suite(tmp_path, [echo(f"toy-{letter}", "trap") for letter in "abcd"])
    subject = Scripted([HANGS, HANGS, RIGHT, RIGHT])
    examiner = Examiner(subject, suite, {}, repeat_failures=0)
    runs = [examiner.examine(suite.vectors[:2]), examiner.examine(suite.vectors[2:])]

    assert [2, 1, 1, 2] == subject.sizes
    assert [2, 0] == [run.restarts for run in runs]
