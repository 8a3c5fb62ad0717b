"""What a run says of each test and of each clause, and whose fault a failure is."""

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from attrs import frozen

from keel_ref.conformance.clauses import Level
from keel_ref.conformance.compare import Difference, cut_text, keep_value
from keel_ref.conformance.match import FailureKind, Mismatch
from keel_ref.conformance.misbehaviour import Misbehaviour
from keel_ref.conformance.vectors import Vector
from keel_ref.conformance.wire import Ok, Outcome, outcome_from_object, outcome_to_object


class Verdict(StrEnum):
    """What became of a test. Only `PASS` is a pass."""

    PASS = "pass"
    FAIL = "fail"
    XFAIL = "xfail"
    """Failed as the expected file says."""
    XPASS = "xpass"
    """Passed against the expected file, whose entry is stale."""
    NOT_CLAIMED = "not_claimed"
    """Needs a capability that the implementation does not claim."""
    NOT_APPLICABLE = "not_applicable"
    """Says nothing about the choices made, or about what an implementation may leave out."""
    INCONCLUSIVE = "inconclusive"
    """Not run to its end, because the adapter gave out."""
    WITHDRAWN = "withdrawn"
    """Taken back by an erratum."""
    SUITE_ERROR = "suite_error"
    """Fails its own lint, which is our fault."""


RAN: Final = frozenset({Verdict.PASS, Verdict.FAIL, Verdict.XFAIL, Verdict.XPASS})
"""Verdicts of tests that were run to their end."""


class Fault(StrEnum):
    """Whose fault a failure is."""

    ADAPTER = "adapter"
    """The glue between the wire and the implementation, or the process."""
    IMPLEMENTATION = "implementation"
    """What the specification is about."""
    SUITE = "suite"
    """Ours."""


_OF_PROCESS: Final = frozenset({FailureKind.CRASH, FailureKind.TIMEOUT, FailureKind.PROTOCOL})


@frozen(kw_only=True)
class Failure:
    """Why a test failed. The message begins with the place and is the same on every run."""

    kind: FailureKind
    fault: Fault
    message: str
    difference: Difference | None = None
    """The first difference, where two values were compared."""
    outcome: Outcome | None = None
    """What came, as `keep_outcome` keeps it; none where the process gave no answer."""
    detail: str = ""
    """What else came, for a person; may differ from run to run."""
    stderr: tuple[str, ...] = ()
    """The last lines of stderr; may differ from run to run."""

    @property
    def is_of_process(self) -> bool:
        """Whether the process broke the wire, rather than answered wrongly."""
        return self.outcome is None and self.kind in _OF_PROCESS


@frozen(kw_only=True)
class Repeats:
    """How often a failing test failed again."""

    failed: int
    runs: int

    def __str__(self) -> str:
        return f"{self.failed}/{self.runs}"


@frozen(kw_only=True)
class TestResult:
    """One test in one run."""

    __test__ = False  # the name is the field's own; pytest shall not collect it

    vector: Vector
    level: Level
    verdict: Verdict
    failure: Failure | None = None
    repeats: Repeats | None = None
    note: str = ""
    """Why it was not run, or which entry it was judged by."""


@frozen(kw_only=True)
class ClauseResult:
    """One clause in one run, over all its selected tests."""

    id: str
    level: Level
    verdict: Verdict
    tests: int
    """Selected tests that name the clause."""


_WORST_FIRST: Final = (
    Verdict.SUITE_ERROR,
    Verdict.FAIL,
    Verdict.XPASS,
    Verdict.XFAIL,
    Verdict.INCONCLUSIVE,
    Verdict.PASS,
    Verdict.NOT_CLAIMED,
    Verdict.NOT_APPLICABLE,
    Verdict.WITHDRAWN,
)


def roll_up(results: Iterable[TestResult], levels: Mapping[str, Level]) -> tuple[ClauseResult, ...]:
    """Each clause with the worst verdict of its tests; one test that passes lifts those that were not run."""
    found: dict[str, list[Verdict]] = {}
    for result in results:
        for name in result.vector.clauses:
            found.setdefault(name, []).append(result.verdict)
    return tuple(
        ClauseResult(
            id=name,
            level=levels.get(name, Level.MUST),
            verdict=min(verdicts, key=_WORST_FIRST.index),
            tests=len(verdicts),
        )
        for name, verdicts in sorted(found.items())
    )


def count_verdicts(results: Iterable[TestResult | ClauseResult]) -> Mapping[Verdict, int]:
    """How many of each verdict, every verdict named."""
    counts = Counter(result.verdict for result in results)
    return {verdict: counts[verdict] for verdict in Verdict}


def is_binding(level: Level, *, is_should_strict: bool) -> bool:
    """Whether a test of this level that fails makes the run fail."""
    return level is Level.MUST or (level is Level.SHOULD and is_should_strict)


def keep_outcome(outcome: Outcome) -> Outcome:
    """An outcome as it is kept for the reports: as it came, or where it is too large its beginning."""
    if not isinstance(outcome, Ok):
        ((kind, words),) = outcome_to_object(outcome).items()
        return outcome_from_object({kind: {name: cut_text(text) for name, text in words.items()}})
    kept = keep_value(outcome.value)
    return outcome if kept is outcome.value else Ok(value={"beginning": kept})


def failure_of_mismatch(mismatch: Mismatch, outcome: Outcome) -> Failure:
    """A wrong answer. Its fault is the implementation's, but for a claim that the adapter does not stand by."""
    fault = Fault.ADAPTER if mismatch.kind is FailureKind.UNSUPPORTED else Fault.IMPLEMENTATION
    return Failure(
        kind=mismatch.kind,
        fault=fault,
        message=mismatch.message,
        difference=mismatch.difference,
        outcome=keep_outcome(outcome),
    )


def failure_of_misbehaviour(error: Misbehaviour) -> Failure:
    """A broken wire. Its fault is the adapter's."""
    return Failure(
        kind=error.failure_kind, fault=Fault.ADAPTER, message=error.problem, detail=error.detail, stderr=error.stderr
    )
