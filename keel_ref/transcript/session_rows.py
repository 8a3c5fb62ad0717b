"""The rows of a session file, in the words of MSG-001 and CMP-150. Spec: EST-033, MSG-001.

Every line is looked at by itself and nothing stops the reading. Rows of side chains and rows that only the screen
showed are no part of the conversation; a row that was written twice, under one uuid, counts once. The graph of parents
is not followed: abandoned branches stand among the rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from attrs import define, field, frozen

from keel_ref.compaction.restore import file_row
from keel_ref.compaction.trace import Why
from keel_ref.constants import DEFAULT
from keel_ref.messages.rows import BOUNDARY_SUBTYPE, as_object
from keel_ref.tokens.transcript import BLANKS, parse_line
from keel_ref.transcript.timestamps import read_timestamp

Row = Mapping[str, Any]

HEADER: Final = ("sessionId", "cwd", "version", "gitBranch", "userType", "entrypoint", "slug")
"""What every row of a session says again."""
KINDS: Final = frozenset({"user", "assistant", "system", "attachment", "progress"})
"""Types of the rows of a conversation."""
LOOK_BACK: Final = 100
"""Lines that are looked at for the name of a model."""


@frozen(kw_only=True)
class SessionRows:
    """What the lines of a session file say."""

    rows: tuple[Row, ...]
    """Rows of the conversation, in the order of the file."""
    lines: tuple[int, ...]
    """The line of each row, counted from 1."""
    broken: tuple[int, ...] = ()
    """Lines that are no JSON object, counted from 1."""
    repeated: int = 0
    """Rows left out because their uuid stood above."""
    attachments: int = 0
    """Attachments left out: the file does not say how the client shows them."""
    sidechain_rows: int = 0
    """Rows of sub-agents, left out."""
    header: Mapping[str, Any] = field(factory=dict)
    """What the last row that names its session says of it."""
    model: str | None = None
    """The model that answered last; None: none did."""
    last_uuid: str | None = None
    """The last row that has a name; None: none has."""


Keep = Callable[[int, Row, Mapping[str, Any]], Row]
"""What is kept of a row, the one of that index, made of that line; for readers that need no content afterwards."""
Render = Callable[[Mapping[str, Any]], Row | None]
"""The row that stands for an attachment which is no file; None for one that is left out."""


def read_rows(
    lines: Iterable[bytes], *, first_line: int = 1, keep: Keep | None = None, render: Render | None = None
) -> SessionRows:
    """The rows that the lines say, with or without their LF. Fails where `keep` or `render` does. Spec: EST-033."""
    reader = _Reader(line=first_line - 1, keep=keep, render=render)
    for line in lines:
        reader.add(line)
    return reader.result()


def find_view(data: bytes) -> tuple[int, int]:
    """Where the last boundary of a file begins: its byte, and its line counted from 1; the top of it without one.

    A boundary that was written again begins where it stood first. Lines above it cannot be seen from below, so nobody
    has to parse them.
    """
    places: list[tuple[int, object]] = []
    found = data.find(b"compact_boundary")
    while found >= 0:
        start = data.rfind(b"\n", 0, found) + 1
        end = data.find(b"\n", found)
        end = len(data) if end < 0 else end
        row = parse_line(data[start:end])
        if row is not None and is_boundary_line(row):
            places.append((start, row.get("uuid")))
        found = data.find(b"compact_boundary", end)
    if not places:
        return 0, 1
    start, uuid = places[-1]
    start = next((place for place, other in places if uuid is not None and other == uuid), start)
    return start, data.count(b"\n", 0, start) + 1


def find_model(data: bytes) -> str | None:
    """The model of the last answer in these lines; None: no line that says a model is one."""
    end = len(data)
    for _ in range(LOOK_BACK):
        found = data.rfind(b'"model"', 0, end)
        if found < 0:
            return None
        end = data.rfind(b"\n", 0, found) + 1
        stop = data.find(b"\n", found)
        model = read_rows([data[end : len(data) if stop < 0 else stop]]).model
        if model is not None:
            return model
    return None


def is_boundary_line(row: Mapping[str, Any]) -> bool:
    """Whether a row of the file is a boundary of the conversation itself. Spec: EST-033."""
    is_system = row.get("type") == "system" and row.get("subtype") == BOUNDARY_SUBTYPE
    return is_system and row.get("isSidechain") is not True


@define
class _Reader:
    line: int
    keep: Keep | None = None
    render: Render | None = None
    rows: list[Row] = field(factory=list)
    lines: list[int] = field(factory=list)
    broken: list[int] = field(factory=list)
    repeated: int = 0
    attachments: int = 0
    sidechain_rows: int = 0
    named: Mapping[str, Any] = field(factory=dict)
    """The last row that names its session."""
    model: str | None = None
    last_uuid: str | None = None
    seen: set[str] = field(factory=set)
    segment: tuple[str, str] | None = None
    """First and last of the rows that the last boundary kept; they stand behind it again, under their names."""
    is_kept: bool = False
    """Whether the line stands in that stretch."""

    def add(self, line: bytes) -> None:
        self.line += 1
        body = line.removesuffix(b"\n")
        if not body.strip(BLANKS):
            return
        row = _parse(body)
        if row is None:
            self.broken.append(self.line)
        elif row.get("isSidechain") is True:
            self.sidechain_rows += 1
        else:
            self._add_row(row)

    def result(self) -> SessionRows:
        return SessionRows(
            rows=tuple(self.rows),
            lines=tuple(self.lines),
            broken=tuple(self.broken),
            repeated=self.repeated,
            attachments=self.attachments,
            sidechain_rows=self.sidechain_rows,
            header={key: self.named[key] for key in HEADER if self.named.get(key) is not None},
            model=self.model,
            last_uuid=self.last_uuid,
        )

    def _add_row(self, row: Mapping[str, Any]) -> None:
        kind = row.get("type")
        if not isinstance(kind, str) or kind not in KINDS:
            return  # [EST-033] no row of the conversation
        uuid = row.get("uuid") if isinstance(row.get("uuid"), str) else None
        is_kept = self._is_kept(uuid)
        if uuid in self.seen and not is_kept:
            self.repeated += 1
            return
        if row.get("sessionId") is not None:
            self.named = row
        made = self._made(kind, row)
        if uuid is not None:
            self.seen.add(uuid)
            self.last_uuid = uuid
        if made is None:
            return
        named = {"uuid": uuid, "at": read_timestamp(row.get("timestamp")), "kept": is_kept or None}
        whole = {**made, **{key: value for key, value in named.items() if value is not None}}
        self.rows.append(whole if self.keep is None else self.keep(len(self.rows), whole, row))
        self.lines.append(self.line)

    def _is_kept(self, uuid: str | None) -> bool:
        """Whether the row was kept by the last boundary, so that what it measured is void. Spec: CMP-151, CMP-154."""
        if uuid is None or self.segment is None:
            return self.is_kept
        head, tail = self.segment
        found = self.is_kept or uuid == head
        self.is_kept = found and uuid != tail
        if found and not self.is_kept:
            self.segment = None  # the stretch is over
        return found

    def _made(self, kind: str, row: Mapping[str, Any]) -> Row | None:
        if kind in {"user", "assistant"}:
            is_summary = row.get("isCompactSummary") is True
            if row.get("isVisibleInTranscriptOnly") is True and not is_summary:
                return None  # [EST-033] only the screen showed it
            return self._spoken(kind, row, is_summary=is_summary)
        if kind == "attachment":
            made: Row | None = attachment_of(row.get("attachment"))
            if made is None and self.render is not None:
                made = self.render(as_object(row.get("attachment")) or {})
            self.attachments += made is None
            return made
        if kind == "system" and is_boundary_line(row):
            made = boundary_of(row)
            segment = made.get("kept_segment") or {}
            match segment.get("head"), segment.get("tail"):
                case str() as head, str() as tail:
                    self.segment = head, tail
                case _:
                    self.segment = None
            self.is_kept = False
            return made
        return {"role": kind}

    def _spoken(self, kind: str, row: Mapping[str, Any], *, is_summary: bool) -> dict[str, Any]:
        message = as_object(row.get("message")) or {}
        optional: dict[str, Any] = {"content": message.get("content")}
        if kind == "assistant":
            optional |= {"id": message.get("id"), "usage": message.get("usage")}
            is_error = row.get("isApiErrorMessage") is True
            optional["error"] = True if is_error else None  # [EST-019]
            if isinstance(message.get("model"), str) and not is_error:
                self.model = message["model"]
        optional["summary"] = True if is_summary else None
        return {"role": kind, **{key: value for key, value in optional.items() if value is not None}}


def boundary_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """A boundary in the words of CMP-150; what it does not say is missing."""
    about = as_object(row.get("compactMetadata")) or {}
    segment = as_object(about.get("preservedSegment")) or {}
    found: dict[str, Any] = {
        "trigger": about.get("trigger"),
        "tokens_before": about.get("preTokens"),
        "last_before": row.get("logicalParentUuid"),
        "kept_segment": {name: segment.get(f"{name}Uuid") for name in ("head", "anchor", "tail")} if segment else None,
    }
    kept = {key: value for key, value in found.items() if value is not None}
    return {"role": "system", "subtype": BOUNDARY_SUBTYPE, **kept}


def attachment_of(value: object) -> dict[str, Any] | None:
    """A file that was put back, shown or named, as a row; None for every other attachment. Spec: CMP-118."""
    found = as_object(value) or {}
    path = found.get("filename")
    if not isinstance(path, str) or not path:
        return None
    if found.get("type") == "compact_file_reference":
        return dict(file_row(Why.FILE_NAMED, path, None))
    file = as_object((as_object(found.get("content")) or {}).get("file")) or {}
    text = file.get("content")
    is_file = found.get("type") == "file" and isinstance(text, str)
    return dict(file_row(Why.FILE_RESTORED, path, text)) if is_file else None


def _refuse(name: str) -> Any:
    raise ValueError(name)


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse)


def _parse(body: bytes) -> Mapping[str, Any] | None:
    """The object that a line says, as `parse_line` reads it, but at once where nothing can be nested too deep."""
    if body.count(b"{") + body.count(b"[") <= DEFAULT.nesting_cap_levels:
        try:
            value = _DECODER.decode(body.decode("utf-8"))
        except ValueError:
            return parse_line(body)
        return value if isinstance(value, dict) else None
    return parse_line(body)
