"""Where the results of a list stand, whose calls they answer, and how one is changed. Spec: CMP-020."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from keel_ref.choices import Choices
from keel_ref.constants import Constants
from keel_ref.messages.rows import Role, as_list, as_object, content_of, role_of, type_of, with_content
from keel_ref.tokens.blocks import RowCounter
from keel_ref.tokens.measures import RoughMeasure

CLEARED_TEXT: Final = "[Old tool result content cleared]"
"""What stands in a result that was cleared. Spec: CMP-054."""

Place = tuple[int, int]
"""Index of a row in the list, and of a block in its content."""


@frozen(kw_only=True)
class ResultAt:
    """A result, and where it stands."""

    row: int
    """Index of the row in the list."""
    block: int
    """Index of the block in the content of the row."""
    id: str | None
    """Id of the call that it answers; None where it names none."""
    content: Any
    """What it holds."""

    @property
    def place(self) -> Place:
        """Row and block."""
        return self.row, self.block


def find_results(rows: Sequence[Any]) -> Iterator[ResultAt]:
    """The results of the list in order: those that stand directly in a user row. Spec: CMP-020."""
    for index, place, block in _blocks(rows, Role.USER, "tool_result"):
        yield ResultAt(row=index, block=place, id=_name(block.get("tool_use_id")), content=block.get("content"))


def find_calls(rows: Sequence[Any]) -> Iterator[tuple[int, str, str]]:
    """Row, id and tool of each call in an assistant row, in order; the tool is empty where none is named."""
    for index, _, block in _blocks(rows, Role.ASSISTANT, "tool_use"):
        name = _name(block.get("id"))
        if name is not None:
            yield index, name, _name(block.get("name")) or ""


def tools_of(rows: Sequence[Any]) -> dict[str, str]:
    """The tool of each call by its id; the first call with an id decides. Spec: CMP-020."""
    found: dict[str, str] = {}
    for _, name, tool in find_calls(rows):
        found.setdefault(name, tool)
    return found


def with_contents(rows: Sequence[Any], contents: Mapping[Place, Any]) -> tuple[Any, ...]:
    """The list with other contents in those results; every other row is the same object. Spec: CMP-036."""
    by_row: dict[int, dict[int, Any]] = {}
    for (row, block), content in contents.items():
        by_row.setdefault(row, {})[block] = content
    return tuple(_changed(row, by_row[index]) if index in by_row else row for index, row in enumerate(rows))


def plain_tokens(rows: Sequence[Any], choices: Choices, constants: Constants) -> int:
    """The plain estimate of some rows by the documented rule. Spec: EST-012."""
    counter = RowCounter(RoughMeasure(choices, constants))
    return sum(counter.count(index, row) for index, row in enumerate(rows))


def _changed(row: Any, contents: Mapping[int, Any]) -> dict[str, Any]:
    """The row with other contents in some of its results."""
    found = dict(as_object(row) or {})
    blocks = list(as_list(content_of(found)) or ())
    for place, content in contents.items():
        blocks[place] = {**(as_object(blocks[place]) or {}), "content": content}
    return with_content(found, blocks)


def _blocks(rows: Sequence[Any], role: Role, kind: str) -> Iterator[tuple[int, int, Mapping[str, Any]]]:
    """Row, place and block of each block of that type that stands directly in a row of that role."""
    for index, row in enumerate(rows):
        found = as_object(row)
        if found is None or role_of(found) is not role:
            continue
        for place, item in enumerate(as_list(content_of(found)) or ()):
            block = as_object(item)
            if block is not None and type_of(block) == kind:
                yield index, place, block


def _name(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
