"""Tier X against a toy with faults: what is found, how small it gets, and that nothing depends on who was quicker."""

import json
from pathlib import Path

import pytest
from attrs import evolve
from jsonschema import Draft202012Validator

from keel_ref.conformance.exits import ExitCode
from keel_ref.conformance.explore import explore
from keel_ref.conformance.explore_report import finding_record, render_exploration, save_findings
from keel_ref.conformance.explore_search import MAX_FAILING, MAX_OF_PROCESS, Plan
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.replay import Again, load_saved, replay
from keel_ref.conformance.runner import make_subject
from keel_ref.conformance.shrink import Ending
from keel_ref.conformance.suite import Suite, load_suite
from keel_ref.resources import spec_folder
from tests.unit.conformance.program_toy_runs import PATIENT, QUICK, command, explored


@pytest.fixture(scope="module")
def suite() -> Suite:
    """The suite of this checkout; only its clauses and choices matter here."""
    return load_suite()


def test_an_honest_toy_passes_every_program(suite: Suite) -> None:
    """The model agrees with itself over the wire, and the run says how much was sent."""
    found = explored(suite, "none")

    assert (ExitCode.CONFORMANT, 60, ()) == (found.code, found.programs, found.findings)
    assert found.steps > 60


@pytest.mark.parametrize(
    ("fault", "most_steps"),
    [
        ("auto-off-by-one", 2),
        ("no-reserve", 2),
        ("leak", 2),
        ("progress-counts", 1),
        ("keeps-last", 3),
        ("one-try-more", 6),
        ("resume-forgets", 3),  # rows of no tokens are missed only where they are sent
    ],
)
def test_a_fault_is_found_and_made_one_minimal(suite: Suite, fault: str, most_steps: int) -> None:
    """Every way in which it shows, in a few steps, always and in a fresh process too."""
    found = explored(suite, fault, Plan(examples=200, limits=PATIENT, jobs=2))

    assert found.code is ExitCode.NOT_CONFORMANT
    for finding in found.findings:
        assert finding.ending is Ending.ONE_MINIMAL
        assert "5/5" == str(finding.repeats)
        assert "" == finding.note
        assert len(finding.seen.item.steps) <= most_steps


def test_what_is_found_depends_on_the_seed_alone(suite: Suite) -> None:
    """The same bytes for one process and for three, and other programs for another seed."""
    one, three, other = (
        render_exploration(explored(suite, "leak", plan), suite, {})
        for plan in (
            Plan(examples=60, limits=PATIENT),
            Plan(examples=60, limits=PATIENT, jobs=3),
            Plan(examples=60, limits=PATIENT, seed=1),
        )
    )

    assert one == three
    assert one != other


def test_after_enough_failures_no_more_are_looked_for(suite: Suite) -> None:
    """The rest would be the same faults again."""
    found = explored(suite, "leak", Plan(examples=500, limits=PATIENT, jobs=2))

    assert found.programs < 200
    assert 1 <= len(found.findings) <= MAX_FAILING


def test_a_crash_is_found_without_many_processes(suite: Suite) -> None:
    """It keeps its kind, falls on the adapter, and comes down to the row that kills."""
    found = explored(suite, "crash-on-image")
    (finding,) = found.findings

    assert FailureKind.CRASH is finding.seen.failure.kind
    assert "program-crash" == finding.name
    assert ["image"] == [step[1]["kind"] for step in finding.seen.item.steps]
    assert MAX_OF_PROCESS < MAX_FAILING


def test_a_hang_costs_the_whole_limit_twice_at_most(suite: Suite) -> None:
    """Once when it is met and once in the end; between them others are waited for as long as this run needs."""
    found = explored(suite, "hang-on-image", Plan(examples=60, limits=QUICK))
    (finding,) = found.findings

    assert FailureKind.TIMEOUT is finding.seen.failure.kind
    assert ["image"] == [step[1]["kind"] for step in finding.seen.item.steps]


