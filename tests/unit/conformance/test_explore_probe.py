"""How long a process that runs programs is waited for, how often it is started, and where an answer is wrong."""

from types import SimpleNamespace

import pytest

from keel_ref.conformance import explore_probe
from keel_ref.conformance.compare import Difference
from keel_ref.conformance.explore_findings import name_of
from keel_ref.conformance.explore_probe import LEAST_TIMEOUT_MS, RESPAWNS_PER_SECOND, Patience, Prober, Seen
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.runner import make_subject
from keel_ref.conformance.suite import load_suite
from keel_ref.conformance.verdict import Failure, Fault
from keel_ref.conformance.wire import ProgramItem
from tests.unit.conformance.program_toy_runs import PATIENT, command

ITEM = ProgramItem(steps=(["append", {"kind": "user", "tokens": 1}], ["observe", {}]))


def seen(path: str, kind: FailureKind = FailureKind.MISMATCH) -> Seen:
    """A program whose trace differs at a place; without one, the process is at fault."""
    difference = Difference(path=path, expected=1, got=2) if path else None
    failure = Failure(kind=kind, fault=Fault.ADAPTER, message="x", difference=difference)
    return Seen(item=ITEM, expect={"subset": [{}, {}]}, failure=failure)


@pytest.mark.parametrize(
    ("seconds", "limit_ms", "timeout_ms"),
    [
        ([], 2_000, 2_000),
        ([0.001] * 100, 2_000, LEAST_TIMEOUT_MS),
        ([0.001] * 98 + [0.01, 0.01], 2_000, 200),
        ([0.001] * 99 + [1.0], 2_000, LEAST_TIMEOUT_MS),
        ([0.01] * 100, 2_000, 200),
        ([0.2] * 10, 2_000, 2_000),
        ([0.001], 20, 20),
    ],
)
def test_behind_a_hang_others_are_waited_for_as_long_as_the_run_needs(
    seconds: list[float], limit_ms: int, timeout_ms: int
) -> None:
    """Twenty times what 99 of 100 took, at least 50 ms, and never more than the caller allows."""
    patience = Patience(limit_ms)
    for one in seconds:
        patience.took(one)

    assert limit_ms == patience.timeout_ms()
    patience.hung()
    assert timeout_ms == patience.timeout_ms()


def test_a_process_is_started_no_more_than_three_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fourth start waits until the first is a second old."""
    clock = [100.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += seconds

    monkeypatch.setattr(explore_probe, "time", SimpleNamespace(monotonic=lambda: clock[0], sleep=sleep))
    patience = Patience(1_000)
    for _ in range(RESPAWNS_PER_SECOND):
        patience.wait_for_respawn()
        clock[0] += 0.25

    assert [] == slept
    patience.wait_for_respawn()
    assert [pytest.approx(0.25)] == slept


@pytest.mark.parametrize(
    ("path", "step", "name"),
    [
        ("[1].ok.used", 1, "program-observe-used"),
        ("[0].ok.ids[3]", 0, "program-append-ids"),
        ("[0].error", 0, "program-append"),
        ("[0].error.kind", 0, "program-append-kind"),
        ("error", None, "program-mismatch"),
        ("", None, "program-mismatch"),
    ],
)
def test_a_way_of_failing_is_named_by_step_and_field(path: str, step: int | None, name: str) -> None:
    """So that one fault in many programs is one finding."""

    assert (step, name) == (seen(path).step, name_of(seen(path)))


def test_what_a_process_does_is_named_by_its_kind() -> None:
    """There is no step to name."""

    assert "program-timeout" == name_of(seen("", FailureKind.TIMEOUT))


def test_a_prober_starts_a_process_that_is_gone_again() -> None:
    """One that nobody knows the right answer for is not asked at all."""
    subject = make_subject(load_suite(), command(), PATIENT)
    prober = Prober(subject, lambda _: None, Patience(PATIENT.timeout_ms))
    right = {"subset": [{"ok": {"used": 1}}, {}]}
    try:
        subject.start()
        assert prober.probe(ITEM) is None
        assert prober.probe(ITEM, right) is None
        prober.revive(is_fresh=True)
        assert 1 == subject.restarts
        wrong = prober.probe(ITEM, {"subset": [{}, {"ok": {"used": 2}}]})
    finally:
        subject.close()

    assert wrong is not None
    assert (1, FailureKind.MISMATCH) == (wrong.step, wrong.failure.kind)
