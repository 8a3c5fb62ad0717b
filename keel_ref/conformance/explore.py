"""Tier X: programs that are drawn from the model, against a process that runs them, down to the smallest that fails.

A program is drawn whole before anything is sent, so that drawing cannot waver with the implementation, and each
attempt at making it smaller costs one message. What a run says depends on the seed and the number of programs alone,
not on how many processes share the work.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from attrs import field, frozen

from keel_ref.conformance.exits import ExitCode
from keel_ref.conformance.explore_findings import Finding, look_into_all
from keel_ref.conformance.explore_model import expect_by, reference_model
from keel_ref.conformance.explore_probe import Patience, Prober
from keel_ref.conformance.explore_search import Plan, Search
from keel_ref.conformance.hello import HelloAnswer, check_claims, declared_choices
from keel_ref.conformance.misbehaviour import AdapterError
from keel_ref.conformance.subject import Subject
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.vectors import PROGRAM
from keel_ref.conformance.workers import start_all
from keel_ref.strategies.program_drawing import StartProgram


@frozen(kw_only=True)
class Exploration:
    """What came of a run of exploration."""

    plan: Plan
    hello: HelloAnswer | None = None
    choices: Mapping[str, str] = field(factory=dict)
    programs: int = 0
    """Programs that were sent, up to the last one that counts."""
    steps: int = 0
    """Their steps."""
    findings: tuple[Finding, ...] = ()
    """One for each way of failing, the first one found first."""
    error: AdapterError | None = None
    """Why the adapter was given up."""
    is_unclaimed: bool = False
    """Whether programs are not claimed, so that nothing was sent."""
    is_cut_short: bool = False
    """Whether the time was used before all programs that were asked for were sent."""

    @property
    def code(self) -> ExitCode:
        """How a run ends that explores and does nothing else."""
        if self.error is not None:
            return ExitCode.ADAPTER
        if any(not finding.is_nondeterministic for finding in self.findings):
            return ExitCode.NOT_CONFORMANT
        is_open = self.findings or self.is_unclaimed or self.is_cut_short or not self.programs
        return ExitCode.INCONCLUSIVE if is_open else ExitCode.CONFORMANT

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it does not end with 0."""
        found = [f"the adapter is at fault: {self.error.problem}"] if self.error else []
        failing = sum(not finding.is_nondeterministic for finding in self.findings)
        if failing:
            found.append(f"programs fail in {failing} {'way' if failing == 1 else 'ways'}")
        if failing < len(self.findings):
            found.append(f"{len(self.findings) - failing} failed now and passed then: nondeterministic")
        if self.is_unclaimed:
            found.append(f"the capability {PROGRAM} is not claimed, so nothing was sent")
        if self.is_cut_short:
            found.append("the time was used before all programs were sent")
        return tuple(found)


def explore(suite: Suite, subjects: Sequence[Subject], plan: Plan, start: StartProgram | None = None) -> Exploration:
    """Explore the processes, which are started here and closed by the caller. The model can be another one."""
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(max_workers=len(subjects)))
        stack.push(lambda kind, *_: kind is not None and _abort(subjects))
        try:
            hello = start_all(subjects, pool)
            check_claims(hello, suite)
        except AdapterError as error:
            return Exploration(plan=plan, error=error)
        choices = declared_choices(hello, suite)
        if PROGRAM not in hello.capabilities:
            return Exploration(plan=plan, hello=hello, choices=choices, is_unclaimed=True)
        model = start or reference_model(choices)
        patience = Patience(plan.limits.timeout_ms)
        search = Search(plan, [Prober(subject, expect_by(model), patience) for subject in subjects], model)
        findings: tuple[Finding, ...] = ()
        fault: AdapterError | None = None
        try:
            list(pool.map(search.work, range(len(subjects))))
            findings = look_into_all(search.failing(), search.probers, pool, plan, suite)
        except AdapterError as error:
            fault = error
        return Exploration(
            plan=plan,
            hello=hello,
            choices=choices,
            programs=search.counted(),
            steps=search.counted_steps(),
            findings=findings,
            error=fault,
            is_cut_short=search.is_out_of_time and plan.examples is not None,
        )


def _abort(subjects: Sequence[Subject]) -> bool:
    for subject in subjects:
        subject.abort()
    return False
