"""Runs the selected tests against a command and says what they amount to.

What a run says depends neither on how many processes there are nor on which of them is quicker; see `workers`. No clock
and no process id reaches a result.
"""

import datetime as dt
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import evolve, field, frozen

from keel_ref.conformance.conclude import Conclusion, conclude
from keel_ref.conformance.examine import Examiner, sort_out
from keel_ref.conformance.expected import EntryResult, ExpectedFile, apply_expected
from keel_ref.conformance.hello import HelloAnswer, check_claims, declared_choices, unknown_claims
from keel_ref.conformance.misbehaviour import AdapterError
from keel_ref.conformance.select import Selection, select_vectors
from keel_ref.conformance.shrink import Minimal
from keel_ref.conformance.shrink_test import minimise_test
from keel_ref.conformance.subject import Limits, Observer, Subject
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.vectors import Vector
from keel_ref.conformance.verdict import ClauseResult, TestResult, Verdict, roll_up
from keel_ref.conformance.wire import size_question
from keel_ref.conformance.workers import BATCH_CALLS, cut_batches, cut_off, share_out, start_all

if TYPE_CHECKING:
    from keel_ref.conformance.explore import Exploration

SHOWN_REFERENCE: Final = ("keel-ref", "serve")
"""The built-in reference as one would type it."""
Watch = Callable[[int], Observer | None]
"""The number of a process, to somebody who is shown its lines."""


@frozen(kw_only=True)
class Policy:
    """How strictly a run judges, how long it waits, and how much it looks into failures."""

    limits: Limits = field(factory=Limits)
    jobs: int = 1
    """Processes of the implementation that run side by side."""
    repeat_failures: int = 5
    """How often a failing test is repeated."""
    shrink_failures: int = 1_000
    """How many failing tests are made smaller, those with the smallest calls first."""
    shrink_seconds: int = 30
    """Time for making failures smaller. What comes of it goes to the person and to the failure files only."""
    is_should_strict: bool = False
    """Whether a failing SHOULD fails the run."""
    required: tuple[str, ...] = ()
    """Capabilities without which the run proves nothing."""
    min_tests: int = 0
    """Tests that must at least run."""
    expected: ExpectedFile | None = None
    """The failures that are known."""
    today: dt.date = field(factory=lambda: dt.datetime.now(tz=dt.UTC).date())
    """The day by which entries expire."""
    reveal_ids: bool = False
    """Whether the implementation is told which test is running."""
    seed: int = 0
    """Where exploration begins."""


@frozen(kw_only=True)
class Run:
    """Everything that a report says."""

    suite: Suite
    selection: Selection
    policy: Policy
    command: tuple[str, ...]
    """The adapter's command as one would type it."""
    hello: HelloAnswer | None
    """What the implementation said of itself; none if it never did."""
    choices: Mapping[str, str]
    """Every choice with its value."""
    results: tuple[TestResult, ...]
    """Every selected test, sorted by id."""
    clauses: tuple[ClauseResult, ...]
    """Every clause of a selected test, sorted by id."""
    entries: tuple[EntryResult, ...]
    """What became of each entry of the expected file."""
    conclusion: Conclusion
    """The exit code and the reasons for it."""
    unknown_claims: tuple[str, ...] = ()
    """Claimed or chosen, but not registered."""
    error: AdapterError | None = None
    """Why the adapter was given up."""
    minimal: Mapping[str, Minimal] = field(factory=dict)
    """A smaller case of a failing test, by the test's id."""
    exploration: "Exploration | None" = None
    """What exploration found, where the run explored."""
    notes: tuple[str, ...] = ()
    """What was seen that is no failure; may differ from run to run, so no report of record holds it."""


@frozen(kw_only=True)
class _Raw:
    """What came of the tests, before it is judged."""

    hello: HelloAnswer | None
    choices: Mapping[str, str]
    results: tuple[TestResult, ...]
    error: AdapterError | None


def reference_command(choices: Sequence[str] = ()) -> tuple[str, ...]:
    """The command that starts the built-in reference, whatever the folder it is started in and the path."""
    root = str(Path(__file__).resolve().parents[2])
    start = f"import sys; sys.path.append({root!r}); from keel_ref.cli import main; sys.exit(main())"
    options = [part for choice in choices for part in ("--choice", choice)]
    return (sys.executable, "-P", "-c", start, "serve", *options)


