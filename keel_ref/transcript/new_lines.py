"""The rows of a new list as lines of a session file. Spec: CMP-150 to CMP-155."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from keel_ref.messages.rows import Role, as_list, as_object, content_of, has_mark, is_boundary, role_of
from keel_ref.transcript.session_rows import HEADER, Row
from keel_ref.transcript.timestamps import write_timestamp

TEXT_KIND: Final = "text"


@frozen(kw_only=True)
class Writer:
    """What the new lines have in common."""

    header: Mapping[str, Any]
    """What every row of the session says again."""
    after: str | None
    """The last row before them; None: none has a name."""
    at_ms: int
    """When they are written."""
    new_uuid: Callable[[], str]
    """A name that nobody has yet."""


def new_lines(rows: Sequence[Row], writer: Writer) -> Iterator[bytes]:
    """A line for each row: the boundary, whose parent is null, then each the child of the one before.

    A row that was kept stands there again under its own name, and the boundary says so (R-05). Where a lone surrogate
    stands in a text it is escaped, so every line is UTF-8.
    """
    names = [_own_name(row) or writer.new_uuid() for row in rows]
    parent: str | None = None
    for row, name in zip(rows, names, strict=True):
        found = _line(row, names, rows)
        linked = {"parentUuid": parent, **({"logicalParentUuid": writer.after} if is_boundary(row) else {})}
        stamp = {"uuid": name, "timestamp": write_timestamp(writer.at_ms)}
        header = {key: writer.header[key] for key in HEADER if key in writer.header}
        parent = name
        yield as_line({**linked, "isSidechain": False, **found, **stamp, **header})


def as_line(value: Mapping[str, Any]) -> bytes:
    """One line of the file, its LF included."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:  # a lone surrogate
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _own_name(row: Row) -> str | None:
    name = row.get("uuid")
    return name if isinstance(name, str) and name else None


def _line(row: Row, names: Sequence[str], rows: Sequence[Row]) -> dict[str, Any]:
    if is_boundary(row):
        return _boundary_line(row, names, rows)
    role = role_of(row)
    if role is Role.ATTACHMENT:
        return {"type": "attachment", "attachment": _attachment(row)}
    spoken = {"role": str(role), "content": content_of(row)}
    if role is Role.ASSISTANT:
        held = {"id": row.get("id"), "type": "message", **spoken, "usage": row.get("usage")}
        return {"type": "assistant", "message": {key: value for key, value in held.items() if value is not None}}
    marks = {"isVisibleInTranscriptOnly": True, "isCompactSummary": True} if has_mark(row, "summary") else {}
    return {"type": "user", "message": spoken, **marks}


def _boundary_line(row: Row, names: Sequence[str], rows: Sequence[Row]) -> dict[str, Any]:
    about: dict[str, Any] = {"trigger": row.get("trigger"), "preTokens": row.get("tokens_before")}
    kept = [name for one, name in zip(rows, names, strict=True) if has_mark(one, "kept")]
    if kept:
        anchor = next(name for one, name in zip(rows, names, strict=True) if has_mark(one, "summary"))
        about["preservedSegment"] = {"headUuid": kept[0], "anchorUuid": anchor, "tailUuid": kept[-1]}  # [CMP-151]
    return {
        "type": "system",
        "subtype": row["subtype"],
        "content": "Conversation compacted",
        "isMeta": False,
        "level": "info",
        "compactMetadata": about,
    }


def _attachment(row: Row) -> dict[str, Any]:
    """An attachment in the form that such files have for it; where none is known, what it says stands as `text`."""
    path = row.get("path")
    texts = _texts(row)
    if row.get("attachment") == "file_reference":
        return {"type": "compact_file_reference", "filename": path, "displayPath": path}
    if row.get("attachment") == "file":
        text = "\n".join(texts[1:])  # the first says what it is
        lines = text.count("\n") + 1
        file = {"filePath": path, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines}
        return {"type": "file", "filename": path, "content": {"type": TEXT_KIND, "file": file}, "displayPath": path}
    named = {} if path is None else {"filename": path}
    return {"type": row.get("attachment"), **named, "content": "\n".join(texts)}


def _texts(row: Row) -> list[str]:
    blocks = [as_object(block) or {} for block in as_list(content_of(row)) or ()]
    return [block["text"] for block in blocks if isinstance(block.get("text"), str)]
