"""The vectors of the area memory see single faults: each mutant of the model is caught by one that names its clause."""

from collections.abc import Mapping

import pytest
from attrs import evolve, frozen

from tests.mutants.memory import frontmatter, includes, index, mentions, patterns, places, rules, switches, texts, touch
from tests.mutants.mutant import Mutant, Report, kills, named, without_fault

FAMILIES = (places, switches, rules, frontmatter, patterns, mentions, includes, texts, index, touch)
MUTANTS: tuple[Mutant, ...] = tuple(mutant for family in FAMILIES for mutant in family.MUTANTS)

CANARY = Mutant(
    name="nothing-is-ever-listed",
    clause="MEM-001",
    module="keel_ref.memory.ledger",
    old="files=tuple(self.files),",
    new="files=(),",
)
"""A fault that no suite could miss; if it lives, the runner does not put faults in place."""

CONTROL = without_fault(CANARY)
"""The sound model, by the same way as a faulty one."""

CRASHER = Mutant(
    name="nothing-but-crashes",
    clause="MEM-001",
    module="keel_ref.memory.ledger",
    old="files=tuple(self.files),",
    new="files=(1 // 0,),",
)
"""A fault that gives no wrong answer, only none."""

MISPLACED = evolve(CANARY, name="misplaced", old="text that stands nowhere")
AMBIGUOUS = evolve(CANARY, name="ambiguous", old="self.")
NO_PART_OF_THE_MODEL = evolve(CANARY, name="no-part-of-the-model", module="keel_ref.conformance.match")


@frozen(kw_only=True)
class Equivalent:
    """A change of the model that no vector can see."""

    mutant: Mutant
    """The change."""
    reason: str
    """Why nobody could tell the two apart."""


EQUIVALENT = (
    Equivalent(
        mutant=Mutant(
            name="worktree-rule-without-its-first-question",
            clause="MEM-009",
            module="keel_ref.memory.roots",
            old="or not is_inside(roots.git, roots.main, tree.flavour):",
            new=":",
        ),
        reason="A folder of the chain that lies inside the main root while the git root does not lies below the main "
        "root, which then lies below the git root; so the folder lies inside the git root, and the rule spares it.",
    ),
    Equivalent(
        mutant=Mutant(
            name="patterns-read-in-every-file",
            clause="MEM-042",
            module="keel_ref.memory.reader",
            old="if is_rule and split.block is not None:",
            new="if split.block is not None:",
        ),
        reason="The loader asks for itself whether a file is a rule before it holds it back; what remains is a warning "
        "about a broken block elsewhere, which MEM-045 leaves free.",
    ),
    Equivalent(
        mutant=Mutant(
            name="texts-without-comments-take-the-long-way",
            clause="MEM-103",
            module="keel_ref.memory.comments",
            old='if "<!--" not in plain:\n            return text',
            new="if False:\n            return text",
        ),
        reason="One more pass over a text without comments changes nothing; it only takes time.",
    ),
    Equivalent(
        mutant=Mutant(
            name="texts-without-mentions-are-parsed",
            clause="MEM-072",
            module="keel_ref.memory.includes",
            old='if "@" not in text:',
            new="if False:",
        ),
        reason="Every mention begins with that character, so a text without it has none; parsing it only takes time.",
    ),
)


@named((*MUTANTS, CANARY))
def test_a_vector_that_names_the_clause_catches_the_fault(
    mutant: Mutant, reports: Mapping[str, Report], control: Report
) -> None:
    """At least one vector gets a wrong answer; where the fault is no crash, a crash does not count."""
    report = reports[mutant.name]

    assert "" == report.broken
    assert kills(mutant, report, control), f"alive after {report.ran} vectors; without an answer: {report.crashed}"


@named(tuple(equivalent.mutant for equivalent in EQUIVALENT))
def test_nothing_tells_an_equivalent_change_from_the_model(
    mutant: Mutant, reports: Mapping[str, Report], control: Report
) -> None:
    """What is listed as equivalent is never caught; else its reason is wrong, and it belongs to the mutants."""
    report = reports[mutant.name]

    assert "" == report.broken
    assert 0 < report.ran
    assert () == kills(evolve(mutant, is_crash=True), report, control)


def test_the_model_without_a_fault_passes_every_vector(control: Report) -> None:
    """The control: whatever catches a fault is green without it."""

    assert "" == control.broken
    assert 500 <= control.ran
    assert {} == {**control.wrong, **control.crashed}


@named((CRASHER,))
def test_a_crash_catches_nothing_unless_the_fault_is_a_crash(
    mutant: Mutant, reports: Mapping[str, Report], control: Report
) -> None:
    """A mutant that dies for a reason of its own says nothing of the vectors."""
    report = reports[mutant.name]

    assert report.ran == len(report.crashed)
    assert () == kills(mutant, report, control)
    assert sorted(report.crashed) == list(kills(evolve(mutant, is_crash=True), report, control))


def test_what_fails_without_the_fault_catches_nothing() -> None:
    """A vector that is red anyway is no witness."""
    report = Report(ran=2, wrong={"a": "wrong", "b": "wrong"})

    assert ("b",) == kills(CANARY, report, Report(ran=2, wrong={"a": "wrong"}))


@pytest.mark.parametrize(
    ("mutant", "problem"),
    [(MISPLACED, "stands there 0 times"), (AMBIGUOUS, "times, not once"), (NO_PART_OF_THE_MODEL, "judges the model")],
    ids=["misplaced", "ambiguous", "no-part-of-the-model"],
)
def test_a_fault_that_cannot_be_put_in_place_says_why(
    mutant: Mutant, problem: str, reports: Mapping[str, Report]
) -> None:
    """The model moved on, and the text that a fault replaces is gone or stands there twice: the report says so."""

    assert problem in reports[mutant.name].broken
    assert 0 == reports[mutant.name].ran


def test_there_are_faults_of_every_kind() -> None:
    """At least forty are demanded; no two share a name, and each changes something."""
    names = [mutant.name for mutant in MUTANTS]

    assert 40 <= len(MUTANTS)
    assert sorted(set(names)) == sorted(names)
    assert [] == [mutant.name for mutant in MUTANTS if mutant.old == mutant.new]
