"""Puts tests to one process and finds out which fail, whatever the process does.

Calls go out in batches. Where a batch breaks the wire, its tests go out again one by one, so that the one that breaks
it is blamed and its neighbours are not. What fails is repeated alone.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

from keel_ref.conformance.clauses import Level
from keel_ref.conformance.hello import HelloAnswer
from keel_ref.conformance.match import FailureKind, find_mismatch, resolve_choices
from keel_ref.conformance.misbehaviour import AdapterError, Misbehaviour, Misdeed
from keel_ref.conformance.subject import Misshapen, Subject
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.vectors import Vector
from keel_ref.conformance.verdict import (
    Failure,
    Fault,
    Repeats,
    TestResult,
    Verdict,
    failure_of_misbehaviour,
    failure_of_mismatch,
)
from keel_ref.conformance.wire import CallItem, Ok, Outcome

REPEATED_TIMEOUT_MS: Final = 250
"""Limit for repeating a test that has kept us waiting for the whole one twice."""
_BY_SUM: Final = frozenset({Misdeed.HUNG, Misdeed.TOO_LONG})
"""What a batch may do though none of its calls does it alone."""


@frozen(kw_only=True)
class BatchRun:
    """What came of one batch."""

    results: tuple[TestResult, ...]
    """One for each test; empty where the adapter gave out before the end."""
    restarts: int
    """How often the process was lost over it, and so has to be started again; failed starts included."""
    error: AdapterError | None = None
    """Why the adapter was given up."""
    last: str = ""
    """What it did last that made a restart needed."""


def sort_out(vector: Vector, suite: Suite, hello: HelloAnswer, choices: Mapping[str, str]) -> TestResult | None:
    """The result of a test that is not to be run; none for one that is."""
    level = suite.level_of(vector)

    def left_out(verdict: Verdict, note: str) -> TestResult:
        return TestResult(vector=vector, level=level, verdict=verdict, note=note)

    if vector.id in suite.withdrawn:
        return left_out(Verdict.WITHDRAWN, suite.withdrawn[vector.id])
    if vector.problems:
        return left_out(Verdict.SUITE_ERROR, "; ".join(vector.problems))
    missing = [name for name in vector.needs if name not in hello.capabilities]
    for name in vector.needs:
        unmet = [other for other in suite.capabilities[name].needs if other not in hello.capabilities]
        if unmet and name not in missing:  # a missing prerequisite is a failure, not a skip
            message = f"{name} is claimed, but {unmet[0]}, which it needs, is not"
            failure = Failure(kind=FailureKind.UNSUPPORTED, fault=Fault.ADAPTER, message=message)
            return TestResult(vector=vector, level=level, verdict=Verdict.FAIL, failure=failure)
    if missing:
        return left_out(Verdict.NOT_CLAIMED, f"needs {', '.join(missing)}")
    if resolve_choices(vector.expectation, choices) is None:
        return left_out(Verdict.NOT_APPLICABLE, "says nothing about the choices declared")
    return None


class Examiner:
    """Puts tests to one subject, which it starts again as often as it may."""

    def __init__(
        self,
        subject: Subject,
        suite: Suite,
        choices: Mapping[str, str],
        *,
        repeat_failures: int = 5,
        reveal_ids: bool = False,
    ) -> None:
        """Take a subject that has been started."""
        self.subject = subject
        self.suite = suite
        self.choices = choices
        self.repeat_failures = repeat_failures
        self.reveal_ids = reveal_ids
        self._losses = 0
        self._last = ""
        self._is_slow = False
        """Answers singly within the limit, but not a batch; so it gets no more batches."""

    def examine(self, batch: Sequence[Vector]) -> BatchRun:
        """The result of each test of a batch, in order."""
        self._losses, self._last = 0, ""
        try:
            results = tuple(self._examine(batch))
        except AdapterError as error:
            return BatchRun(results=(), restarts=self._losses, error=error, last=self._last)
        return BatchRun(results=results, restarts=self._losses, last=self._last)

    def ask(self, vector: Vector) -> Failure | None:
        """Why a test fails when it is run alone; none if it passes. Raises `AdapterError`."""
        return self._ask_alone(vector)

    def _examine(self, batch: Sequence[Vector]) -> list[TestResult]:
        if len(batch) == 1 or self._is_slow:
            return [self._judge(vector, self._ask_alone(vector)) for vector in batch]
        try:
            failures = self._ask(batch)
        except Misbehaviour as error:
            incident = error
        else:
            return [self._judge(vector, failure) for vector, failure in zip(batch, failures, strict=True)]
        results = [self._judge(vector, self._ask_alone(vector)) for vector in batch]
        is_explained = any(result.failure is not None and result.failure.is_of_process for result in results)
        if not is_explained and incident.misdeed in _BY_SUM:
            self._is_slow = True
            self._losses -= 1  # we asked too much at once, so this one does not count
        elif not is_explained:
            culprit = _find_culprit(results)
            results[culprit] = self._blame(batch[culprit], incident, len(batch))
        return results

    def _blame(self, vector: Vector, incident: Misbehaviour, calls: int) -> TestResult:
        """What a batch did and none of its calls does alone still happened."""
        failure = failure_of_misbehaviour(incident)
        message = f"{failure.message}; seen in a batch of {calls} calls, not again one by one"
        return TestResult(
            vector=vector,
            level=self.suite.level_of(vector),
            verdict=Verdict.FAIL,
            failure=evolve(failure, message=message),
            repeats=Repeats(failed=0, runs=1),
        )

    def _ask(self, batch: Sequence[Vector], timeout_ms: int | None = None) -> list[Failure | None]:
        if not self.subject.is_running:
            before = self.subject.restarts
            self.subject.restart()
            self._losses += self.subject.restarts - before - 1  # the loss itself was counted when it happened
        if self._losses > self.subject.limits.max_respawns:
            raise too_many_restarts(self.subject.limits.max_respawns, self._last)
        try:
            outcomes = self._put(batch, timeout_ms)
        except Misbehaviour as error:
            if not self.subject.is_running:
                self._losses, self._last = self._losses + 1, error.problem
            raise
        return [self._find_failure(vector, outcome) for vector, outcome in zip(batch, outcomes, strict=True)]

    def _put(self, batch: Sequence[Vector], timeout_ms: int | None) -> Sequence[Outcome | Misshapen]:
        """Calls go out together; a program is a message of its own."""
        questions = [evolve(vector.question, test=vector.id) for vector in batch] if self.reveal_ids else None
        asked = questions or [vector.question for vector in batch]
        if len(asked) == 1:
            return (self.subject.ask(asked[0], timeout_ms=timeout_ms),)
        calls = tuple(question for question in asked if isinstance(question, CallItem))
        assert len(calls) == len(asked), "a program is a batch of its own"
        return self.subject.call(calls, timeout_ms=timeout_ms)

    def _ask_alone(self, vector: Vector, timeout_ms: int | None = None) -> Failure | None:
        try:
            return self._ask([vector], timeout_ms)[0]
        except Misbehaviour as error:
            return failure_of_misbehaviour(error)

    def _find_failure(self, vector: Vector, outcome: Outcome | Misshapen) -> Failure | None:
        if isinstance(outcome, Misshapen):
            return Failure(kind=FailureKind.PROTOCOL, fault=Fault.ADAPTER, message=outcome.problem)
        expectation = resolve_choices(vector.expectation, self.choices)
        assert expectation is not None, "sorted out before"
        mismatch = find_mismatch(expectation, outcome)
        return failure_of_mismatch(mismatch, outcome) if mismatch else None

    def _judge(self, vector: Vector, failure: Failure | None) -> TestResult:
        """Pass, or fail with how often it fails when repeated. A wrong answer that comes and goes says so."""
        level = self.suite.level_of(vector)
        if failure is None:
            return TestResult(vector=vector, level=level, verdict=Verdict.PASS)
        if level is Level.MAY:
            note = "optional, and not done"
            return TestResult(vector=vector, level=level, verdict=Verdict.NOT_APPLICABLE, failure=failure, note=note)
        repeats = self._repeat(vector, failure)
        if repeats.failed < repeats.runs and not failure.is_of_process:
            failure = evolve(failure, kind=FailureKind.NONDETERMINISTIC)
        return TestResult(vector=vector, level=level, verdict=Verdict.FAIL, failure=failure, repeats=repeats)

    def _repeat(self, vector: Vector, failure: Failure) -> Repeats:
        """Put a failing test again. One that hung has the whole limit once more, and less only if it hangs again."""
        failed, limit = 0, None
        for _ in range(self.repeat_failures):
            found = self._ask_alone(vector, limit)
            failed += found is not None
            if found is not None and FailureKind.TIMEOUT is found.kind is failure.kind:
                limit = min(self.subject.limits.timeout_ms, REPEATED_TIMEOUT_MS)
        return Repeats(failed=failed, runs=self.repeat_failures)


def _find_culprit(results: Sequence[TestResult]) -> int:
    """Whom to blame for what a batch did and nobody does alone: one that is wrong anyhow, else the first."""
    wrong = (
        place for place, result in enumerate(results) if result.failure and not isinstance(result.failure.outcome, Ok)
    )
    return next(wrong, 0)


def too_many_restarts(limit: int, last: str) -> AdapterError:
    """The adapter had to be started again more often than it may."""
    return AdapterError(f"it had to be started again more than {limit} times (--max-respawns), at last because: {last}")
