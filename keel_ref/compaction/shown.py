"""Files whose text kept rows still show, so that nobody has to put them back. Spec: CMP-112."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from keel_ref.compaction.results import CLEARED_TEXT
from keel_ref.messages.rows import Role, as_list, as_object, content_of, role_of
from keel_ref.text import is_blank

READ_TOOL: Final = "Read"
"""The tool that shows a file."""


def shown_paths(rows: Sequence[Any]) -> frozenset[str]:
    """Paths of the files that a read shows whose call and result are both among the rows. Spec: CMP-112."""
    calls: dict[str, str] = {}
    shown: set[str] = set()
    for row in rows:
        if role_of(row) is Role.ASSISTANT:
            calls.update(_reads(row))
        elif role_of(row) is Role.USER:
            shown.update(calls[name] for name in _answered(row) if name in calls)  # [CMP-112] the call comes first
    return frozenset(shown)


def _reads(row: object) -> Iterator[tuple[str, str]]:
    """Id and path of each call of the reading tool."""
    for block in blocks_of(row):
        name, given = block.get("id"), as_object(block.get("input"))
        path = None if given is None else given.get("file_path")
        is_read = block.get("type") == "tool_use" and block.get("name") == READ_TOOL
        if is_read and isinstance(name, str) and name and isinstance(path, str):
            yield name, path


def _answered(row: object) -> Iterator[str]:
    """Ids of the calls whose results hold something."""
    for block in blocks_of(row):
        name = block.get("tool_use_id")
        is_sound = block.get("type") == "tool_result" and block.get("is_error") is not True
        if is_sound and isinstance(name, str) and _shows(block.get("content")):
            yield name


def _shows(content: object) -> bool:
    texts = [content] if isinstance(content, str) else list(_texts(as_list(content) or ()))
    return any(not is_blank(text) and text != CLEARED_TEXT for text in texts)  # [CMP-112]


def _texts(blocks: Iterable[object]) -> Iterator[str]:
    for block in blocks:
        text = (as_object(block) or {}).get("text")
        if isinstance(text, str):
            yield text


def blocks_of(row: object) -> Iterator[Mapping[str, Any]]:
    """The blocks that stand directly in a row; what is no object is passed over."""
    for item in as_list(content_of(as_object(row) or {})) or ():
        block = as_object(item)
        if block is not None:
            yield block
