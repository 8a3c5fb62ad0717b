"""What is demanded of a collection of faults, whatever the area."""

from collections.abc import Mapping, Sequence

from tests.mutants.mutant import Mutant, Report, kills


def demand_a_kill(mutant: Mutant, reports: Mapping[str, Report], control: Report) -> None:
    """At least one vector gets a wrong answer; where the fault is no crash, a crash does not count."""
    report = reports[mutant.name]

    assert report.broken == "", report.broken
    assert kills(mutant, report, control), f"alive after {report.ran} vectors; without an answer: {report.crashed}"


def demand_a_sound_control(control: Report, *, least: int) -> None:
    """Whatever catches a fault is green without it, and so many vectors were run."""
    failed = {**control.wrong, **control.crashed}

    assert control.broken == "", control.broken
    assert least <= control.ran, f"{control.ran} vectors were run, at least {least} are demanded"
    assert failed == {}, failed


def demand_many(mutants: Sequence[Mutant], *, least: int) -> None:
    """So many faults, no two of one name, each of which changes something."""
    names = [mutant.name for mutant in mutants]
    twice = sorted({name for name in names if names.count(name) > 1})
    idle = [mutant.name for mutant in mutants if mutant.old == mutant.new]

    assert least <= len(mutants), f"{len(mutants)} faults, at least {least} are demanded"
    assert twice == [], twice
    assert idle == [], idle
