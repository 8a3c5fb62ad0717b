"""Rows that have a cost, and how it is counted. Spec: CMP-180."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import define

from keel_ref.compaction.results import CLEARED_TEXT
from keel_ref.compaction.settings import Row
from keel_ref.compaction.shown import blocks_of
from keel_ref.constants import DEFAULT
from keel_ref.messages.rows import SILENT, as_list, as_object, content_of, is_media, role_of
from keel_ref.tokens.blocks import RowCounter
from keel_ref.units import div_half_up

FILL: Final = "~"
"""What the texts of a program consist of; no notice and no heading holds it."""
UNITS: Final = DEFAULT.tokens_ratio_units
"""Characters of a token."""


def filler(tokens: int) -> str:
    """A text that counts so many tokens."""
    return FILL * (UNITS * tokens)


@define
class CostCounter(RowCounter):
    """Counts what a program said that a row costs. Spec: CMP-180."""

    def count(self, index: int, row: object) -> int:  # noqa: ARG002 (one signature for all counters)
        """Tokens of the row."""
        return row_cost(row)


def row_cost(row: object) -> int:
    """Tokens of one row. Spec: CMP-180."""
    found = as_object(row)
    if found is None or role_of(found) in SILENT:
        return 0
    cost = found.get("cost")
    if isinstance(cost, int) and not any(is_changed(block) for block in blocks_of(found)):
        return cost
    media = sum(DEFAULT.image_tokens for block in blocks_of(found) if is_media(block))
    return media + sum(map(_text_cost, _texts(content_of(found))))


def is_changed(block: Mapping[str, Any]) -> bool:
    """Whether a layer put a notice in the place of a result."""
    content = block.get("content")
    return (
        block.get("type") == "tool_result"
        and isinstance(content, str)
        and not content.startswith(FILL)
        and content != ""
    )


def shown_units(text: str) -> int:
    """Units of what stands in a result: of a preview those of its text alone. Spec: CMP-180."""
    return len(text) if text == CLEARED_TEXT else text.count(FILL)


def _text_cost(text: str) -> int:
    if text == CLEARED_TEXT:
        return div_half_up(len(text), UNITS)  # [CMP-180] a cleared result has the same text everywhere
    return div_half_up(text.count(FILL), UNITS)  # [CMP-180] notices and headings cost nothing


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for item in as_list(content) or ():
        block: Mapping[str, Any] = as_object(item) or {}
        yield from (value for value in (block.get("text"), block.get("content")) if isinstance(value, str))


def name_of(row: Row) -> int | str | None:
    """What an answer calls a row: its number, or what a compaction made of it. Spec: CMP-180."""
    number = row.get("number")
    if isinstance(number, int):
        return number
    if row.get("subtype") == "compact_boundary":
        return "boundary"
    if row.get("summary") is True:
        return "summary"
    kind = row.get("attachment")
    about = row.get("path") if kind in {"file", "file_reference"} else "".join(row.get("names") or ())
    prefix = {"file": "file", "file_reference": "ref", "skill": "skill"}.get(str(kind))
    return None if prefix is None else f"{prefix}:{about}"
