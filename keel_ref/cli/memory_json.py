"""The plan of `keel-ref memory` as one JSON object, schema keel-memory/1."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keel_ref.conformance.functions_memory import path_as_wire, printable
from keel_ref.memory.lint import Lint
from keel_ref.memory.touch import MemorySession, Touch
from keel_ref.memory.values import MemoryFile
from keel_ref.trace import Notice, Skip

SCHEMA = "keel-memory/1"
UNFIT = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What JSON allows in a string, yet no terminal should be sent, and surrogates, which no stream takes."""


def plan_as_json(
    session: MemorySession, found: Lint, touches: Sequence[tuple[str, Touch]], *, is_ascii: bool = False
) -> Iterator[str]:
    """The whole plan, piece by piece, since it may be large; equal input gives equal bytes.

    `is_ascii` is for a stream that takes no other characters.
    """
    load = session.start
    plan = {
        "schema": SCHEMA,
        "tokens": int(load.tokens),
        "files": [_file(file) for file in load.files],
        "skipped": [_skip(row) for row in (*load.skipped, *found.skipped)],
        "warnings": [_notice(notice) for notice in found.notices],
        "read": _read(touches),
    }
    for piece in json.JSONEncoder(ensure_ascii=is_ascii, indent=1).iterencode(plan):
        yield UNFIT.sub(lambda match: f"\\u{ord(match[0]):04x}", piece)
    yield "\n"


def _read(touches: Sequence[tuple[str, Touch]]) -> dict[str, list[Mapping[str, Any]]]:
    """What each read attaches, under the name that was given; a name that was given twice gets both."""
    read: dict[str, list[Mapping[str, Any]]] = {}
    for name, touch in touches:
        read.setdefault(name, []).extend(_file(file) for file in touch.load.files)
    return read


def _file(file: MemoryFile) -> Mapping[str, Any]:
    return {
        "path": path_as_wire(file.path),
        "layer": str(file.layer),
        "text": file.text,
        "warned": file.is_warned,
        "parent": None if file.parent is None else path_as_wire(file.parent),
        "globs": list(file.globs),
        "tokens": int(file.tokens),
    }


def _skip(row: Skip) -> Mapping[str, Any]:
    layer = None if row.layer is None else str(row.layer)
    return {"path": path_as_wire(row.path), "layer": layer, "reason": str(row.reason), "detail": printable(row.detail)}


def _notice(notice: Notice) -> Mapping[str, Any]:
    return {"kind": notice.kind, "path": path_as_wire(notice.path), "detail": printable(notice.detail)}
