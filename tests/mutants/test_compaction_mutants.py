"""The vectors of compaction see single faults: each mutant is caught by one that names its clause."""

from collections.abc import Mapping

from tests.mutants.compaction import PROGRAM_MUTANTS as MUTANTS
from tests.mutants.mutant import Mutant, Report, kills, named, without_fault

CONTROL = without_fault(MUTANTS[0])
"""The sound model, by the same way as a faulty one."""


@named(MUTANTS)
def test_a_vector_that_names_the_clause_catches_the_fault(
    mutant: Mutant, reports: Mapping[str, Report], control: Report
) -> None:
    """At least one vector gets a wrong answer; where the fault is no crash, a crash does not count."""
    report = reports[mutant.name]

    assert "" == report.broken
    assert kills(mutant, report, control), f"alive after {report.ran} vectors; without an answer: {report.crashed}"


def test_the_model_without_a_fault_passes_every_vector(control: Report) -> None:
    """The control: whatever catches a fault is green without it."""

    assert "" == control.broken
    assert 400 <= control.ran
    assert {} == {**control.wrong, **control.crashed}


def test_there_are_faults_of_every_kind() -> None:
    """At least sixty are demanded; no two share a name, and each changes something."""
    names = [mutant.name for mutant in MUTANTS]

    assert 60 <= len(MUTANTS)
    assert sorted(set(names)) == sorted(names)
    assert [] == [mutant.name for mutant in MUTANTS if mutant.old == mutant.new]
