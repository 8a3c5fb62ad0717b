"""The clauses of the specification, read from its chapters.

A chapter is Markdown for people; this module is the one reader for programs. A clause is a
third-level heading `### MEM-005 [MUST] Title`, its normative text, a list of fields, and
examples in fences. An ill-formed clause is a fault that names file and line: a chapter
that is read almost rightly would be worse than one that is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType

from attrs import field, frozen

from keel_ref.conformance.faults import SpecFault
from keel_ref.resources import spec_folder

AREAS: Mapping[str, str] = MappingProxyType(
    {
        "EST": "tokens",
        "MSG": "messages",
        "MEM": "memory",
        "WIN": "window",
        "CMP": "compaction",
        "CTX": "context",
        "TRN": "transcript",
    }
)
"""Prefix of a clause id, and the area it stands for."""

BASES = ("documented", "public", "observed", "decided")
"""What a clause may rest on, strongest claim of a source first."""

_HEADING = re.compile(r"### (?P<id>[A-Z]{3}-\d{3}) \[(?P<level>MUST|SHOULD|MAY)\] (?P<title>\S.*)")
_ALMOST_HEADING = re.compile(r"###\s+[A-Z]{2,4}[-_ ]?\d+\b")
_ANY_HEADING = re.compile(r"#{1,3} ")
_FIELD = re.compile(r"- (?P<label>[A-Z][a-z]+):(?:\s+(?P<value>.*))?")
_FENCE = re.compile(r"(?P<ticks>`{3,}|~{3,})(?P<info>.*)")
_FACT = re.compile(r"[A-Z]-\d{2}[a-z]?")
_BUG = re.compile(r"B\d{3}|[\w.-]+/[\w.-]+#\d+")
_COMMA = re.compile(r",\s*(?![^()]*\))")
_LABELS = ("Basis", "Facts", "Reason", "Choice", "Capability", "Bugs")


class Level(StrEnum):
    """How binding a clause is."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    MAY = "MAY"


@frozen(kw_only=True)
class Example:
    """A fence below a clause that can be run."""

    kind: str
    """`json`: a call and what it must give; `python`: statements that must not raise."""
    source: str
    """The text between the fences."""
    path: str
    """The chapter, as named below `spec/`."""
    line: int
    """The first line of the source, counted from one."""


@frozen(kw_only=True)
class Clause:
    """One numbered, testable sentence of the specification, with why it is so."""

    id: str
    """Area prefix and number; never renumbered, never used again."""
    level: Level
    """MUST, SHOULD or MAY."""
    title: str
    """The clause in a few words."""
    text: str
    """The normative text, as Markdown."""
    basis: tuple[str, ...]
    """Each a kind of `BASES`, with its source in brackets."""
    facts: tuple[str, ...]
    """Ids of the facts it states; empty for a clause that is a decision of ours."""
    reason: str
    """Why the rule is as it is."""
    choice: tuple[str, ...]
    """Names of the choices that the clause leaves to the implementation."""
    capability: tuple[str, ...]
    """Names of the capabilities that an implementation claims to be held to it."""
    bugs: tuple[str, ...]
    """Public reports of its being broken: a case id, or `owner/repository#number`."""
    examples: tuple[Example, ...]
    """What can be run, in the order written."""
    area: str
    """One of the seven areas."""
    path: str = field(eq=False)
    """The chapter, as named below `spec/`."""
    line: int = field(eq=False)
    """The line of its heading, counted from one."""

    @property
    def anchor(self) -> str:
        """The link to its heading, as Markdown renderers make it."""
        return f"{self.path}#{heading_anchor(f'{self.id} [{self.level}] {self.title}')}"


@cache
def load_clauses(folder: Path | None = None) -> Mapping[str, Clause]:
    """Every clause of every chapter by id, in the order of the ids."""
    folder = folder or spec_folder()
    found: dict[str, Clause] = {}
    for chapter in sorted(folder.glob("*.md")):
        for clause in parse_chapter(chapter.read_text(encoding="utf-8"), path=chapter.name):
            other = found.get(clause.id)
            if other is not None:
                problem = f"{clause.id} stands in {other.path}:{other.line} already"
                raise SpecFault(path=clause.path, line=clause.line, problem=problem)
            found[clause.id] = clause
    return MappingProxyType(dict(sorted(found.items())))


def parse_chapter(markdown: str, *, path: str) -> Iterator[Clause]:
    """The clauses of one chapter in the order written; prose around them is passed over."""
    section: list[tuple[int, str]] = []
    for number, line, is_fenced in _number_lines(markdown, path):
        is_heading = not is_fenced and _ANY_HEADING.match(line) is not None
        if is_heading and section:
            yield _parse_clause(section, path)
            section = []
        if is_heading and _HEADING.fullmatch(line.rstrip()):
            section = [(number, line.rstrip())]
        elif is_heading and _ALMOST_HEADING.match(line):
            problem = "a clause's heading reads `### MEM-005 [MUST] Title`, with MUST, SHOULD or MAY"
            raise SpecFault(path=path, line=number, problem=problem)
        elif section:
            section.append((number, line))
    if section:
        yield _parse_clause(section, path)


def _number_lines(markdown: str, path: str) -> Iterator[tuple[int, str, bool]]:
    """Each line with its number, and whether it lies inside a fence."""
    closing, opened_at = "", 0
    for number, line in enumerate(markdown.splitlines(), start=1):
        fence = _FENCE.match(line)
        if closing:
            yield number, line, True
            if fence and fence["ticks"].startswith(closing) and not fence["info"].strip():
                closing = ""
            continue
        if fence:
            closing, opened_at = fence["ticks"], number
        yield number, line, bool(fence)
    if closing:
        raise SpecFault(path=path, line=opened_at, problem="this fence is never closed")


