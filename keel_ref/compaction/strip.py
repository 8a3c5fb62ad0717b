"""What a request for a summary does without: pictures, documents and lists of skills. Spec: CMP-100 to CMP-102."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import define, field, frozen

from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.constants import DEFAULT, Constants
from keel_ref.messages.rows import Role, as_list, as_object, content_of, role_of, rows_of, type_of, with_content

MARKERS: Final = {"image": "[image]", "document": "[document]"}
"""What stands in the place of a block that a summary cannot hold. Spec: CMP-100."""
LEFT_OUT: Final = frozenset({"skill_listing", "skill_discovery"})
"""Attachments that no summary is made of. Spec: CMP-101."""


@frozen(kw_only=True)
class Stripped:
    """A list that a summary can be asked about."""

    messages: tuple[Any, ...]
    """The rows that stay, in order; one in which nothing was replaced is the same object."""
    decisions: tuple[Decision, ...]
    """What was replaced and left out."""


def strip_for_summary(messages: Sequence[Any], *, constants: Constants = DEFAULT) -> Stripped:
    """The list without media and listings; the list itself is not changed. Spec: CMP-100 to CMP-102.

    Raises `InvalidArgumentError` if `messages` is no list.
    """
    kept: list[Any] = []
    decisions: list[Decision] = []
    for index, row in enumerate(rows_of(messages)):
        kind = _attachment(row)
        if kind in LEFT_OUT:
            decisions.append(Decision(layer=Layer.SUMMARY, why=Why.LISTING_LEFT_OUT, row=index, id=kind))
            continue
        stripper = _Stripper(row=index, levels=constants.nesting_cap_levels)
        kept.append(stripper.stripped(row))
        decisions += stripper.decisions
    return Stripped(messages=tuple(kept), decisions=tuple(decisions))


@define(kw_only=True)
class _Stripper:
    """Replaces the media of one row."""

    row: int
    levels: int
    """Levels of objects and lists that are walked."""
    decisions: list[Decision] = field(factory=list, init=False)

    def stripped(self, row: Any) -> Any:
        """The row with a marker in the place of each image and document, at any depth."""
        found = as_object(row)
        blocks = None if found is None else as_list(content_of(found))
        if found is None or blocks is None:
            return row
        changed = self._blocks(blocks, None, self.levels)
        return row if not self.decisions else with_content(found, changed)

    def _blocks(self, blocks: Sequence[Any], call: str | None, levels: int) -> list[Any]:
        return [self._block(block, call, levels) for block in blocks]

    def _block(self, block: Any, call: str | None, levels: int) -> Any:
        kind = type_of(block)
        if kind in MARKERS:
            self.decisions.append(Decision(layer=Layer.SUMMARY, why=Why.MEDIA_MARKED, row=self.row, id=call))
            return {"type": "text", "text": MARKERS[kind]}  # [CMP-100] its data is gone as well
        if kind != "tool_result" or levels <= 0:
            return block  # [CMP-102] thinking, with its signature, and all else
        found = as_object(block) or {}
        inner = as_list(found.get("content"))
        if inner is None:
            return block
        before, name = len(self.decisions), found.get("tool_use_id")
        # The list of content and the blocks in it are one level each. [EST-027]
        changed = self._blocks(inner, name if isinstance(name, str) and name else call, levels - 2)
        return block if len(self.decisions) == before else {**found, "content": changed}


def _attachment(row: Any) -> str | None:
    """The type of an attachment row. Spec: CMP-101."""
    kind = (as_object(row) or {}).get("attachment") if role_of(row) is Role.ATTACHMENT else None
    return kind if isinstance(kind, str) else None
