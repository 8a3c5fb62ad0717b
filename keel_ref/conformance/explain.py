"""What is known about a name of the specification: the clause, why it is so, and what shows it.

One question from a failure to its ground: which clause, for which reason, on which basis, shown by which vectors and
tests, decided on which line, and broken by whom in public.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from attrs import astuple

from keel_ref.conformance.citations import place_in_spec
from keel_ref.conformance.clauses import Clause
from keel_ref.conformance.exits import UsageError
from keel_ref.conformance.explanation import (
    CASE,
    OBSERVATION,
    REPORT,
    Explanation,
    Line,
    Section,
    clauses_section,
    code_section,
    json_line,
    mentions_section,
    plain_line,
    plain_section,
    reports_section,
    tests_section,
    vector_line,
)
from keel_ref.conformance.near import near_words
from keel_ref.conformance.registry import Registries, load_registries
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.vectors import Vector
from keel_ref.conformance.wire import ProgramItem, question_to_object
from keel_ref.resources import spec_folder

_PRINCIPLE = re.compile(r"^- \*\*(?P<id>P-\d+)\*\* (?P<text>.+)$", re.MULTILINE)


def explain(name: str, suite: Suite) -> tuple[Explanation, ...]:
    """Everything that a name stands for. Raises `UsageError`, with names that resemble it, where that is nothing."""
    explainer = _Explainer(suite, load_registries())
    found = tuple(explainer.explain(name)) or tuple(explainer.explain(name.upper()))
    if not found:
        raise UsageError(f"{name} is no name of the specification{near_words(name, explainer.names())}")
    return found


class _Explainer:
    """The specification, and what cites it, as far as one question needs it."""

    def __init__(self, suite: Suite, registries: Registries) -> None:
        """Take what has been read; nothing is searched before it is asked for."""
        self.clauses = suite.clauses
        self.vectors = suite.vectors
        self.registries = registries
        readme = spec_folder() / "README.md"
        text = readme.read_text(encoding="utf-8") if readme.is_file() else ""
        self.principles = {found["id"]: found["text"] for found in _PRINCIPLE.finditer(text)}

    def names(self) -> Iterator[str]:
        """Every name that can be explained."""
        yield from self.clauses
        yield from self.principles
        yield from (vector.id for vector in self.vectors)
        for registry in astuple(self.registries, recurse=False):
            yield from registry
        for clause in self.clauses.values():
            yield from clause.bugs
        for vector in self.vectors:
            yield from vector.seen

    def explain(self, name: str) -> Iterator[Explanation]:
        """Every meaning of a name, clauses and tests first."""
        if name in self.clauses:
            yield self._clause(self.clauses[name])
        yield from (self._vector(vector) for vector in self.vectors if vector.id == name)
        if name in self.principles:
            cited = [clause for clause in self.clauses.values() if re.search(rf"\b{name}\b", clause.reason)]
            sections = (clauses_section(cited),)
            yield Explanation(id=name, kind="principle", text=self.principles[name], sections=sections)
        yield from self._registered(name)
        yield from self._seen(name)

    def _clause(self, clause: Clause) -> Explanation:
        plain = {
            "level": (clause.level.value,),
            "basis": clause.basis,
            "reason": (clause.reason,),
            "facts": clause.facts,
            "choice": clause.choice,
            "capability": clause.capability,
            "examples": tuple(example.source for example in clause.examples),
        }
        vectors = [vector for vector in self.vectors if clause.id in vector.clauses]
        return Explanation(
            id=clause.id,
            kind="clause",
            title=clause.title,
            text=clause.text,
            sections=(
                Section(label="place", lines=(plain_line(place_in_spec(clause.anchor)),)),
                *(plain_section(label, values) for label, values in plain.items()),
                Section(label="vectors", lines=tuple(vector_line(vector) for vector in vectors)),
                tests_section(clause.id),
                code_section(clause.id),
                reports_section([*clause.bugs, *(seen for vector in vectors for seen in vector.seen)]),
            ),
        )

    def _vector(self, vector: Vector) -> Explanation:
        asked = question_to_object(vector.question)
        label = "program" if isinstance(vector.question, ProgramItem) else "call"
        cited = [self.clauses[name] for name in vector.clauses if name in self.clauses]
        return Explanation(
            id=vector.id,
            kind="test",
            title=vector.why,
            sections=(
                clauses_section(cited),
                plain_section("needs", vector.needs),
                reports_section(vector.seen),
                Section(label=label, lines=(json_line(asked),)),
                Section(label="expect", lines=(json_line(vector.expect),)),
                plain_section("place", (place_in_spec(vector.path),)),
            ),
        )

    def _registered(self, name: str) -> Iterator[Explanation]:
        """What the registries say of a name."""
        known = self.registries
        if name in known.choices:
            choice = known.choices[name]
            values = tuple(
                Line(words=f"{value}: {meaning}", data={"value": value, "meaning": meaning})
                for value, meaning in choice.meaning.items()
            )
            default = plain_section("default", (choice.default,))
            yield self._entry(
                name, "choice", choice.reason, choice.clauses, Section(label="values", lines=values), default
            )
        if name in known.gates:
            gate = known.gates[name]
            presets = (f"documented: {_open(is_open=gate.documented)}", f"released: {_open(is_open=gate.released)}")
            yield self._entry(name, "gate", gate.about, gate.clauses, plain_section("presets", presets))
        if name in known.capabilities:
            capability = known.capabilities[name]
            tests = tuple(vector_line(vector) for vector in self.vectors if name in vector.needs)
            needs = plain_section("needs", capability.needs)
            yield self._entry(
                name, "capability", capability.about, capability.clauses, needs, Section(label="vectors", lines=tests)
            )
        if name in known.functions:
            function = known.functions[name]
            arguments = tuple(
                Line(words=f"{one['name']} ({one['type']}, default {one['default']}): {one['about']}", data=dict(one))
                for one in function.arguments
            )
            result = tuple(Line(words=f"{key}: {words}", data={key: words}) for key, words in function.result.items())
            sections = (
                plain_section("capability", (function.capability,)),
                Section(label="arguments", lines=arguments),
                Section(label="result", lines=result),
                plain_section("errors", function.errors),
            )
            yield self._entry(name, "function", "", function.clauses, *sections)
        if name in known.errors:
            yield self._entry(name, "error", known.errors[name].meaning, ())
        for kind, registry in known.closed_lists():
            if name in registry:
                yield self._entry(name, kind, registry[name].meaning, (registry[name].clause,))

    def _entry(self, name: str, kind: str, text: str, clauses: Iterable[str], *sections: Section) -> Explanation:
        cited = [self.clauses[clause] for clause in clauses if clause in self.clauses]
        return Explanation(id=name, kind=kind, text=text, sections=(*sections, clauses_section(cited)))

    def _seen(self, name: str) -> Iterator[Explanation]:
        """What stands on a public report, on an observation or on a fact."""
        vectors = [vector for vector in self.vectors if any(_is_of(seen, name) for seen in vector.seen)]
        if name in self.registries.facts:
            fact = self.registries.facts[name]
            text = f"Not modelled: {fact.not_modelled}." if fact.not_modelled else ""
            yield self._entry(name, "fact", text, fact.clauses)
        elif OBSERVATION.fullmatch(name):
            citing = [clause for clause in self.clauses.values() if _names_observation(clause, name)]
            yield from self._standing("observation", name, citing, vectors)
        elif CASE.fullmatch(name) or REPORT.fullmatch(name):
            citing = [clause for clause in self.clauses.values() if name in clause.bugs]
            yield from self._standing("bug", name, citing, vectors)

    def _standing(self, kind: str, name: str, clauses: list[Clause], vectors: list[Vector]) -> Iterator[Explanation]:
        """A source and what stands on it; nothing where nothing does."""
        if not clauses and not vectors:
            return
        sections = [
            clauses_section(clauses),
            Section(label="vectors", lines=tuple(vector_line(vector) for vector in vectors)),
            mentions_section(name),
        ]
        if kind == "bug":
            sections.append(reports_section([name]))
        yield Explanation(id=name, kind=kind, sections=tuple(sections))


def _open(*, is_open: bool) -> str:
    return "open" if is_open else "shut"


def _is_of(seen: str, name: str) -> bool:
    """Whether something that was seen is the one named, or a record of it."""
    return seen == name or seen.startswith(f"{name}/")


def _names_observation(clause: Clause, name: str) -> bool:
    """Whether the basis names the observation, or a record of it."""
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", basis) for basis in clause.basis)
