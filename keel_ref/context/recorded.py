"""What the record of a session says of its use. Spec: CTX-107."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from keel_ref.choices import Choices
from keel_ref.messages.rows import Role, as_object, has_mark, role_of, rows_of
from keel_ref.messages.view import view_start
from keel_ref.tokens.blocks import RowCounter
from keel_ref.tokens.context import context_size
from keel_ref.tokens.measures import RoughMeasure
from keel_ref.tokens.usage import read_usage


@frozen(kw_only=True)
class Recorded:
    """The use by the record; amounts in tokens, None where no response of the view recorded any."""

    tokens: int | None = None
    """What the next request will hold: the last usage, and an estimate of what came after it. Spec: EST-016."""
    first_growth: int | None = None
    """What the first request of the view held beyond the estimates of what stands before its response."""


def recorded_of(
    messages: Sequence[Any], *, choices: Choices | None = None, counter: RowCounter | None = None
) -> Recorded:
    """What the view of a list records. Spec: CTX-107.

    A `counter` of somebody's own, who has measured the rows before, stands in the place of the documented rule.

    Raises `InvalidArgumentError` if `messages` is no list, `NotSerialisableError` for a row that no request can hold.
    """
    chosen = choices or Choices()
    rows = rows_of(messages)
    counter, before = counter or RowCounter(RoughMeasure(chosen)), 0
    size = context_size(rows, choices=chosen, counter=counter)
    if not size.measured:
        return Recorded()
    for index in range(view_start(rows), len(rows)):
        sent = _sent(rows[index])
        if sent:
            return Recorded(tokens=size.tokens, first_growth=max(0, sent - before))  # [CTX-107] not divided
        before += counter.count(index, rows[index])
    return Recorded(tokens=size.tokens)


def _sent(row: object) -> int:
    """What the request held that this row answers; 0 where the row does not tell. Spec: EST-014, EST-019, EST-020."""
    if role_of(row) is not Role.ASSISTANT or has_mark(row, "error") or has_mark(row, "kept"):
        return 0
    usage = read_usage((as_object(row) or {}).get("usage"))
    return 0 if usage is None else usage.input_total
