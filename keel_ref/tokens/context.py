"""The size of a context: what the provider measured last, and an estimate of what came after. Spec: EST-016."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from keel_ref.choices import Choices, Fragments
from keel_ref.constants import DEFAULT, Constants
from keel_ref.messages.rows import Reported, Role, RowReason, as_object, has_mark, response_id, role_of, rows_of
from keel_ref.messages.view import view_start
from keel_ref.tokens.blocks import RowCounter
from keel_ref.tokens.measures import RoughMeasure
from keel_ref.tokens.usage import Usage, read_usage
from keel_ref.units import Tokens


@frozen(kw_only=True)
class ContextSize:
    """How large a context is, in tokens."""

    measured: Tokens
    """Total of the usage it stands on; 0 where there is none."""
    estimated: Tokens
    """Estimate of what came after, or of the whole view."""
    reported: tuple[Reported, ...] = ()
    """What could not be taken as it stands."""

    @property
    def tokens(self) -> Tokens:
        """Both together. Spec: EST-016."""
        return Tokens(self.measured + self.estimated)


def context_size(
    messages: Sequence[Any],
    *,
    choices: Choices | None = None,
    constants: Constants = DEFAULT,
    counter: RowCounter | None = None,
) -> ContextSize:
    """The size of the context that a session's list makes, as the described client counts it. Spec: EST-016.

    What no usage covers is estimated by the documented rule, which is too low for most text and far too low for text
    that is not Latin. A `counter` of somebody's own stands in the place of that rule.

    Raises `InvalidArgumentError` if `messages` is no list, `NotSerialisableError` for a row that no request can hold.
    """
    chosen = choices or Choices()
    rows = rows_of(messages)
    view = view_start(rows)  # [EST-020] what stands before the boundary has no influence
    counter = counter or RowCounter(RoughMeasure(chosen, constants))
    anchor, usage = _anchor(rows, view, counter.reported)
    left_out: set[int] = set()
    start = view  # [EST-019] without an anchor the whole view is estimated
    if anchor is not None:
        first = _first_fragment(rows, view, anchor)
        start = first + 1  # [EST-016] behind the first fragment
        if chosen.fragments is Fragments.SKIP:
            left_out = _later_fragments(rows, first, anchor)  # [EST-018]
    estimated = sum(counter.count(index, rows[index]) for index in range(start, len(rows)) if index not in left_out)
    return ContextSize(measured=usage.total, estimated=Tokens(estimated), reported=counter.sorted_reports())


def _anchor(rows: Sequence[Any], view: int, reported: set[Reported]) -> tuple[int | None, Usage]:
    """The last assistant row with usage that is not void, and that usage. Spec: EST-015, EST-016."""
    for index in range(len(rows) - 1, view - 1, -1):
        row = rows[index]
        if role_of(row) is not Role.ASSISTANT or has_mark(row, "error") or has_mark(row, "kept"):
            continue  # [EST-019] [EST-020] a void usage is not looked at
        held = (as_object(row) or {}).get("usage")
        usage = read_usage(held)
        if usage.has_bad_terms if usage is not None else held is not None:
            reported.add(Reported(reason=RowReason.BAD_USAGE, row=index))
        if usage is not None and usage.total > 0:  # [EST-015] nothing was ever free, so 0 is no measurement
            return index, usage
    return None, Usage()


def _first_fragment(rows: Sequence[Any], view: int, anchor: int) -> int:
    """The uppermost row of the anchor's response. Spec: EST-017, EST-028."""
    own = response_id(rows[anchor])
    first = anchor
    if own is None:
        return first  # [EST-028] a response of its own
    for index in range(anchor - 1, view - 1, -1):
        if role_of(rows[index]) is not Role.ASSISTANT:
            continue  # [EST-017] results of parallel calls stand between the fragments
        if response_id(rows[index]) != own:
            break
        first = index
    return first


def _later_fragments(rows: Sequence[Any], first: int, anchor: int) -> set[int]:
    """Rows of the anchor's response behind its first one, up to the next response. Spec: EST-018."""
    own = response_id(rows[anchor])
    found: set[int] = set()
    if own is None:
        return found
    for index in range(first + 1, len(rows)):
        if role_of(rows[index]) is Role.ASSISTANT:
            if response_id(rows[index]) != own:
                break
            found.add(index)
    return found
