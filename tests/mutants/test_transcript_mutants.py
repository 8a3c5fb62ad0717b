"""The vectors on session files see single faults: each mutant is caught by one that names its clause."""

from collections.abc import Mapping

from tests.mutants.mutant import Mutant, Report, named, without_fault
from tests.mutants.transcript import reading
from tests.mutants.zoo import demand_a_kill, demand_a_sound_control, demand_many

MUTANTS: tuple[Mutant, ...] = reading.MUTANTS

CONTROL = without_fault(MUTANTS[0])
"""The sound model, by the same way as a faulty one."""


@named(MUTANTS)
def test_a_vector_that_names_the_clause_catches_the_fault(
    mutant: Mutant, reports: Mapping[str, Report], control: Report
) -> None:
    """At least one vector gets a wrong answer; where the fault is no crash, a crash does not count."""
    demand_a_kill(mutant, reports, control)


def test_the_model_without_a_fault_passes_every_vector(control: Report) -> None:
    """The control: whatever catches a fault is green without it."""
    demand_a_sound_control(control, least=150)


def test_there_are_faults_of_every_kind() -> None:
    """No two share a name, and each changes something."""
    demand_many(MUTANTS, least=30)
