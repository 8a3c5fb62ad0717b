"""Which files a session has read, as its rows tell. Spec: CMP-110."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from keel_ref.compaction.read_state import ReadState
from keel_ref.compaction.shown import blocks_of
from keel_ref.constants import DEFAULT, Constants
from keel_ref.messages.rounds import api_rounds
from keel_ref.messages.rows import Role, as_list, as_object, is_boundary, role_of
from keel_ref.text import size_utf8

PATH_KEYS: Final = {"Read": "file_path", "Edit": "file_path", "Write": "file_path"}
"""Tools behind which a session knows what a file holds, and the argument that names the file."""


def read_state_of(rows: Sequence[Any], *, constants: Constants = DEFAULT) -> ReadState:
    """The read-state behind these rows: one pass before each response, one read for each result that is no error.

    A boundary empties it, and a file that was put back behind one counts as read (CMP-124). How large a file was is
    taken from its result, line numbers included. Spec: CMP-110.
    """
    state = ReadState()
    calls: dict[str, str] = {}
    for start, end in api_rounds(rows):
        if role_of(rows[start]) is Role.ASSISTANT:
            state = state.pass_begun()
        for row in rows[start:end]:
            found: Iterable[tuple[str, int]] = ()
            match role_of(row):
                case Role.ASSISTANT:
                    calls.update(_calls(row))
                case Role.USER:
                    found = _results(row, calls)
                case Role.ATTACHMENT:
                    found = _put_back(row)
                case _ if is_boundary(row):
                    state = ReadState(reads=state.reads)
                case _:
                    pass
            for path, size in found:
                state, _ = state.after_read(path, size_bytes=size, constants=constants)
    return state


def _calls(row: object) -> Iterator[tuple[str, str]]:
    for block in blocks_of(row):
        name, tool = block.get("id"), block.get("name")
        key = PATH_KEYS.get(tool) if isinstance(tool, str) else None
        path = None if key is None else (as_object(block.get("input")) or {}).get(key)
        if block.get("type") == "tool_use" and isinstance(name, str) and isinstance(path, str) and path:
            yield name, path


def _results(row: object, calls: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    for block in blocks_of(row):
        name = block.get("tool_use_id")
        is_sound = block.get("type") == "tool_result" and block.get("is_error") is not True
        if is_sound and isinstance(name, str) and name in calls:
            yield calls[name], _size(block.get("content"))


def _put_back(row: object) -> Iterator[tuple[str, int]]:
    found = as_object(row) or {}
    path = found.get("path")
    if found.get("attachment") == "file" and isinstance(path, str):
        yield path, _size(found.get("content"))


def _size(content: object) -> int:
    texts = (
        [content]
        if isinstance(content, str)
        else [(as_object(one) or {}).get("text") for one in as_list(content) or ()]
    )
    return sum(size_utf8(text) for text in texts if isinstance(text, str))