def test_what_comes_and_goes_is_nondeterministic(suite: Suite) -> None:
    """It is told with its rate, never made smaller, and fails no run by itself."""
    found = explored(suite, "flap", Plan(examples=60, limits=PATIENT))

    assert ExitCode.INCONCLUSIVE is found.code
    assert all(finding.is_nondeterministic and finding.ending is None for finding in found.findings)
    assert all(finding.repeats.failed < finding.repeats.runs for finding in found.findings)


def test_a_trace_that_is_too_short_breaks_the_wire(suite: Suite) -> None:
    """A missing outcome is no outcome."""
    (finding,) = explored(suite, "short").findings

    assert FailureKind.PROTOCOL is finding.seen.failure.kind
    assert 1 == len(finding.seen.item.steps)


def test_programs_that_are_not_claimed_prove_nothing(suite: Suite) -> None:
    """Nothing is sent, and the run is inconclusive."""
    found = explored(suite, "unclaimed")

    assert (ExitCode.INCONCLUSIVE, 0) == (found.code, found.programs)
    assert "not claimed" in " ".join(found.reasons)


def test_time_that_ends_early_is_said_only_where_a_number_was_asked_for(suite: Suite) -> None:
    """A budget alone is the end that was wanted."""
    asked = explored(suite, "none", Plan(examples=100_000, budget_seconds=0.2, limits=PATIENT))
    timed = explored(suite, "none", Plan(budget_seconds=0.2, limits=PATIENT))

    assert (ExitCode.INCONCLUSIVE, True) == (asked.code, asked.is_cut_short)
    assert (ExitCode.CONFORMANT, False) == (timed.code, timed.is_cut_short)


def test_an_adapter_that_does_not_start_is_at_fault(suite: Suite) -> None:
    """With code 3, as in a check."""
    plan = Plan(limits=PATIENT)
    subject = make_subject(suite, ("/no/such/adapter",), plan.limits)

    assert ExitCode.ADAPTER is explore(suite, [subject], plan).code


def test_a_finding_is_saved_and_can_be_replayed(suite: Suite, tmp_path: Path) -> None:
    """The file keeps to its schema, fails again as it did, and is fixed for an honest toy."""
    found = explored(suite, "leak")
    (saved, *_) = save_findings(found, suite, command("leak"), tmp_path).values()
    record = json.loads(saved.path.read_bytes())
    schema = json.loads((spec_folder() / "schema" / "replay.json").read_bytes())

    assert [] == list(Draft202012Validator(schema).iter_errors(record))
    assert [Again.STILL_FAILS, Again.FIXED] == [again(suite, saved.path, fault) for fault in ("leak", "none")]
    assert 2 == len(saved.path.with_suffix(".ndjson").read_bytes().splitlines())


def again(suite: Suite, path: Path, fault: str) -> Again:
    """What becomes of a saved failure when a toy is asked again."""
    subject = make_subject(suite, command(fault), PATIENT)
    try:
        subject.start()
        return replay(load_saved(path), subject, suite).again
    finally:
        subject.close()


def test_the_report_shows_the_steps_and_what_differs(suite: Suite) -> None:
    """As a person reads it, without a JSON line."""
    found = explored(suite, "resume-forgets")
    text = render_exploration(found, suite, {})

    assert "minimal  2 steps (shrunk from" in text
    assert "append" in text
    assert "expected [1].ok.used" in text
    assert "exit 1: not conformant" in text


def test_a_record_without_a_shrunk_program_has_no_original(suite: Suite) -> None:
    """There is nothing else that could be sent."""
    found = explored(suite, "flap", Plan(examples=60, limits=PATIENT))
    record = finding_record(found, found.findings[0], suite, shell="")

    assert "original" not in record
    assert "as written" == record["minimal"]
    assert evolve(found, findings=()).code is ExitCode.CONFORMANT
