"""Notes of a session, and a compaction by them."""

from typing import Any

import attrs

from tests.literal.compaction.arguments import (
    INVALID,
    Decisions,
    estimate_text,
    is_blank,
    need_count,
    read_count,
    read_flag,
    read_object,
    read_text,
)
from tests.literal.memory.errors import LiteralError
from tests.literal.tokens.context import context_size
from tests.literal.tokens.measure import Measure
from tests.literal.tokens.rows import (
    read_rows,
)
from tests.literal.window.numbers import WHITE

TITLES = (
    "Session Title",
    "Current State",
    "Task specification",
    "Files and Functions",
    "Workflow",
    "Errors & Corrections",
    "Codebase and System Documentation",
    "Learnings",
    "Key results",
    "Worklog",
)
"""The sections, in their order. [CMP-131]"""

TEMPLATE = "".join(f"# {title}\n_{title.lower()}_\n\n" for title in TITLES)
SECTION_TOKENS = 2_000
ALL_TOKENS = 12_000
START_TOKENS = 10_000
GROWTH_TOKENS = 5_000
LEAST_CALLS = 3
OWN_SOURCES = ("session_memory", "compact")


@attrs.define
class Stretch:
    """A stretch of notes. Spec: CMP-133."""

    title: str
    lines: list[str]
    """Its lines, each with its line end."""

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.lines)

    @property
    def description(self) -> str | None:
        """The line that describes the section, or none."""
        if self.title == "" or len(self.lines) < 2:
            return None
        line = self.lines[1].removesuffix("\n")
        bare = line.strip(WHITE)
        return bare if len(bare) >= 2 and bare[0] == "_" and bare[-1] == "_" else None

    @property
    def body(self) -> str:
        """What is behind heading and description."""
        if self.title == "":
            return self.text
        return "".join(self.lines[1 if self.description is None else 2 :])


def split_notes(text: str) -> list[Stretch]:
    """How notes fall into stretches. Spec: CMP-133."""
    stretches = [Stretch("", [])]
    lines = text.split("\n")
    lines = [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    seen: set[str] = set()
    for line in lines:
        bare = line.removesuffix("\n")
        title = bare[2:].strip(WHITE) if bare.startswith("# ") else ""
        if title in TITLES and title not in seen:
            seen.add(title)
            stretches.append(Stretch(title, []))
        stretches[-1].lines.append(line)
    return stretches if stretches[0].lines else stretches[1:]


def find_heads(text: str) -> list[tuple[str, str | None]]:
    """Titles and description lines, in their order. Spec: CMP-132."""
    return [(stretch.title, stretch.description) for stretch in split_notes(text) if stretch.title != ""]


def find_why(args: dict[str, Any], choices: dict[str, str], gates: dict[str, bool]) -> str:
    """Whether notes are taken. Raises LiteralError. Spec: CMP-135, CMP-136."""
    tokens, messages = read_count(args, "tokens", None), args.get("messages")
    if tokens is not None and messages is not None:
        raise LiteralError(INVALID, "tokens and messages")
    if messages is not None:
        size = context_size(read_rows(args), Measure("documented", "any", choices))["tokens"]
        tokens = int(size)
    tokens = tokens or 0
    since = read_object(args, "since") or {}
    before, calls = read_count(since, "tokens", None), need_count(since, "calls", 0)
    has_call = read_flag(since, "last_turn_has_call")
    source, is_on = read_text(args, "source"), read_flag(args, "auto_compact", default=True)
    if not gates["session_memory"] or not is_on:
        return "notes-off"
    if source in OWN_SOURCES:
        return "notes-own-fork"
    if before is None:
        return "extraction-due" if tokens >= START_TOKENS else "below-start"
    if tokens - before < GROWTH_TOKENS:
        return "below-growth"
    return "extraction-due" if calls >= LEAST_CALLS or not has_call else "too-few-calls"


def show_notes(args: dict[str, Any], choices: dict[str, str], gates: dict[str, bool]) -> dict[str, Any]:
    """`compaction.notes`. Raises LiteralError. Spec: CMP-130 to CMP-136."""
    given = read_text(args, "text")
    text = TEMPLATE if given is None else given
    before, folder = read_text(args, "before"), read_text(args, "session_folder")
    why = find_why(args, choices, gates)
    decisions = Decisions("summary")
    stretches = split_notes(text)
    sizes = [(stretch.title, estimate_text(stretch.text, choices)) for stretch in stretches]
    total = estimate_text(text, choices)
    for title, size in sizes:
        if size > SECTION_TOKENS:
            decisions.add("section-over", id=title, tokens=size)
    if total > ALL_TOKENS:
        decisions.add("notes-over", tokens=total)
    heads = find_heads(text)
    if before is not None:
        is_intact = heads == find_heads(before)  # [CMP-132]
    else:
        is_intact = [title for title, _ in heads] == list(TITLES) and all(line is not None for _, line in heads)
    result = {
        "due": why == "extraction-due",
        "why": why,
        "sections": [{"title": title, "tokens": size} for title, size in sizes],
        "tokens": total,
        "condense": list_condense(sizes, total),
        "intact": is_intact,
        "empty": all(is_blank(stretch.body) for stretch in stretches),
        "decisions": decisions.rows,
    }
    return result if folder is None else result | {"path": f"{folder.rstrip('/')}/session-memory/summary.md"}


def list_condense(sizes: list[tuple[str, int]], total: int) -> list[str]:
    """What the next update has to condense. Spec: CMP-134."""
    if total <= ALL_TOKENS:
        return [title for title, size in sizes if size > SECTION_TOKENS]
    titles = [title for title, _ in sorted(sizes, key=lambda item: -item[1])]
    last = [title for title in ("Errors & Corrections", "Current State") if title in titles]
    return [title for title in titles if title not in last] + last
