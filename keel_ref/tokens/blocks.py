"""What a row costs: a walk over its content, block by block. Spec: EST-005 to EST-012, EST-026, EST-027."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field

from keel_ref.constants import DEFAULT
from keel_ref.errors import NotSerialisableError
from keel_ref.messages.rows import SILENT, Reported, RowReason, as_list, as_object, content_of, is_media, role_of
from keel_ref.tokens.measures import Measure
from keel_ref.tokens.serialise import Unserialisable, serialised


@define
class RowCounter:
    """Counts rows one after another and keeps what there is to report about them."""

    measure: Measure
    reported: set[Reported] = field(factory=set, init=False)
    _row: int = field(default=0, init=False)
    _block: int | None = field(default=None, init=False)

    def count(self, index: int, row: object) -> int:
        """Tokens of the row at that index. Raises `NotSerialisableError`. Spec: EST-012."""
        self._row, self._block = index, None
        try:
            return self._count_row(row)
        except Unserialisable as problem:
            raise NotSerialisableError(self._place(), str(problem)) from problem  # [EST-027]

    def count_block(self, index: int, place: int, block: object) -> int:
        """Tokens of one block in the content of the row at that index, for those who keep blocks apart.

        The row itself adds nothing here. Raises `NotSerialisableError`. Spec: EST-012.
        """
        self._row, self._block = index, place
        try:
            return self._block_tokens(block, 1, is_result=False)
        except Unserialisable as problem:
            raise NotSerialisableError(self._place(), str(problem)) from problem  # [EST-027]

    def sorted_reports(self) -> tuple[Reported, ...]:
        """What was found, in the order of rows, then blocks, then reasons. Spec: EST-026."""
        return tuple(sorted(self.reported, key=_order))

    def _count_row(self, row: object) -> int:
        found = as_object(row)
        if found is None:
            self._report(RowReason.BAD_ROW)
            return 0 if row is None else self._odd(row, 1) + self.measure.frames[1]
        role = role_of(found)
        if role in SILENT:
            return 0  # [EST-012] never sent
        if role is None:
            self._report(RowReason.UNKNOWN_ROLE)  # [EST-012] it may be sent after all, so it counts
        return self._row_content(content_of(found)) + self.measure.frames[1]

    def _row_content(self, content: object) -> int:
        blocks = as_list(content)
        if blocks is None:
            return self._loose_content(content, 1, is_result=False)
        tokens = 0
        for place, block in enumerate(blocks):
            self._block = place
            tokens += self._block_tokens(block, 1, is_result=False)
        self._block = None
        return tokens

    def _loose_content(self, content: object, level: int, *, is_result: bool) -> int:
        """Content that is no list."""
        if content is None:
            return 0  # [EST-026] missing
        if isinstance(content, str):
            return self.measure.result_text(content) if is_result else self.measure.text(content)  # [EST-005] [EST-006]
        self._report(RowReason.BAD_CONTENT)
        return self._odd(content, level)

    def _block_tokens(self, block: object, level: int, *, is_result: bool) -> int:
        if block is None:
            self._report(RowReason.BAD_BLOCK)
            return 0
        frame = self.measure.frames[2]
        if is_media(block):
            return self.measure.media + frame  # [EST-011] before anything else of it is looked at
        found = as_object(block)
        kind = None if found is None else found.get("type")
        if found is None or not isinstance(kind, str):
            self._report(RowReason.BAD_BLOCK)
            return self._odd(block, level) + frame
        if kind == "text":
            return self._needed_text(found, "text", level, is_result=is_result)
        return self._other_block(kind, found, level) + frame

    def _other_block(self, kind: str, block: Mapping[str, Any], level: int) -> int:
        match kind:
            case "tool_use":
                return self._call(block, level)
            case "tool_result":
                return self._result(block, level)
            case "thinking":
                return self._needed_text(block, "thinking", level, is_result=False)  # [EST-008]
            case "redacted_thinking":
                return self._needed_text(block, "data", level, is_result=False)  # [EST-008]
            case _:
                return self._odd(block, level)  # [EST-009] nothing of it is lost, so nothing is reported

    def _needed_text(self, block: Mapping[str, Any], key: str, level: int, *, is_result: bool) -> int:
        text = block.get(key)
        if isinstance(text, str):
            return self.measure.result_text(text) if is_result else self.measure.text(text)
        self._report(RowReason.NO_TEXT)
        return 0 if text is None else self._odd(text, level + 1)  # [EST-026]

    def _call(self, block: Mapping[str, Any], level: int) -> int:
        name, given = block.get("name"), block.get("input")
        if not isinstance(name, str):
            self._report(RowReason.NO_TEXT)
        form = serialised({} if given is None else given, level + 1)  # [EST-007] [EST-026]
        return self.measure.call(_as_text(name, level), form, self._id(block, "id", level))

    def _result(self, block: Mapping[str, Any], level: int) -> int:
        content = block.get("content")
        named = self.measure.text(self._id(block, "tool_use_id", level))
        blocks = as_list(content)
        if blocks is None:
            return named + self._loose_content(content, level + 1, is_result=True)
        return named + self._result_blocks(blocks, level + 1)

    def _id(self, block: Mapping[str, Any], key: str, level: int) -> str:
        """An id where ids count; empty where they do not, and then it is not looked at. Spec: EST-027, EST-032."""
        return _as_text(block.get(key), level) if self.measure.counts_ids else ""

    def _result_blocks(self, blocks: Sequence[Any], level: int) -> int:
        if level > DEFAULT.nesting_cap_levels:
            raise Unserialisable(
                f"more than {DEFAULT.nesting_cap_levels} levels of objects and lists inside one another"
            )
        return sum(self._block_tokens(block, level + 1, is_result=True) for block in blocks)  # [EST-006]

    def _odd(self, value: object, level: int) -> int:
        """What is not understood, or of no known type, by its serialised form. Spec: EST-009, EST-026."""
        return self.measure.text(serialised(value, level))

    def _place(self) -> str:
        """Where the count stands, as a caller would write it."""
        row = f"messages[{self._row}]"
        return row if self._block is None else f"{row}.content[{self._block}]"

    def _report(self, reason: RowReason) -> None:
        self.reported.add(Reported(reason=reason, row=self._row, block=self._block))


def _as_text(value: object, level: int) -> str:
    """A name or id as text: what is missing is empty, what is no text is serialised. Spec: EST-026, EST-032."""
    if value is None:
        return ""
    return value if isinstance(value, str) else serialised(value, level + 1)


def _order(reported: Reported) -> tuple[int, int, str]:
    row = -1 if reported.row is None else reported.row
    return row, -1 if reported.block is None else reported.block, reported.reason
