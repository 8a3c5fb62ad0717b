"""What a run says of a clause, and what it amounts to."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from attrs import evolve

from keel_ref.conformance.clauses import Level
from keel_ref.conformance.conclude import Conclusion, conclude
from keel_ref.conformance.exits import ExitCode
from keel_ref.conformance.expected import Entry, EntryResult, EntryStatus
from keel_ref.conformance.hello import HelloAnswer
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.misbehaviour import AdapterError
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.verdict import Failure, Fault, TestResult, Verdict, count_verdicts, roll_up
from tests.unit.conformance.toy_suite import echo, make_suite

HELLO = HelloAnswer(wire=1, capabilities={"memory": {}})


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """Two tests of one clause, and one each of a SHOULD and a MAY."""
    return make_suite(
        tmp_path,
        [
            echo("toy-a", 1),
            echo("toy-b", 1),
            echo("toy-c", 1, clauses=["MEM-002"]),
            echo("toy-d", 1, clauses=["MEM-003"]),
        ],
    )


def results(suite: Suite, *verdicts: Verdict, kind: FailureKind = FailureKind.MISMATCH) -> list[TestResult]:
    """A result for each of the first tests."""
    failure = Failure(kind=kind, fault=Fault.IMPLEMENTATION, message="files[0]")
    return [
        TestResult(
            vector=vector,
            level=suite.level_of(vector),
            verdict=verdict,
            failure=failure if verdict is Verdict.FAIL else None,
        )
        for vector, verdict in zip(suite.vectors, verdicts, strict=False)
    ]


def judge(
    suite: Suite,
    found: Sequence[TestResult],
    *,
    hello: HelloAnswer | None = HELLO,
    entries: Sequence[EntryResult] = (),
    error: AdapterError | None = None,
    required: Sequence[str] = (),
    min_tests: int = 0,
    is_should_strict: bool = False,
    is_core_needed: bool = False,
) -> Conclusion:
    """What a run amounts to, by default one without a policy."""
    return conclude(
        suite=suite,
        hello=hello,
        results=found,
        entries=entries,
        error=error,
        required=required,
        min_tests=min_tests,
        is_should_strict=is_should_strict,
        is_core_needed=is_core_needed,
    )


@pytest.mark.parametrize(
    ("verdicts", "rolled_up"),
    [
        ((Verdict.PASS, Verdict.PASS), Verdict.PASS),
        ((Verdict.PASS, Verdict.NOT_CLAIMED), Verdict.PASS),
        ((Verdict.PASS, Verdict.NOT_APPLICABLE), Verdict.PASS),
        ((Verdict.NOT_CLAIMED, Verdict.NOT_CLAIMED), Verdict.NOT_CLAIMED),
        ((Verdict.NOT_APPLICABLE, Verdict.NOT_CLAIMED), Verdict.NOT_CLAIMED),
        ((Verdict.WITHDRAWN, Verdict.WITHDRAWN), Verdict.WITHDRAWN),
        ((Verdict.PASS, Verdict.XFAIL), Verdict.XFAIL),
        ((Verdict.XFAIL, Verdict.XPASS), Verdict.XPASS),
        ((Verdict.XPASS, Verdict.FAIL), Verdict.FAIL),
        ((Verdict.PASS, Verdict.INCONCLUSIVE), Verdict.INCONCLUSIVE),
        ((Verdict.FAIL, Verdict.SUITE_ERROR), Verdict.SUITE_ERROR),
    ],
)
def test_a_clause_is_as_good_as_its_worst_test(
    suite: Suite, verdicts: tuple[Verdict, Verdict], rolled_up: Verdict
) -> None:
    """Those that were not run aside, as long as one was."""
    clauses = roll_up(results(suite, *verdicts), {"MEM-001": Level.MUST})

    assert [("MEM-001", rolled_up, 2)] == [(clause.id, clause.verdict, clause.tests) for clause in clauses]


def test_every_verdict_is_counted(suite: Suite) -> None:
    """Also those that did not occur."""
    counts = count_verdicts(results(suite, Verdict.PASS, Verdict.PASS, Verdict.FAIL))

    assert (2, 1, 0) == (counts[Verdict.PASS], counts[Verdict.FAIL], counts[Verdict.XFAIL])
    assert set(Verdict) == set(counts)


def test_all_passed_is_conformant(suite: Suite) -> None:
    """The only way to a zero, with expected failures among it."""
    found = results(suite, Verdict.PASS, Verdict.XFAIL, Verdict.PASS, Verdict.NOT_CLAIMED)

    assert Conclusion(code=ExitCode.CONFORMANT, reasons=()) == judge(suite, found)


def test_one_failure_is_not_conformant(suite: Suite) -> None:
    """Whatever else passed."""
    conclusion = judge(suite, results(suite, Verdict.FAIL, Verdict.PASS))

    assert (ExitCode.NOT_CONFORMANT, ("1 test fails",)) == (conclusion.code, conclusion.reasons)


def test_a_should_fails_a_run_only_where_it_is_asked_to(suite: Suite) -> None:
    """A MAY never does."""
    found = results(suite, Verdict.PASS, Verdict.PASS, Verdict.FAIL, Verdict.NOT_APPLICABLE)

    assert ExitCode.CONFORMANT is judge(suite, found).code
    assert ExitCode.NOT_CONFORMANT is judge(suite, found, is_should_strict=True).code


def test_nondeterminism_alone_is_inconclusive(suite: Suite) -> None:
    """It proves nothing either way; a steady failure beside it does."""
    wavering = results(suite, Verdict.FAIL, Verdict.PASS, kind=FailureKind.NONDETERMINISTIC)
    steady = results(suite, Verdict.PASS, Verdict.FAIL)

    assert ExitCode.INCONCLUSIVE is judge(suite, wavering).code
    assert ExitCode.NOT_CONFORMANT is judge(suite, [wavering[0], steady[1]]).code


@pytest.mark.parametrize("status", [status for status in EntryStatus if status is not EntryStatus.USED])
def test_an_entry_that_does_not_hold_fails_the_run(suite: Suite, status: EntryStatus) -> None:
    """Though every test is as it should be, and with the test's name."""
    entry = Entry(id="toy-a", fails=FailureKind.MISMATCH, reason="why")
    found = results(suite, Verdict.PASS, Verdict.PASS)
    conclusion = judge(suite, found, entries=[EntryResult(entry=entry, status=status, tests=("toy-a",))])

    assert ExitCode.NOT_CONFORMANT is conclusion.code
    assert "toy-a" in conclusion.reasons[0]


