"""Explorations of the toy that runs programs, with the honest toy as the model."""

import sys
from pathlib import Path

from attrs import evolve

from keel_ref.conformance.explore import Exploration, explore
from keel_ref.conformance.explore_model import run_model
from keel_ref.conformance.explore_probe import Seen, expect_outcome
from keel_ref.conformance.explore_search import Plan
from keel_ref.conformance.limits import Limits
from keel_ref.conformance.match import find_mismatch, parse_expectation
from keel_ref.conformance.runner import make_subject
from keel_ref.conformance.shrink_program import Fails
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.verdict import failure_of_mismatch
from keel_ref.conformance.wire import ProgramItem
from tests.unit.conformance.adapters.program_toy import start_program

ADAPTER = Path(__file__).parent / "adapters" / "program_toy.py"
PATIENT = Limits(timeout_ms=20_000, handshake_timeout_ms=20_000)
"""For a toy that answers, on whatever machine."""
QUICK = Limits(timeout_ms=1_000, handshake_timeout_ms=20_000)
"""For a toy that hangs."""


def command(fault: str = "none") -> tuple[str, ...]:
    """The toy with one fault."""
    return (sys.executable, "-I", "-S", str(ADAPTER), fault)


def explored(suite: Suite, fault: str, plan: Plan | None = None) -> Exploration:
    """What exploration finds out about the toy with a fault."""
    plan = plan or Plan(examples=60, limits=PATIENT)
    subjects = [make_subject(suite, command(fault), plan.limits) for _ in range(plan.jobs)]
    try:
        return explore(suite, subjects, plan, start_program)
    finally:
        for subject in subjects:
            subject.close()


def fails_with(fault: str) -> Fails:
    """Puts a program to the faulty toy in this process."""

    def fails(item: ProgramItem) -> Seen | None:
        right = run_model(start_program, item)
        got = run_model(lambda config: start_program(config, fault), item)
        if right is None or got is None:
            return None
        expect = expect_outcome(right)
        mismatch = find_mismatch(parse_expectation(expect), got)
        return Seen(item=item, expect=expect, failure=failure_of_mismatch(mismatch, got)) if mismatch else None

    return fails


def without_step(item: ProgramItem, place: int) -> ProgramItem:
    """The program without one step."""
    return evolve(item, steps=(*item.steps[:place], *item.steps[place + 1 :]))