def run_suite(
    suite: Suite,
    selection: Selection,
    command: tuple[str, ...],
    policy: Policy,
    *,
    shown_command: tuple[str, ...] = (),
    watch: Watch = lambda _: None,
) -> Run:
    """Run the selected tests. Raises `UsageError` where there are none; a fault of the adapter is part of the run."""
    vectors = select_vectors(suite, selection)
    count = max(1, min(policy.jobs, len(vectors) // BATCH_CALLS))
    with ExitStack() as stack:
        subjects = [make_subject(suite, command, policy.limits, watch(number)) for number in range(count)]
        for subject in subjects:
            stack.callback(subject.close)
        pool = stack.enter_context(ThreadPoolExecutor(max_workers=count))
        stack.push(lambda kind, *_: kind is not None and _abort(subjects))
        raw = _run_tests(suite, policy, vectors, subjects, pool)
        run = _sum_up(suite, selection, policy, raw)
        run = evolve(run, command=shown_command or command, minimal=_make_smaller(run, subjects, pool))
        list(pool.map(lambda subject: subject.close(), subjects))
    return evolve(run, notes=tuple(sorted({note for subject in subjects for note in subject.notes})))


def _abort(subjects: Sequence[Subject]) -> bool:
    """Let nobody wait for an answer when the run is broken off, by a person or by a fault of ours."""
    for subject in subjects:
        subject.abort()
    return False


def make_subject(suite: Suite, command: tuple[str, ...], limits: Limits, observer: Observer | None = None) -> Subject:
    """A process of the command that will be told who we are; not started yet."""
    return Subject(
        command,
        limits=limits,
        suite=f"keel-ref {suite.version}",
        revisions=(suite.revision,),
        observer=observer,
    )


def _run_tests(
    suite: Suite, policy: Policy, vectors: Sequence[Vector], subjects: Sequence[Subject], pool: ThreadPoolExecutor
) -> _Raw:
    hello: HelloAnswer | None = None
    error: AdapterError | None = None
    choices: Mapping[str, str] = {name: values[0] for name, values in suite.choices.items()}
    results: dict[str, TestResult] = {}
    try:
        hello = start_all(subjects, pool)
        check_claims(hello, suite)
        choices = declared_choices(hello, suite)
        for vector in vectors:
            result = sort_out(vector, suite, hello, choices)
            if result is not None:
                results[vector.id] = result
        batches = cut_batches([vector for vector in vectors if vector.id not in results])
        examiners = [
            Examiner(subject, suite, choices, repeat_failures=policy.repeat_failures, reveal_ids=policy.reveal_ids)
            for subject in subjects
        ]
        runs = share_out(batches, examiners, pool, policy.limits.max_respawns)
        kept, error = cut_off(runs, policy.limits.max_respawns)
        results |= {result.vector.id: result for run in kept for result in run.results}
    except AdapterError as fault:
        error = fault
    in_order = tuple(results.get(vector.id) or _not_run(vector, suite) for vector in vectors)
    return _Raw(hello=hello, choices=choices, results=in_order, error=error)


def _not_run(vector: Vector, suite: Suite) -> TestResult:
    note = "the adapter gave out before"
    return TestResult(vector=vector, level=suite.level_of(vector), verdict=Verdict.INCONCLUSIVE, note=note)


def _sum_up(suite: Suite, selection: Selection, policy: Policy, raw: _Raw) -> Run:
    """Judge the results by the expected file and the policy."""
    results, min_tests = raw.results, policy.min_tests
    entries: tuple[EntryResult, ...] = ()
    if policy.expected is not None:
        known = [vector.id for vector in suite.vectors]
        shard = selection.shard
        exempt = frozenset(name for name in known if shard is not None and not shard.holds(name))
        results, entries = apply_expected(results, policy.expected, known=known, exempt=exempt, today=policy.today)
        min_tests = max(min_tests, 0 if shard else policy.expected.min_tests)
    return Run(
        suite=suite,
        selection=selection,
        policy=policy,
        command=(),
        hello=raw.hello,
        choices=raw.choices,
        results=results,
        clauses=roll_up(results, {name: clause.level for name, clause in suite.clauses.items()}),
        entries=entries,
        conclusion=conclude(
            suite=suite,
            hello=raw.hello,
            results=results,
            entries=entries,
            error=raw.error,
            required=policy.required,
            min_tests=min_tests,
            is_should_strict=policy.is_should_strict,
            is_core_needed=selection.profile != "full",
        ),
        unknown_claims=unknown_claims(raw.hello, suite) if raw.hello else (),
        error=raw.error,
    )


def _make_smaller(run: Run, subjects: Sequence[Subject], pool: ThreadPoolExecutor) -> Mapping[str, Minimal]:
    """Smaller cases of failing tests, shared out among the processes that are there, as many as there is time for."""
    if run.error is not None:
        return {}
    failing = [result for result in run.results if result.verdict is Verdict.FAIL and result.failure is not None]
    chosen = sorted(failing, key=lambda result: size_question(result.vector.question))[: run.policy.shrink_failures]
    deadline = time.monotonic() + run.policy.shrink_seconds

    def work(number: int) -> dict[str, Minimal]:
        found: dict[str, Minimal] = {}
        for result in chosen[number :: len(subjects)]:
            assert result.failure is not None
            left = deadline - time.monotonic()
            if left <= 0:
                break
            minimal = minimise_test(result.vector, result.failure, run.choices, subjects[number], max_seconds=left)
            if minimal is not None:
                found[result.vector.id] = minimal
        return found

    parts = pool.map(work, range(len(subjects)))
    return {name: minimal for part in parts for name, minimal in part.items()}
