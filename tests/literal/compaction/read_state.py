"""What a session has read, and which files of it come into question."""

from typing import Any

import attrs

from tests.literal.compaction.arguments import (
    CLEARED,
    INVALID,
    Decisions,
    find_calls,
    find_results,
    is_blank,
    read_list,
)
from tests.literal.memory.errors import LiteralError
from tests.literal.memory.paths import Flavour, is_absolute
from tests.literal.memory.wire import read_path
from tests.literal.tokens.rows import read_id
from tests.literal.window.numbers import is_whole

MOST_FILES = 100
MOST_BYTES = 26_214_400
"""Bounds of the read-state. [CMP-110]"""


@attrs.frozen
class Entry:
    """A file of the read-state."""

    path: str
    size: int
    """Bytes."""
    moment: int
    """The larger, the later it was read."""


def need_path(value: Any) -> str:
    """An absolute path. Raises LiteralError. Spec: introduction to CMP-110."""
    text = read_path(value, INVALID)
    if not is_absolute(text, Flavour.POSIX):
        raise LiteralError(INVALID, "a path is not absolute")
    return text


def read_reads(args: dict[str, Any]) -> list[list[tuple[str, int]]]:
    """The argument `passes`. Raises LiteralError. Spec: CMP-110."""
    passes = []
    for reads in read_list(args, "passes"):
        if not isinstance(reads, list):
            raise LiteralError(INVALID, "passes")
        passes.append([read_read(item) for item in reads])
    return passes


def read_read(item: Any) -> tuple[str, int]:
    """A path and a size in bytes. Raises LiteralError. Spec: CMP-110."""
    if not isinstance(item, dict) or "p" not in item:
        return need_path(item), 0
    size = item.get("bytes")
    size = 0 if size is None else size
    if not is_whole(size) or size < 0:
        raise LiteralError(INVALID, "bytes")
    return need_path(item["p"]), int(size)


def follow_reads(passes: list[list[tuple[str, int]]], decisions: Decisions) -> list[Entry]:
    """The read-state behind all passes, the front first. Spec: CMP-110."""
    state: list[Entry] = []
    moment = 0
    for reads in passes:
        state.reverse()
        for path, size in reads:
            moment += 1
            state = [entry for entry in state if entry.path != path]
            if size > MOST_BYTES:
                decisions.add("read-state-full", path=path)
                continue
            state = [Entry(path, size, moment), *state]
            while len(state) > MOST_FILES or sum(entry.size for entry in state) > MOST_BYTES:
                decisions.add("read-state-full", path=state[-1].path)
                state = state[:-1]
    return state


def find_shown(kept: list[Any]) -> set[str]:
    """The paths that kept rows still show. Spec: CMP-112."""
    shown: set[str] = set()
    calls: dict[str, dict[str, Any]] = {}
    for row in kept:
        for result in find_results(row):
            call = calls.get(read_id(result.get("tool_use_id")) or "")
            if call is None or call.get("name") != "Read" or result.get("is_error") is True:
                continue
            given = call.get("input")
            path = given.get("file_path") if isinstance(given, dict) else None
            if isinstance(path, str) and holds_text(result.get("content")):
                shown.add(path)
        for call in find_calls(row):
            calls[call["id"]] = call  # the last one above the result counts
    return shown


def holds_text(content: Any) -> bool:
    """Whether a result holds a text that is not blank and not that of a cleared one. Spec: CMP-112."""
    texts = [content]
    if isinstance(content, list):
        texts = [block.get("text") for block in content if isinstance(block, dict)]
    return any(isinstance(text, str) and not is_blank(text) and text != CLEARED for text in texts)
