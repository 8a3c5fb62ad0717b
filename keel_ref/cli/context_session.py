"""What the next turn of a session holds, by category, as far as its record says. Spec: CTX-104, CTX-105, CTX-107."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import define, field

from keel_ref.adapters.session_view import SessionView, read_view
from keel_ref.choices import Choices
from keel_ref.cli.context_found import Asked, Found, Gap, List, SourceKind
from keel_ref.cli.estimate_input import total_bytes
from keel_ref.cli.progress import watch_bytes
from keel_ref.context.holdings import Holdings, MemoryShare, Named
from keel_ref.context.message_parts import Breakdown, Part, Piece, pieces_of
from keel_ref.context.recorded import Recorded, recorded_of
from keel_ref.messages.rows import as_list, as_object
from keel_ref.tokens.blocks import RowCounter
from keel_ref.tokens.measures import RoughMeasure
from keel_ref.transcript.rewinds import Link, find_abandoned

UNSEEN: Final = "not in a session file; a part of Unattributed"
PIECES: Final = "pieces"
"""Where a row keeps what was measured of it, in the place of its content."""


@define
class _Measured(RowCounter):
    """Counts rows that were measured when they were read."""

    def count(self, index: int, row: object) -> int:  # noqa: ARG002 (the signature of the counter)
        pieces = (as_object(row) or {}).get(PIECES, ())
        return sum(piece.tokens for piece in pieces)


@define
class _Sketch:
    """Measures the rows of a session as they are read, and keeps no text. Spec: CTX-105, CTX-106."""

    measure: RoughMeasure
    counter: RowCounter = field(init=False)
    instructions: list[MemoryShare] = field(factory=list)
    """What is loaded at the start; a later list stands in the place of an earlier one."""
    nested: list[MemoryShare] = field(factory=list)
    """What was attached when files were read, one after another."""
    skills: list[Named] = field(factory=list)
    links: list[Link] = field(factory=list)
    """Of each row, what the graph of parents needs."""
    left_out: Counter[str] = field(factory=Counter)
    """Attachments that are in no category, by kind."""

    def __attrs_post_init__(self) -> None:
        self.counter = RowCounter(self.measure)

    def keep(self, index: int, row: Mapping[str, Any], line: Mapping[str, Any]) -> Mapping[str, Any]:
        """The row without its content, with its pieces."""
        pieces = tuple(pieces_of(self.counter, index, row))
        self.links.append(_link(row, line, pieces))
        return {**{key: value for key, value in row.items() if key not in {"content", "text"}}, PIECES: pieces}

    def attach(self, attachment: Mapping[str, Any]) -> None:
        """Put an attachment that is no file where it belongs. Spec: CTX-104."""
        kind, content = attachment.get("type"), attachment.get("content")
        match kind:
            case "instructions":
                self.instructions = list(self._files(as_list(attachment.get("files")) or ()))
            case "nested_memory":
                path = attachment.get("path")
                self.nested += self._files([{"path": path, **(as_object(content) or {"content": content})}])
            case "skill_listing" if isinstance(content, str):
                self.skills.append(Named(name="skills, as they are listed", tokens=self.measure.text(content)))
            case _:
                self.left_out[kind if isinstance(kind, str) else "unknown"] += 1

    def _files(self, files: Any) -> Iterator[MemoryShare]:
        for file in files:
            found = as_object(file) or {}
            path, kind, content = found.get("path"), found.get("type"), found.get("content")
            if isinstance(path, str) and isinstance(content, str):
                layer = kind.lower() if isinstance(kind, str) else "unknown"
                yield MemoryShare(path=path, type=layer, tokens=self.measure.text(content))
            else:
                self.left_out["a memory file without path or text"] += 1


def _link(row: Mapping[str, Any], line: Mapping[str, Any], pieces: Sequence[Piece]) -> Link:
    """The row as the graph of parents needs it."""
    uuid, parent = row.get("uuid"), line.get("parentUuid")
    is_own = row.get("role") == "user" and line.get("isMeta") is not True and not row.get("summary")
    return Link(
        uuid=uuid if isinstance(uuid, str) else None,
        parent=parent if isinstance(parent, str) else None,
        is_prompt=is_own and all(piece.part is Part.USER for piece in pieces),
    )


def look_at_session(asked: Asked, path: str) -> Found:
    """The view of a session file. Raises `SessionFileError`."""
    sketch = _Sketch(RoughMeasure(asked.choices))
    with watch_bytes(total_bytes([path])) as progress:
        view = read_view(path, keep=sketch.keep, render=sketch.attach, on_bytes=progress)
    abandoned = find_abandoned(sketch.links)
    rows = [row for place, row in enumerate(view.rows.rows) if place not in abandoned]
    found = Breakdown()
    for row in rows:
        for piece in row[PIECES]:
            found.add(piece)
    recorded = _recorded(rows, asked.choices, sketch)
    memory = (*sketch.instructions, *sketch.nested)
    return Found(
        kind=SourceKind.SESSION,
        name=asked.source,
        model=view.model,
        holdings=Holdings(
            memory_files=memory, skills=tuple(sketch.skills), messages=found.parts(), recorded=recorded.tokens
        ),
        tools=found.tools(),
        attachments=found.attachments(),
        first_growth=recorded.first_growth,
        compacted_at=_compacted_at(view),
        gaps=tuple(_gaps(sketch)),
        reported=[one.as_object() for one in sketch.counter.sorted_reports()],
        notes=tuple(_notes(view, recorded, sketch, len(abandoned))),
    )


def _recorded(rows: Sequence[Mapping[str, Any]], choices: Choices, sketch: _Sketch) -> Recorded:
    """The record of the view; memory that was there from the start is no part of what cannot be seen. Spec: CTX-107."""
    found = recorded_of(rows, choices=choices, counter=_Measured(sketch.measure))
    if found.first_growth is None:
        return found
    start = sum(row.tokens for row in sketch.instructions) + sum(row.tokens for row in sketch.skills)
    return Recorded(tokens=found.tokens, first_growth=max(0, found.first_growth - start))


def _gaps(sketch: _Sketch) -> Iterator[Gap]:
    yield Gap(what="System prompt", why=UNSEEN, list=List.SYSTEM_PROMPT)
    yield Gap(what="Tools", why=UNSEEN, list=List.TOOLS)
    yield Gap(what="Custom agents", why=UNSEEN, list=List.AGENTS)
    if not sketch.skills:
        yield Gap(what="Skills", why=UNSEEN, list=List.SKILLS)
    if not (sketch.instructions or sketch.nested):
        yield Gap(what="Memory files", why=UNSEEN, list=List.MEMORY_FILES)
    for kind, count in sorted(sketch.left_out.items()):
        yield Gap(what=f"Attachments ({kind})", why=f"{count:,}, of which the record does not say how they were shown")


def _compacted_at(view: SessionView) -> int | None:
    """The use at which the last compaction began by itself; None where there was none, or a person asked for it."""
    boundary = next(iter(view.rows.rows), {})
    before = boundary.get("tokens_before") if boundary.get("trigger") == "auto" else None
    return before if isinstance(before, int) and not isinstance(before, bool) else None


def _notes(view: SessionView, recorded: Recorded, sketch: _Sketch, abandoned: int) -> Iterator[str]:
    """What a person should know of the record."""
    broken = view.rows.broken
    if recorded.tokens is None:
        yield "No response of what the next turn sees has recorded a usage, so nothing stands beside the estimates."
    if abandoned:
        yield f"{abandoned:,} rows of branches that somebody went back from are left out."
    if broken:
        yield f"{len(broken):,} lines are no JSON objects and are left out; the first is line {broken[0]:,}."
    if sketch.skills or sketch.instructions or sketch.nested:
        yield "Memory files and skills are those that the record lists."
