"""The faults that are sown for machines and exploration, and the page that says what finds them."""

from pathlib import Path

from tests.mutants.seeded import SEEDED, SUBJECTS, find_mutant, subject_of
from tests.mutants.zoo import demand_many

RESULTS = Path(__file__).parents[1] / "soak" / "RESULTS.md"


def test_there_are_faults_about_every_subject() -> None:
    """No two share a name, and each changes something."""
    demand_many(SEEDED, least=60)

    assert set(SUBJECTS) == {subject_of(mutant) for mutant in SEEDED}


def test_a_fault_is_found_by_its_name() -> None:
    """It is how a process of its own is told which fault to put in place."""

    assert SEEDED == tuple(find_mutant(mutant.name) for mutant in SEEDED)


def test_the_page_speaks_of_each_fault() -> None:
    """In the order of the list, each with its clause."""
    rows = [row.split(" | ") for row in RESULTS.read_text(encoding="utf-8").splitlines() if row.startswith("| `")]

    assert [(f"| `{mutant.name}`", mutant.clause) for mutant in SEEDED] == [(row[0], row[2]) for row in rows]
