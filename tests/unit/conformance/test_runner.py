"""A whole run: batches, repeats, claims and choices, and the same words whatever the number of processes."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from keel_ref.conformance.exits import ExitCode, SuiteError
from keel_ref.conformance.expected import parse_expected
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.report_json import write_report
from keel_ref.conformance.runner import Policy, Run, reference_command, run_suite
from keel_ref.conformance.select import Selection, Shard
from keel_ref.conformance.subject import Direction, Limits
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.verdict import Fault, TestResult, Verdict
from keel_ref.conformance.workers import BATCH_CALLS, cut_batches
from tests.unit.conformance.toy_suite import ECHOES, LIMITS, TRAP, command, echo, make_suite

POLICY = Policy(limits=LIMITS)


def check(suite: Suite, misdeed: str = "none", moment: str = "trap", **policy: Any) -> Run:
    """A run against the toy."""
    return run_suite(suite, Selection(), command(misdeed, moment), evolve(POLICY, **policy))


def only(run: Run) -> TestResult:
    """The result of the only test that did not pass."""
    found = [result for result in run.results if result.verdict is not Verdict.PASS]
    assert 1 == len(found)
    return found[0]


def test_an_honest_toy_is_conformant(tmp_path: Path) -> None:
    """Every test passes, and nothing is noted."""
    run = check(make_suite(tmp_path))

    assert ExitCode.CONFORMANT is run.conclusion.code
    assert {Verdict.PASS} == {result.verdict for result in run.results}
    assert () == run.notes


@pytest.mark.parametrize(
    ("misdeed", "kind", "fault"),
    [
        ("wrong", FailureKind.MISMATCH, Fault.IMPLEMENTATION),
        ("error", FailureKind.WRONG_ERROR, Fault.IMPLEMENTATION),
        ("declined", FailureKind.DECLINED, Fault.IMPLEMENTATION),
        ("unsupported", FailureKind.UNSUPPORTED, Fault.ADAPTER),
        ("internal", FailureKind.CRASH, Fault.IMPLEMENTATION),
    ],
)
def test_a_wrong_answer_is_steady(tmp_path: Path, misdeed: str, kind: FailureKind, fault: Fault) -> None:
    """It fails five times out of five, and the fault is named."""
    result = only(check(make_suite(tmp_path), misdeed))

    assert result.failure is not None
    assert (kind, fault, "5/5") == (result.failure.kind, result.failure.fault, str(result.repeats))


def test_a_wrong_answer_that_comes_and_goes_says_so(tmp_path: Path) -> None:
    """With its rate; and alone it makes a run inconclusive."""
    run = check(make_suite(tmp_path, [*ECHOES[:1], TRAP]), "now-and-then")
    result = only(run)

    assert result.failure is not None
    assert result.repeats is not None
    assert FailureKind.NONDETERMINISTIC is result.failure.kind
    assert 0 < result.repeats.failed < result.repeats.runs
    assert ExitCode.INCONCLUSIVE is run.conclusion.code


@pytest.mark.parametrize("misdeed", ["none", "wrong", "die", "log", "twice"])
def test_the_report_is_the_same_however_many_processes_run(tmp_path: Path, misdeed: str) -> None:
    """Byte for byte, with failures and crashes in it."""
    many = [echo(f"toy-{number:03}-echo", number) for number in range(100)]
    suite = make_suite(tmp_path, [*many, TRAP, echo("toy-050-trap", "trap")])
    reports = {write_report(check(suite, misdeed, jobs=jobs, repeat_failures=1)) for jobs in (1, 2, 4)}

    assert 1 == len(reports)


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_run_ends_at_the_same_test_however_many_processes_run(tmp_path: Path, jobs: int) -> None:
    """Where the adapter gives out, what counts is decided in the order of the tests."""
    traps = [echo(f"toy-{number:03}-trap", "trap") for number in range(20, 80, 10)]
    suite = make_suite(tmp_path, [*(echo(f"toy-{number:03}-echo", number) for number in range(100)), *traps])
    run = check(suite, "die", jobs=jobs, repeat_failures=1, limits=evolve(LIMITS, max_respawns=8))
    ran = [result.vector.id for result in run.results if result.verdict is not Verdict.INCONCLUSIVE]

    assert ExitCode.ADAPTER is run.conclusion.code
    assert [result.vector.id for result in run.results][: 3 * BATCH_CALLS] == ran


def test_what_is_not_claimed_is_shown_and_not_run(tmp_path: Path) -> None:
    """It is no failure, and no pass."""
    suite = make_suite(tmp_path, [*ECHOES, echo("toy-part", 1, needs=["memory", "memory.part"])])
    run = check(suite)

    assert (Verdict.NOT_CLAIMED, "needs memory.part") == (only(run).verdict, only(run).note)
    assert ExitCode.CONFORMANT is run.conclusion.code


def test_claiming_nothing_is_inconclusive(tmp_path: Path) -> None:
    """Nothing ran, so nothing is proved."""

    assert ExitCode.INCONCLUSIVE is check(make_suite(tmp_path), "unclaimed").conclusion.code


def test_a_missing_prerequisite_is_a_failure(tmp_path: Path) -> None:
    """A part is claimed without the whole."""
    run = check(make_suite(tmp_path, [echo("toy-part", 1, needs=["memory", "memory.part"])]), "claims")

    assert ExitCode.NOT_CONFORMANT is run.conclusion.code
    assert only(run).failure is not None
    assert "memory.part is claimed, but memory" in str(only(run).failure)


def test_who_claims_neither_the_part_nor_the_whole_fails_nothing(tmp_path: Path) -> None:
    """A prerequisite is missed only by who claims what needs it."""
    run = check(make_suite(tmp_path, [echo("toy-part", 1, needs=["memory.part"])]), "unclaimed")

    assert Verdict.NOT_CLAIMED is only(run).verdict


def test_a_claim_that_nobody_registered_is_listed(tmp_path: Path) -> None:
    """It counts for nothing, but a typing mistake shall not go unseen."""
    run = check(make_suite(tmp_path), "unknown")

    assert ("capability memory.typo",) == run.unknown_claims


@pytest.mark.parametrize(("misdeed", "verdict"), [("none", Verdict.PASS), ("real", Verdict.FAIL)])
def test_a_choice_is_held_to_what_was_declared(tmp_path: Path, misdeed: str, verdict: Verdict) -> None:
    """The default where nothing is, the case of the value where something is."""
    cases = {"path": {"subset": {"value": 1}}, "real": {"subset": {"value": 2}}}
    suite = make_suite(tmp_path, [echo("toy-choice", 1, expect={"choice": "memory.identity", "cases": cases})])

    assert verdict is check(suite, misdeed).results[0].verdict


def test_a_test_without_a_case_for_the_choice_is_not_applicable(tmp_path: Path) -> None:
    """It says nothing about this implementation."""
    expect = {"choice": "memory.identity", "cases": {"real": {"subset": {"value": 1}}}}
    suite = make_suite(tmp_path, [*ECHOES, echo("toy-choice", 1, expect=expect)])

    assert Verdict.NOT_APPLICABLE is only(check(suite)).verdict


def test_a_may_never_fails(tmp_path: Path) -> None:
    """What is optional and not done is not applicable."""
    suite = make_suite(tmp_path, [*ECHOES, echo("toy-m-trap", "trap", clauses=["MEM-003"])])
    run = check(suite, "wrong")

    assert Verdict.NOT_APPLICABLE is only(run).verdict
    assert ExitCode.CONFORMANT is run.conclusion.code


def test_a_should_stands_apart(tmp_path: Path) -> None:
    """It fails, and the run is conformant unless it is asked to be strict."""
    suite = make_suite(tmp_path, [*ECHOES, echo("toy-m-trap", "trap", clauses=["MEM-002"])])

    assert ExitCode.CONFORMANT is check(suite, "wrong").conclusion.code
    assert ExitCode.NOT_CONFORMANT is check(suite, "wrong", is_should_strict=True).conclusion.code


def test_a_broken_test_is_our_fault_and_spoils_no_other(tmp_path: Path) -> None:
    """It is not run, and the code is 5."""
    run = check(make_suite(tmp_path, [*ECHOES, echo("toy-broken", 1, expect={"subset": {}})]))

    assert Verdict.SUITE_ERROR is only(run).verdict
    assert ExitCode.SUITE is run.conclusion.code


def test_a_withdrawn_test_is_not_run(tmp_path: Path) -> None:
    """Though it would fail."""
    suite = evolve(make_suite(tmp_path), withdrawn={"toy-m-trap": "the clause says otherwise"})
    run = check(suite, "wrong")

    assert (Verdict.WITHDRAWN, "the clause says otherwise") == (only(run).verdict, only(run).note)
    assert ExitCode.CONFORMANT is run.conclusion.code


def test_an_expected_failure_is_excused(tmp_path: Path) -> None:
    """And a stale one is not."""
    entry = {"id": "toy-m-trap", "fails": "mismatch", "reason": "known"}
    expected = parse_expected({"suite": "1", "expect": [entry]})

    assert ExitCode.CONFORMANT is check(make_suite(tmp_path / "a"), "wrong", expected=expected).conclusion.code
    assert ExitCode.NOT_CONFORMANT is check(make_suite(tmp_path / "b"), expected=expected).conclusion.code


def test_an_expected_file_says_how_many_tests_must_run(tmp_path: Path) -> None:
    """Too few are inconclusive; one shard of several is not asked."""
    expected = parse_expected({"suite": "1", "min_tests": 27})
    suite = make_suite(tmp_path)
    shard = run_suite(suite, Selection(shard=Shard(number=1, count=2)), command(), evolve(POLICY, expected=expected))

    assert ExitCode.INCONCLUSIVE is check(suite, expected=expected).conclusion.code
    assert ExitCode.CONFORMANT is shard.conclusion.code


@pytest.mark.parametrize(("is_revealed", "verdict"), [(True, Verdict.PASS), (False, Verdict.FAIL)])
def test_the_adapter_is_told_the_test_only_on_request(tmp_path: Path, *, is_revealed: bool, verdict: Verdict) -> None:
    """So that it cannot make an exception for one."""
    suite = make_suite(tmp_path, [echo("toy-told", 1, expect={"eq": {"value": 1, "test": "toy-told"}})])

    assert verdict is check(suite, reveal_ids=is_revealed, repeat_failures=0).results[0].verdict


@pytest.mark.parametrize("fault", [KeyboardInterrupt, SuiteError])
def test_a_run_that_is_broken_off_waits_for_nobody(tmp_path: Path, fault: type[BaseException]) -> None:
    """Two processes hang with all the time in the world; the third line that is sent breaks the run off."""
    sent = itertools.count()

    def observe(direction: Direction, _: bytes) -> None:
        if direction is Direction.SENT and next(sent) == 5:
            raise fault

    many = [echo(f"toy-{number:03}-echo", number) for number in range(64)]
    patient = Limits(timeout_ms=600_000)
    with pytest.raises(fault):
        run_suite(
            make_suite(tmp_path, many),
            Selection(),
            command("hang", "call"),
            Policy(limits=patient, jobs=2),
            watch=lambda _: observe,
        )


def test_batches_are_bounded_in_number_and_size(tmp_path: Path) -> None:
    """Sixteen calls, or a quarter of a megabyte; a larger call goes alone."""
    large = echo("toy-large", "x" * 300_000)
    suite = make_suite(tmp_path, [*(echo(f"toy-{number:03}", number) for number in range(40)), large])
    batches = cut_batches(suite.vectors)

    assert [16, 16, 8, 1] == [len(batch) for batch in batches]
    assert list(suite.vectors) == [vector for batch in batches for vector in batch]


def test_the_reference_starts_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in a folder whose files are named like our libraries."""
    (tmp_path / "attrs.py").write_text("raise SystemExit(9)", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run = check(make_suite(tmp_path))
    ours = run_suite(
        make_suite(tmp_path / "ours", [echo("toy-one", 1, expect={"eq": {}})]),
        Selection(),
        reference_command(["memory.identity=real"]),
        evolve(POLICY, repeat_failures=0, shrink_failures=0, limits=LIMITS),
    )

    assert ExitCode.CONFORMANT is run.conclusion.code
    assert ours.hello is not None
    assert ("keel-ref", "real") == (ours.hello.impl["name"], ours.choices["memory.identity"])


def test_a_revision_that_was_not_offered_is_listed(tmp_path: Path) -> None:
    """Who aims at another revision is held to this one, and shall know it."""

    assert ("revision 1999.01",) == check(make_suite(tmp_path), "other-revision").unknown_claims
