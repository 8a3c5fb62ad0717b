"""A request for a summary that was too long is tried again without its oldest rounds. Spec: CMP-103 to CMP-109."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from keel_ref.choices import Choices
from keel_ref.compaction.results import find_calls, find_results, plain_tokens
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.constants import DEFAULT, Constants
from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.rounds import api_rounds
from keel_ref.messages.rows import Role, as_list, as_object, content_of, has_mark, role_of, rows_of, with_content
from keel_ref.units import div_floor

MARK: Final = "head_marker"
"""Key by which the row in front is known again. Spec: CMP-107."""
MARKER_TEXT: Final = "[keel-ref: the conversation before this point was left out, since it was too long]"
"""What it says; the wording is free. Spec: CMP-107."""
_FULL_PERCENT: Final = 100


@frozen(kw_only=True)
class HeadDrop:
    """A list that is shorter by its oldest rounds, or the word that nothing more can go."""

    messages: tuple[Any, ...]
    """The marker and the rest; the list as it was given where this gives up."""
    is_given_up: bool
    """Whether the attempt has to end with an error."""
    dropped_rounds: int
    """Rounds that went; 0 where this gives up."""
    kept_rounds: int
    """Rounds that stay."""
    dropped_tokens: int
    """Plain estimate of the rounds that went."""
    decisions: tuple[Decision, ...]
    """What went, and how that was found."""


def drop_head(
    messages: Sequence[Any],
    excess: int | None,
    *,
    retries: int = 0,
    choices: Choices | None = None,
    constants: Constants = DEFAULT,
    cost: Callable[[Sequence[Any]], int] | None = None,
) -> HeadDrop:
    """The list for the next try, without its oldest rounds. Spec: CMP-103 to CMP-109.

    `excess` is by how many tokens the request was too long, None where nobody says; `retries` is how often the head
    was dropped before in this attempt; `cost` counts rows in the place of the documented rule. The list is not changed.
    Raises `InvalidArgumentError` for what is neither, and
    `NotSerialisableError` for a round that no request can hold.
    """
    rows = rows_of(messages)
    _check(excess, retries)
    if retries >= constants.head_cap_retries:
        return _given_up(rows, Why.RETRIES_SPENT)  # [CMP-108]
    is_marked = bool(rows) and has_mark(rows[0], MARK)
    own = rows[1:] if is_marked else rows  # [CMP-107] the marker of the last retry is no part of the talk
    rounds = api_rounds(own)
    if len(rounds) <= 1:
        return _given_up(rows, Why.ONE_ROUND_LEFT)  # [CMP-108]
    count_rows = cost or (lambda some: plain_tokens(some, choices or Choices(), constants))
    sizes = [count_rows(own[start:end]) for start, end in rounds]
    count, is_assumed = _count(sizes, excess, constants)
    first = rounds[count][0]
    rest, orphans = _without_orphans(own[first:])
    marker = [_marker()] if role_of(rest[0]) is Role.ASSISTANT else []  # [CMP-107]
    offset = first + int(is_marked)
    return HeadDrop(
        messages=(*marker, *rest),
        is_given_up=False,
        dropped_rounds=count,
        kept_rounds=len(rounds) - count,
        dropped_tokens=sum(sizes[:count]),
        decisions=(
            *([Decision(layer=Layer.SUMMARY, why=Why.MARKER_REMOVED, row=0)] if is_marked else []),
            *([Decision(layer=Layer.SUMMARY, why=Why.EXCESS_UNKNOWN)] if is_assumed else []),
            *(
                Decision(layer=Layer.SUMMARY, why=Why.ROUND_DROPPED, row=start + int(is_marked), tokens=size)
                for (start, _), size in zip(rounds[:count], sizes, strict=False)
            ),
            *(
                Decision(layer=Layer.SUMMARY, why=Why.ORPHAN_DROPPED, row=row + offset, id=name)
                for row, name in orphans
            ),
        ),
    )


def _check(excess: object, retries: object) -> None:
    if excess is not None and (isinstance(excess, bool) or not isinstance(excess, int)):
        raise InvalidArgumentError("excess", f"{excess!r} is no whole number of tokens")
    if isinstance(retries, bool) or not isinstance(retries, int) or retries < 0:
        raise InvalidArgumentError("retries", f"{retries!r} is no whole number of at least 0")


def _count(sizes: Sequence[int], excess: int | None, constants: Constants) -> tuple[int, bool]:
    """How many rounds go, at least one and never all, and whether that had to be assumed. Spec: CMP-104, CMP-105."""
    most = len(sizes) - 1  # [CMP-104] at least one round stays
    if excess is None or excess <= 0:
        share = div_floor(len(sizes) * constants.head_share_percent, _FULL_PERCENT)
        return min(most, max(1, share)), True  # [CMP-105]
    gone = 0
    for count, size in enumerate(sizes[:most], start=1):
        gone += size
        if gone >= excess:  # [CMP-104] reached is enough
            return count, False
    return most, False


def _without_orphans(rest: Sequence[Any]) -> tuple[list[Any], list[tuple[int, str | None]]]:
    """The rest without results whose call is not above them, and row and id of each that went. Spec: CMP-107."""
    calls: dict[str, int] = {}
    for row, name, _ in find_calls(rest):
        calls.setdefault(name, row)
    gone: dict[int, set[int]] = {}
    orphans = []
    for result in find_results(rest):
        if result.id is None or calls.get(result.id, len(rest)) > result.row:
            gone.setdefault(result.row, set()).add(result.block)
            orphans.append((result.row, result.id))
    kept = (_without(row, gone[index]) if index in gone else (row,) for index, row in enumerate(rest))
    return [row for rows in kept for row in rows], orphans


def _without(row: Any, places: set[int]) -> tuple[dict[str, Any], ...]:
    """The row without some of its blocks; no row where no block is left."""
    found: Mapping[str, Any] = as_object(row) or {}
    blocks = [block for place, block in enumerate(as_list(content_of(found)) or ()) if place not in places]
    return (with_content(found, blocks),) if blocks else ()  # [CMP-107] what is left of a row stays


def _marker() -> dict[str, Any]:
    return {"role": "user", "content": MARKER_TEXT, MARK: True}


def _given_up(rows: Sequence[Any], why: Why) -> HeadDrop:
    own = rows[1:] if rows and has_mark(rows[0], MARK) else rows
    return HeadDrop(
        messages=tuple(rows),
        is_given_up=True,
        dropped_rounds=0,
        kept_rounds=len(api_rounds(own)),
        dropped_tokens=0,
        decisions=(Decision(layer=Layer.SUMMARY, why=why),),
    )
