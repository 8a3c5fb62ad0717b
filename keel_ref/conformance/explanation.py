"""The answer to a question about the specification: what belongs to a name, for a person and for a program."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from attrs import field, frozen

from keel_ref.conformance.citations import code_root, find_checkout, find_code_citations, find_mentions, find_tests
from keel_ref.conformance.clauses import Clause
from keel_ref.conformance.vectors import Vector

CASE: Final = re.compile(r"B\d{3}")
"""The id of a public report that was cut down to a case."""
REPORT: Final = re.compile(r"(?P<place>[\w.-]+/[\w.-]+)#(?P<number>\d+)")
"""A public report in its own place."""
OBSERVATION: Final = re.compile(r"O-\d{2}(?:/\S+)?|(?:record|sessions)/\S+")
"""An observation, or one record of it; `record/` names one of those that are kept whole, `sessions/` a session file."""
NO_TESTS: Final = "the tests are not part of an installed wheel; a checkout of the repository has them"
"""Said where tests are asked for that are not there."""


@frozen(kw_only=True)
class Line:
    """One thing that belongs to a name."""

    words: str
    """For a person."""
    data: object
    """For a program; what JSON can hold."""


@frozen(kw_only=True)
class Section:
    """Things of one kind that belong to a name."""

    label: str
    lines: tuple[Line, ...] = ()
    note: str = ""
    """Why there are no lines, where that is worth a word."""


@frozen(kw_only=True)
class Explanation:
    """Everything known about one name in one of its meanings."""

    id: str
    kind: str
    """clause, principle, choice, gate, capability, function, error, reason, warning, test, bug, observation or fact."""
    title: str = ""
    text: str = ""
    """What it says, as Markdown."""
    sections: tuple[Section, ...] = field(default=())

    def to_object(self) -> dict[str, Any]:
        """The same for a program."""
        lists = {section.label: [line.data for line in section.lines] for section in self.sections}
        return {"id": self.id, "kind": self.kind, "title": self.title, "text": self.text, **lists}


def clauses_section(clauses: Iterable[Clause]) -> Section:
    """Clauses by id, level and title."""
    lines = tuple(
        Line(
            words=f"{clause.id} [{clause.level}] {clause.title}",
            data={"id": clause.id, "level": clause.level.value, "title": clause.title},
        )
        for clause in clauses
    )
    return Section(label="clauses", lines=lines)


def plain_line(words: str) -> Line:
    """Words that are the same for a person and a program."""
    return Line(words=words, data=words)


def json_line(value: Mapping[str, Any]) -> Line:
    """A value that people read as JSON too."""
    return Line(words=json.dumps(value, ensure_ascii=False), data=value)


def plain_section(label: str, values: Iterable[str]) -> Section:
    """Several words under one label."""
    return Section(label=label, lines=tuple(plain_line(value) for value in values))


def vector_line(vector: Vector) -> Line:
    """A test by its id and why it exists."""
    return Line(words=f"{vector.id}: {vector.why}", data={"id": vector.id, "why": vector.why, "path": vector.path})


def tests_section(clause: str) -> Section:
    """The Python tests that cite a clause, where there are tests."""
    root = find_checkout()
    if root is None:
        return Section(label="tests", note=NO_TESTS)
    lines = tuple(
        Line(
            words=f"{test.path}:{test.line} {test.name}: {test.claim}",
            data={"path": test.path, "line": test.line, "name": test.name, "claim": test.claim},
        )
        for test in find_tests(root)
        if clause in test.ids
    )
    return Section(label="tests", lines=lines, note="" if lines else "none yet")


def mentions_section(name: str) -> Section:
    """The lines of the tests that name a report or an observation, where there are tests."""
    root = find_checkout()
    if root is None:
        return Section(label="tests", note=NO_TESTS)
    lines = tuple(
        Line(words=f"{path}:{number}", data={"path": path, "line": number})
        for path, number in find_mentions(root, name)
    )
    return Section(label="tests", lines=lines)


def code_section(clause: str) -> Section:
    """The lines of code that cite a clause; the deciding ones first."""
    found = [citation for citation in find_code_citations(code_root()) if citation.id == clause]
    found.sort(key=lambda citation: citation.grain.value)
    lines = tuple(
        Line(
            words=f"{one.path}:{one.line} {one.text}",
            data={"path": one.path, "line": one.line, "grain": one.grain.value, "text": one.text},
        )
        for one in found
    )
    return Section(label="code", lines=lines)


def reports_section(names: Iterable[str]) -> Section:
    """Public reports, each once, with the address of those that have one."""
    lines: list[Line] = []
    for name in dict.fromkeys(names):
        report = REPORT.fullmatch(name)
        if report:
            link = f"https://github.com/{report['place']}/issues/{report['number']}"
            lines.append(Line(words=f"{name} {link}", data={"id": name, "link": link}))
        elif CASE.fullmatch(name) or OBSERVATION.fullmatch(name):
            lines.append(Line(words=name, data={"id": name}))
    return Section(label="seen", lines=tuple(lines))
