"""Which rows stay behind a summary that was taken from the notes. Spec: CMP-142 to CMP-145."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from keel_ref.choices import Choices, MessagePad
from keel_ref.compaction.shown import blocks_of
from keel_ref.constants import DEFAULT, Constants
from keel_ref.messages.rows import Role, as_list, as_object, content_of, is_boundary, response_id, role_of, rows_of
from keel_ref.messages.view import view_start
from keel_ref.text import is_blank
from keel_ref.tokens.blocks import RowCounter
from keel_ref.tokens.measures import RoughMeasure
from keel_ref.units import div_ceil


@frozen(kw_only=True)
class Tail:
    """The rows that are kept, which are the last ones of the list."""

    start: int
    """Index of the first of them; the number of rows where none is kept."""
    is_covered_known: bool
    """Whether the last row that the notes cover was found."""


def kept_tail(
    messages: Sequence[Any],
    last_covered: str | None,
    *,
    choices: Choices | None = None,
    constants: Constants = DEFAULT,
) -> Tail:
    """The rows that stay when the notes cover everything up to the row `last_covered`. Spec: CMP-142.

    Raises `InvalidArgumentError` if `messages` is no list, `NotSerialisableError` for a row that no request can hold.
    """
    rows = rows_of(messages)
    floor = _floor(rows)
    covered = _index_of(rows, last_covered)
    if covered is None:
        return Tail(start=floor, is_covered_known=False)  # [CMP-145] nothing says what the notes cover
    start = max(floor, covered + 1)
    start = _extended(rows, floor, start, choices or Choices(), constants)
    return Tail(start=_whole(rows, floor, start), is_covered_known=True)


def has_text_block(row: object) -> bool:
    """Whether the row counts as a message with text: of user or model, and not blank. Spec: CMP-143."""
    if role_of(row) not in {Role.USER, Role.ASSISTANT}:
        return False
    content = content_of(as_object(row) or {})
    if isinstance(content, str):
        return not is_blank(content)
    texts = (block.get("text") for block in blocks_of(row) if block.get("type") == "text")  # [CMP-143]
    return as_list(content) is not None and any(isinstance(text, str) and not is_blank(text) for text in texts)


def _floor(rows: Sequence[Any]) -> int:
    """The first row that may be kept: behind the last boundary. Spec: CMP-144."""
    start = view_start(rows)
    return start + 1 if start < len(rows) and is_boundary(rows[start]) else start  # [CMP-144] no boundary in the tail


def _index_of(rows: Sequence[Any], uuid: str | None) -> int | None:
    """The last row of that name. Spec: CMP-142."""
    if uuid is None:
        return None
    for index in range(len(rows) - 1, -1, -1):
        if (as_object(rows[index]) or {}).get("uuid") == uuid:
            return index
    return None


def _extended(rows: Sequence[Any], floor: int, start: int, choices: Choices, constants: Constants) -> int:
    """The start moved up until both minima hold, or one more row would be too much. Spec: CMP-142."""
    counter = RowCounter(RoughMeasure(choices, constants))
    plain = sum(counter.count(index, rows[index]) for index in range(start, len(rows)))
    texts = sum(has_text_block(row) for row in rows[start:])
    while start > floor:
        if _padded(plain, choices, constants) >= constants.tail_min_tokens and texts >= constants.tail_min_messages:
            break  # [CMP-142] both
        more = plain + counter.count(start - 1, rows[start - 1])
        if _padded(more, choices, constants) > constants.tail_max_tokens:
            break  # [CMP-142] a tail that is too large already gets nothing more either
        start, plain = start - 1, more
        texts += has_text_block(rows[start])
    return start


def _padded(tokens: int, choices: Choices, constants: Constants) -> int:
    """The sum as the selection counts it, padded once. Spec: EST-021."""
    if choices.message_pad is MessagePad.NONE:
        return tokens
    return div_ceil(tokens * constants.pad_dividend, constants.pad_divisor)


def _whole(rows: Sequence[Any], floor: int, start: int) -> int:
    """The start moved up until no pair and no response is parted. Spec: CMP-144."""
    reach = _reach(rows, floor)
    goal = min([start, *reach[start - floor :]])
    while start > goal:  # [CMP-144] past any limit
        start -= 1
        goal = min(goal, reach[start - floor])
    return start


def _reach(rows: Sequence[Any], floor: int) -> list[int]:
    """For each row from the floor on, the uppermost row that must be kept if it is kept, by itself. Spec: CMP-144."""
    calls: dict[str, int] = {}
    answer: tuple[int, str | None] | None = None  # the assistant row before, and its response
    found: list[int] = []
    for index in range(floor, len(rows)):
        row = rows[index]
        wanted = [index]
        if role_of(row) is Role.ASSISTANT:
            own = response_id(row)
            if answer is not None and own is not None and answer[1] == own:
                wanted.append(answer[0])  # [CMP-144] fragments, thinking among them
            answer = (index, own)
            calls.update(dict.fromkeys(_names(row, "tool_use", "id"), index))
        elif role_of(row) is Role.USER:
            names = _names(row, "tool_result", "tool_use_id")
            wanted += [calls[name] for name in names if name in calls]  # [CMP-144] the nearest call above
        found.append(min(wanted))
    return found


def _names(row: object, kind: str, key: str) -> Iterator[str]:
    for block in blocks_of(row):
        name = block.get(key)
        if block.get("type") == kind and isinstance(name, str) and name:
            yield name