def test_a_used_entry_is_silent(suite: Suite) -> None:
    """It did what it is for."""
    entry = Entry(id="toy-a", fails=FailureKind.MISMATCH, reason="why")
    used = EntryResult(entry=entry, status=EntryStatus.USED, tests=("toy-a",))

    assert ExitCode.CONFORMANT is judge(suite, results(suite, Verdict.XFAIL, Verdict.PASS), entries=[used]).code


@pytest.mark.parametrize(
    ("verdicts", "min_tests", "code"),
    [
        ((Verdict.PASS, Verdict.PASS), 2, ExitCode.CONFORMANT),
        ((Verdict.PASS, Verdict.PASS), 3, ExitCode.INCONCLUSIVE),
        ((Verdict.PASS, Verdict.NOT_CLAIMED), 2, ExitCode.INCONCLUSIVE),
        ((Verdict.NOT_CLAIMED, Verdict.NOT_CLAIMED), 0, ExitCode.INCONCLUSIVE),
        ((Verdict.NOT_APPLICABLE,), 0, ExitCode.INCONCLUSIVE),
        ((Verdict.XFAIL, Verdict.PASS), 2, ExitCode.CONFORMANT),
    ],
)
def test_too_few_tests_prove_nothing(
    suite: Suite, verdicts: tuple[Verdict, ...], min_tests: int, code: ExitCode
) -> None:
    """Nothing run is never a success."""

    assert code is judge(suite, results(suite, *verdicts), min_tests=min_tests).code


def test_a_required_capability_that_is_not_claimed_is_inconclusive(suite: Suite) -> None:
    """So that nobody stops claiming one unnoticed."""
    found = results(suite, Verdict.PASS, Verdict.PASS)

    assert ExitCode.INCONCLUSIVE is judge(suite, found, required=("memory.part",)).code
    assert ExitCode.CONFORMANT is judge(suite, found, required=("memory",)).code


def test_a_profile_needs_its_core(suite: Suite) -> None:
    """A profile is inconclusive without a core capability; the whole suite asks for none."""
    found = results(suite, Verdict.PASS, Verdict.NOT_CLAIMED)
    nobody = evolve(HELLO, capabilities={})

    assert ExitCode.INCONCLUSIVE is judge(suite, found, hello=nobody, is_core_needed=True).code
    assert ExitCode.CONFORMANT is judge(suite, found, hello=nobody).code


def test_the_most_pressing_code_wins_and_every_reason_is_said(suite: Suite) -> None:
    """The suite's own fault before the adapter's, that before a failure, that before a doubt."""
    found = results(suite, Verdict.SUITE_ERROR, Verdict.FAIL)
    error = AdapterError("it died")
    everything = judge(suite, found, error=error, min_tests=9)

    assert ExitCode.SUITE is everything.code
    assert 4 == len(everything.reasons)
    assert ExitCode.ADAPTER is judge(suite, found[1:], error=error, min_tests=9).code
    assert ExitCode.NOT_CONFORMANT is judge(suite, found[1:], min_tests=9).code
