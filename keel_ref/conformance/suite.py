"""The suite as a whole: vectors, clauses and registries of one specification folder, and the lint across them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from keel_ref.choices import registered
from keel_ref.conformance.clauses import Clause, Level, load_clauses
from keel_ref.conformance.exits import UsageError
from keel_ref.conformance.kills import FIRST_SESSION, is_kill
from keel_ref.conformance.match import ByChoice, ErrorIs, Expectation, OneOf
from keel_ref.conformance.reference import suite_version
from keel_ref.conformance.registry import CapabilityEntry, load_capabilities, read_registry
from keel_ref.conformance.vectors import Vector, digest_all, load_corpus, load_vectors
from keel_ref.conformance.wire import CallItem, ProgramItem
from keel_ref.resources import spec_folder

REVISION: Final = "2026.11"
"""The revision of the specification that this suite tests."""


@frozen(kw_only=True)
class Suite:
    """Everything that a run stands on."""

    vectors: tuple[Vector, ...]
    """Every test, sorted by id."""
    clauses: Mapping[str, Clause]
    """Every clause by id."""
    capabilities: Mapping[str, CapabilityEntry]
    """Every registered capability by name."""
    choices: Mapping[str, tuple[str, ...]]
    """Every registered choice with its values, the default first."""
    withdrawn: Mapping[str, str]
    """Tests that an erratum takes back, and why."""
    version: str
    """The version of the suite, which an expected file pins."""
    revision: str = REVISION
    """The revision of the specification."""

    @property
    def digest(self) -> str:
        """Fingerprint of all that is tested."""
        return digest_all(self.vectors)

    def level_of(self, vector: Vector) -> Level:
        """How binding a test is: as its most binding clause."""
        levels = [self.clauses[name].level for name in vector.clauses if name in self.clauses]
        return min(levels, key=list(Level).index, default=Level.MUST)


def load_suite(spec: Path | None = None, *, errata: str = "latest") -> Suite:
    """The suite of a specification folder; without one, of the folder that this installation carries."""
    spec = spec or spec_folder()
    suite = Suite(
        vectors=tuple(sorted((*load_vectors(spec), *load_corpus(spec)), key=lambda vector: vector.id)),
        clauses=load_clauses(spec),
        capabilities=load_capabilities(spec),
        choices=registered(),
        withdrawn=_load_errata(spec, errata),
        version=suite_version(),
    )
    functions = {entry["name"] for entry in read_registry(spec, "functions.json", "functions")}
    kinds = {entry["kind"] for entry in read_registry(spec, "errors.json", "errors")}
    linted = tuple(
        evolve(vector, problems=(*vector.problems, *_lint(vector, suite, functions, kinds))) for vector in suite.vectors
    )
    return evolve(suite, vectors=linted)


def _load_errata(spec: Path, errata: str) -> Mapping[str, str]:
    """Withdrawn tests by id: of the folder's own errata (`latest`), of none (`none`), or of a file."""
    if errata == "none":
        return {}
    path = spec / "errata.json" if errata == "latest" else Path(errata)
    if errata == "latest" and not path.exists():
        return {}
    try:
        rows = json.loads(path.read_bytes())["withdrawn"]
        return {row["id"]: str(row["reason"]) for row in rows}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"--errata {errata}: no list of withdrawn tests ({error})") from error


def _lint(vector: Vector, suite: Suite, functions: set[str], kinds: set[str]) -> tuple[str, ...]:
    """What a vector names that nobody has registered."""
    problems = [f"clauses: {name} is no clause" for name in vector.clauses if name not in suite.clauses]
    for name in vector.needs:
        capability = suite.capabilities.get(name)
        if capability is None or capability.is_reserved:
            problems.append(f"needs: {name} is no capability that can be claimed")
    if isinstance(vector.question, ProgramItem):
        problems.extend(_lint_kills(vector, vector.question))
    name = vector.question.fn if isinstance(vector.question, CallItem) else ""
    if name and name not in functions:
        problems.append(f"call: {name} is no function")
    problems.extend(_lint_expectation(vector.expectation, suite, kinds))
    return tuple(problems)


def _lint_kills(vector: Vector, program: ProgramItem) -> list[str]:
    """Who lets a process end must say so, and one session at a time can be taken up again. Spec: protocol.md."""
    if not any(is_kill(step) for step in program.steps):
        return []
    named = {step[1].get("s", FIRST_SESSION) for step in program.steps if isinstance(step, list) and len(step) > 1}
    problems = [] if "persist" in vector.needs else ["needs: a program with a kill needs persist"]
    return problems if len(named) == 1 else [*problems, "program: a kill stands beside several sessions"]


def _lint_expectation(expectation: Expectation, suite: Suite, kinds: set[str]) -> list[str]:
    problems: list[str] = []
    for matcher in expectation.matchers:
        if isinstance(matcher, ErrorIs) and matcher.kind not in kinds:
            problems.append(f"expect: {matcher.kind} is no kind of error")
        elif isinstance(matcher, OneOf):
            for alternative in matcher.alternatives:
                problems.extend(_lint_expectation(alternative, suite, kinds))
        elif isinstance(matcher, ByChoice):
            values = suite.choices.get(matcher.name, ())
            for value, case in matcher.cases.items():
                if value not in values:
                    problems.append(f"expect: {matcher.name}={value} is no registered choice")
                problems.extend(_lint_expectation(case, suite, kinds))
    return problems