def _parse_clause(section: list[tuple[int, str]], path: str) -> Clause:
    """One clause from its heading and the lines up to the next heading."""
    line, first = section[0]
    heading = _HEADING.fullmatch(first)
    assert heading is not None
    prefix = heading["id"][:3]
    if prefix not in AREAS:
        raise SpecFault(path=path, line=line, problem=f"no area has the prefix {prefix}")
    text, fields, examples = _split_section(section[1:], path)
    if not text:
        raise SpecFault(path=path, line=line, problem=f"{heading['id']} has no normative text")
    for label in ("Basis", "Reason"):
        if label not in fields:
            raise SpecFault(path=path, line=line, problem=f"{heading['id']} has no line `- {label}: …`")
    basis = _items(fields, "Basis")
    for item in basis:
        if item.split(" ", 1)[0] not in BASES:
            problem = f"basis {item!r} must begin with one of {', '.join(BASES)}"
            raise SpecFault(path=path, line=fields["Basis"][0], problem=problem)
    return Clause(
        id=heading["id"],
        level=Level(heading["level"]),
        title=heading["title"],
        text=text,
        basis=basis,
        facts=_shaped(fields, "Facts", _FACT, path),
        reason=fields["Reason"][1],
        choice=_names(fields, "Choice"),
        capability=_names(fields, "Capability"),
        bugs=_shaped(fields, "Bugs", _BUG, path),
        examples=examples,
        area=AREAS[prefix],
        path=path,
        line=line,
    )


_Fields = dict[str, tuple[int, str]]
"""Label to the line it stands on, and its value."""


def _split_section(lines: list[tuple[int, str]], path: str) -> tuple[str, _Fields, tuple[Example, ...]]:
    """The normative text, the fields and the examples of a clause."""
    text: list[str] = []
    fields: _Fields = {}
    examples: list[Example] = []
    fence: list[tuple[int, str]] = []
    label = ""
    for number, line in lines:
        opening = _FENCE.match(line)
        if fence or opening:
            fence.append((number, line))
            if len(fence) > 1 and _closes(fence[0][1], line):
                example = _parse_example(fence, path)
                if example:
                    examples.append(example)
                elif not fields:
                    text.extend(content for _, content in fence)
                fence = []
            label = ""
            continue
        entry = _FIELD.fullmatch(line.rstrip())
        if entry and (fields or entry["label"] in _LABELS):
            label = _add_field(fields, entry, number, path)
        elif not fields:
            text.append(line)
        elif not line.strip():
            label = ""
        elif label and line.startswith("  "):
            at, value = fields[label]
            fields[label] = (at, f"{value} {line.strip()}")
        else:
            problem = "behind the fields only examples may stand; normative text goes before them"
            raise SpecFault(path=path, line=number, problem=problem)
    return "\n".join(text).strip(), fields, tuple(examples)


def _closes(opening: str, line: str) -> bool:
    """Whether a line ends the fence that the opening line began."""
    first, last = _FENCE.match(opening), _FENCE.match(line)
    assert first is not None
    return last is not None and last["ticks"].startswith(first["ticks"]) and not last["info"].strip()


def _parse_example(fence: list[tuple[int, str]], path: str) -> Example | None:
    """What a fence marked `example` holds; none for a fence that only illustrates."""
    opening = _FENCE.match(fence[0][1])
    assert opening is not None
    words = opening["info"].split()
    if words[1:] != ["example"]:
        return None
    if words[0] not in ("json", "python"):
        problem = f"an example is `json example` or `python example`, not {words[0]!r}"
        raise SpecFault(path=path, line=fence[0][0], problem=problem)
    source = "\n".join(line for _, line in fence[1:-1])
    return Example(kind=words[0], source=source, path=path, line=fence[0][0] + 1)


def _add_field(fields: _Fields, entry: re.Match[str], number: int, path: str) -> str:
    """Take up one line `- Label: value`, and give its label."""
    label, value = entry["label"], (entry["value"] or "").strip()
    if label not in _LABELS:
        problem = f"no field is called {label!r}; there are {', '.join(_LABELS)}"
        raise SpecFault(path=path, line=number, problem=problem)
    if label in fields:
        raise SpecFault(path=path, line=number, problem=f"a second line `- {label}:`")
    if not value:
        raise SpecFault(path=path, line=number, problem=f"the field {label} is empty; leave it out")
    fields[label] = (number, value)
    return label


def _items(fields: _Fields, label: str) -> tuple[str, ...]:
    """The parts of a field between commas; a comma in brackets parts nothing."""
    if label not in fields:
        return ()
    return tuple(part.strip() for part in _COMMA.split(fields[label][1]) if part.strip())


def _names(fields: _Fields, label: str) -> tuple[str, ...]:
    """The registered names of a field, with or without code marks."""
    return tuple(item.strip("`") for item in _items(fields, label))


def _shaped(fields: _Fields, label: str, shape: re.Pattern[str], path: str) -> tuple[str, ...]:
    """The ids of a field, each of which must have the shape of its kind."""
    items = _items(fields, label)
    for item in items:
        if shape.fullmatch(item) is None:
            problem = f"{item!r} in {label} does not look like an id; one a comma, no words"
            raise SpecFault(path=path, line=fields[label][0], problem=problem)
    return items


def heading_anchor(heading: str) -> str:
    """The fragment by which a heading is linked, as Markdown renderers make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def cited_ids(text: str) -> Iterable[str]:
    """Every clause id that a text names, once each, in the order of their first place."""
    known = "|".join(AREAS)
    return dict.fromkeys(re.findall(rf"\b(?:{known})-\d{{3}}\b", text))
