"""The notes that are taken of a session: their form and their limits. Spec: CMP-130 to CMP-138."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from keel_ref.choices import Choices
from keel_ref.compaction.cuts import beginning, text_tokens
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.constants import DEFAULT, Constants
from keel_ref.text import is_blank, trim_white_space
from keel_ref.units import Tokens

NOTES_PLACE: Final = "session-memory/summary.md"
"""Where the notes lie in the folder of a session. Spec: CMP-130."""

TEMPLATE: Final[Mapping[str, str]] = {
    "Session Title": "_Five to ten telling words, no filler_",
    "Current State": "_What is being worked on now, what is left, what comes next_",
    "Task specification": "_What was asked for, and what was decided about it_",
    "Files and Functions": "_The files and functions that matter, and why_",
    "Workflow": "_Commands that are run, in which order, and how to read what they print_",
    "Errors & Corrections": "_What went wrong, how it was mended, what must not be tried again_",
    "Codebase and System Documentation": "_The parts of the system, and how they fit together_",
    "Learnings": "_What has worked, what has not, without saying again what stands elsewhere_",
    "Key results": "_Answers, tables and texts that were asked for, in full_",
    "Worklog": "_One short line for each step_",
}
"""The ten sections with a line that describes each; the wording of the lines is free. Spec: CMP-131."""

PROTECTED: Final = ("Errors & Corrections", "Current State")
"""Sections that are condensed last, in this order. Spec: CMP-134."""


@frozen(kw_only=True)
class Section:
    """A stretch of the notes."""

    title: str
    """One of the ten; empty for what stands before the first of them."""
    text: str
    """Everything from its heading up to the next one."""
    description: str
    """The line behind the heading, if it is set between underscores; else empty."""
    body: str
    """What is behind heading and description."""


@frozen(kw_only=True)
class NotesReview:
    """What an update of the notes has to look after."""

    sections: tuple[tuple[str, Tokens], ...]
    """Title and tokens of each stretch, in order."""
    tokens: Tokens
    """Tokens of the whole text."""
    condense: tuple[str, ...]
    """Titles of what is to be condensed, the first one first."""
    is_intact: bool
    """Whether headings and descriptions are those that they were."""
    is_empty: bool
    """Whether nothing stands in it but headings and descriptions."""
    decisions: tuple[Decision, ...]


@frozen(kw_only=True)
class CutNotes:
    """Notes that stand in for a summary."""

    text: str
    """With a notice behind each section that was cut."""
    kept: str
    """The same without notices."""
    decisions: tuple[Decision, ...]


def notes_path(session_folder: str) -> str:
    """Where the notes of a session lie. Spec: CMP-130."""
    return f"{session_folder.rstrip('/')}/{NOTES_PLACE}"  # [CMP-130]


def notes_template() -> str:
    """Notes in which nothing has been written yet. Spec: CMP-131."""
    return "\n".join(f"# {title}\n{description}\n" for title, description in TEMPLATE.items())  # [CMP-131]


def parse_notes(text: str) -> tuple[Section, ...]:
    """The stretches of the notes, which together are the text. Spec: CMP-133."""
    pieces: list[tuple[str, list[str]]] = [("", [])]
    seen: set[str] = set()
    for line in _lines(text):
        title = _title(line)
        if title and title not in seen:  # [CMP-133] a second one is text
            seen.add(title)
            pieces.append((title, []))
        pieces[-1][1].append(line)
    return tuple(_section(title, lines) for title, lines in pieces if lines)


def review_notes(
    text: str, *, before: str | None = None, choices: Choices | None = None, constants: Constants = DEFAULT
) -> NotesReview:
    """How large the notes are, what has to be condensed, and whether their form is whole. Spec: CMP-132, CMP-134."""
    parts = parse_notes(text)
    sizes = {part.title: text_tokens(part.text, choices=choices, constants=constants) for part in parts}
    total = text_tokens(text, choices=choices, constants=constants)
    over = [title for title, tokens in sizes.items() if tokens > constants.section_cap_tokens]  # [CMP-134]
    decisions = [_decision(Why.SECTION_OVER, title, sizes[title]) for title in over]
    if total > constants.notes_cap_tokens:  # [CMP-134]
        decisions.append(Decision(layer=Layer.SUMMARY, why=Why.NOTES_OVER, tokens=total))
        over = sorted(sizes, key=lambda title: (_protection(title), -sizes[title]))
    return NotesReview(
        sections=tuple(sizes.items()),
        tokens=total,
        condense=tuple(over),
        is_intact=_form(parts) == _form(parse_notes(before)) if before is not None else _has_form(parts),
        is_empty=all(is_blank(part.body) for part in parts),
        decisions=tuple(decisions),
    )


def cut_notes(text: str, path: str, *, choices: Choices | None = None, constants: Constants = DEFAULT) -> CutNotes:
    """The notes with each section cut to its limit, as they stand in for a summary. Spec: CMP-138."""
    shown: list[str] = []
    kept: list[str] = []
    decisions: list[Decision] = []
    for part in parse_notes(text):
        head = beginning(part.text, constants.section_cap_tokens, choices=choices, constants=constants)  # [CMP-138]
        kept.append(head)
        shown.append(head)
        if head != part.text:
            shown.append(f"\n[keel-ref: this section goes on in {path}]\n\n")  # P-3
            tokens = text_tokens(part.text, choices=choices, constants=constants)
            decisions.append(
                Decision(layer=Layer.SUMMARY, why=Why.SECTION_CUT, id=part.title, path=path, tokens=tokens)
            )
    return CutNotes(text="".join(shown), kept="".join(kept), decisions=tuple(decisions))


def _lines(text: str) -> list[str]:
    """The lines, each with its LF; nothing else ends one. Spec: CMP-133."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return [line for line in lines if line]


def _title(line: str) -> str:
    """The title that a line is the heading of; empty for any other line."""
    name = trim_white_space(line[2:]) if line.startswith("# ") else ""
    return name if name in TEMPLATE else ""  # [CMP-133] no other heading parts the notes


def _section(title: str, lines: list[str]) -> Section:
    rest = lines[1:] if title else lines
    first = trim_white_space(rest[0]) if title and rest else ""
    is_described = len(first) > 1 and first.startswith("_") and first.endswith("_")
    return Section(
        title=title,
        text="".join(lines),
        description=first if is_described else "",
        body="".join(rest[1:] if is_described else rest),
    )


def _form(parts: tuple[Section, ...]) -> list[tuple[str, str]]:
    return [(part.title, part.description) for part in parts if part.title]


def _has_form(parts: tuple[Section, ...]) -> bool:
    found = _form(parts)
    return [title for title, _ in found] == [*TEMPLATE] and all(description for _, description in found)


def _protection(title: str) -> int:
    return PROTECTED.index(title) + 1 if title in PROTECTED else 0  # [CMP-134] condensed last


def _decision(why: Why, title: str, tokens: int) -> Decision:
    return Decision(layer=Layer.SUMMARY, why=why, id=title, tokens=tokens)
