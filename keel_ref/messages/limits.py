"""What a request holds no more of, and what it never holds: too many media, empty results. Spec: MSG-005, MSG-020."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from attrs import define

from keel_ref.constants import Constants
from keel_ref.messages.drafts import Block, Draft, Placed
from keel_ref.messages.rows import Reported, RowReason, as_list, as_object, is_media, type_of
from keel_ref.text import is_blank

EMPTY_RESULT_TEXT: Final = "[keel-ref: the tool completed without output]"
"""What stands in an empty result; the wording is free. Spec: MSG-020."""


@define
class MediaCap:
    """Takes the oldest media out until no more are left than a request may hold. Spec: MSG-005."""

    surplus: int
    """How many have to go yet."""
    reported: list[Reported]

    @classmethod
    def of(cls, drafts: Iterable[Draft], constants: Constants, reported: list[Reported]) -> MediaCap:
        """The cap for these drafts."""
        held = sum(_count_media(placed.block, constants) for draft in drafts for placed in draft.blocks)
        return cls(held - constants.media_cap_blocks, reported)

    def kept(self, blocks: Sequence[Placed], constants: Constants) -> list[Placed]:
        """The blocks without those that have to go."""
        return [
            Placed(kept, placed.row)
            for placed in blocks
            for kept in self._without([placed.block], placed.row, constants.nesting_cap_levels)
        ]

    def _without(self, blocks: Iterable[Any], row: int, levels: int) -> Iterator[Any]:
        for block in blocks:
            if self.surplus > 0 and is_media(block):
                self.surplus -= 1
                self.reported.append(Reported(reason=RowReason.MEDIA_CAP, row=row))
            elif self.surplus > 0 and levels > 0 and (inner := _result_blocks(block)) is not None:
                # The list of content and the blocks in it are one level each. [EST-027]
                yield {**(as_object(block) or {}), "content": list(self._without(inner, row, levels - 2))}
            else:
                yield block


def filled(placed: Placed, reported: list[Reported]) -> Placed:
    """A result that holds nothing, given a short text; anything else as it is. Spec: MSG-020."""
    if placed.kind != "tool_result" or not _holds_nothing(placed.block.get("content")):
        return placed
    reported.append(Reported(reason=RowReason.EMPTY_RESULT, row=placed.row, id=placed.block.get("tool_use_id")))
    return Placed({**placed.block, "content": EMPTY_RESULT_TEXT}, placed.row)


def _count_media(block: Block, constants: Constants) -> int:
    found = 0
    waiting: list[tuple[Any, int]] = [(block, constants.nesting_cap_levels)]
    while waiting:
        item, levels = waiting.pop()
        if is_media(item):
            found += 1
        elif levels > 0:
            waiting.extend((inner, levels - 2) for inner in _result_blocks(item) or ())
    return found


def _result_blocks(block: object) -> Sequence[Any] | None:
    """The blocks in a result; None for what is no result, or one whose content is no list."""
    found = as_object(block)
    return as_list(found.get("content")) if found is not None and found.get("type") == "tool_result" else None


def _holds_nothing(content: object) -> bool:
    if content is None:
        return True
    if isinstance(content, str):
        return is_blank(content)
    blocks = as_list(content)
    return blocks is not None and all(type_of(block) == "text" and _is_blank_text(block) for block in blocks)


def _is_blank_text(block: object) -> bool:
    text = (as_object(block) or {}).get("text")
    return text is None or (isinstance(text, str) and is_blank(text))
