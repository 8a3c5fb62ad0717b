"""Old results are cleared after a pause so long that the provider's cache has expired. Spec: CMP-050 to CMP-058."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import floor, isfinite
from typing import Any, Final

from attrs import frozen

from keel_ref.choices import Choices
from keel_ref.compaction.results import CLEARED_TEXT, ResultAt, find_calls, find_results, with_contents
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.constants import DEFAULT, Constants
from keel_ref.messages.rows import Role, as_object, role_of, rows_of
from keel_ref.tokens.estimate import estimate_messages
from keel_ref.tokens.measures import Method

COMPACTABLE: Final = frozenset({"Read", "Bash", "PowerShell", "Grep", "Glob", "WebSearch", "WebFetch", "Edit", "Write"})
"""Tools whose results can be had again, or have done their work. Spec: CMP-053."""
MAIN_THREAD: Final = "repl_main_thread"
"""How the source of a request of the main thread begins. Spec: CMP-051."""
_MINUTE_MS: Final = 60_000


@frozen(kw_only=True)
class Cleared:
    """What became of old results on the time-based path."""

    messages: tuple[Any, ...]
    """The same rows in the same order; a row in which nothing was cleared is the same object."""
    ids: tuple[str, ...]
    """Ids of the calls whose results were cleared now, in the order of the results, each once."""
    has_acted: bool
    """Whether anything was cleared. Then the warning is suppressed, the state of the cached path is reset, and a drop
    of the cache is to be expected. Spec: CMP-057."""
    freed_tokens: int
    """Padded estimate of the list before less after; at least 0."""
    first_changed_row: int | None
    """The first row that is not as it was given; None where nothing changed."""
    decisions: tuple[Decision, ...]
    """What was cleared, or why nothing was."""


def clear_old_results(
    messages: Sequence[Any],
    *,
    now_ms: object,
    source: str | None,
    is_enabled: bool,
    gap_minutes: object = None,
    keep: object = None,
    choices: Choices | None = None,
    constants: Constants = DEFAULT,
) -> Cleared:
    """The list with the results of old calls cleared, if the pause was long enough. Spec: CMP-050 to CMP-058.

    `now_ms` and the key `at` of a row are milliseconds; `gap_minutes` and `keep` come from a remote configuration and
    may be anything. Raises `InvalidArgumentError` if `messages` is no list, `NotSerialisableError` if something is
    cleared in a list that holds what no request can.
    """
    rows = rows_of(messages)
    gap_ms, kept, decisions = _configured(gap_minutes, keep, constants)
    obstacle = _obstacle(rows, now_ms=now_ms, source=source, is_enabled=is_enabled, gap_ms=gap_ms)
    if obstacle is not None:
        return _unchanged(rows, obstacle, decisions if obstacle is not Why.TIME_PATH_OFF else [])
    clearable = [result for result in _old_results(rows, kept) if result.content != CLEARED_TEXT]
    if not clearable:
        return _unchanged(rows, Why.NOTHING_TO_CLEAR, decisions)  # [CMP-057] no side effects either
    changed = with_contents(rows, {result.place: CLEARED_TEXT for result in clearable})
    return Cleared(
        messages=changed,
        ids=tuple(dict.fromkeys(str(result.id) for result in clearable)),
        has_acted=True,
        freed_tokens=_freed(rows, changed, choices or Choices(), constants),
        first_changed_row=clearable[0].row,
        decisions=(
            *decisions,
            *(Decision(layer=Layer.MICRO, why=Why.CLEARED, row=result.row, id=result.id) for result in clearable),
        ),
    )


def with_cleared(messages: Sequence[Any], ids: Collection[str]) -> tuple[Any, ...]:
    """The list with the results of those calls cleared, as an earlier pass left them. Spec: CMP-054."""
    contents = {found.place: CLEARED_TEXT for found in find_results(messages) if found.id in ids}
    return with_contents(messages, contents)


def compactable_ids(messages: Sequence[Any]) -> list[str]:
    """Ids of the calls of compactable tools, each at its last appearance. Spec: CMP-053, CMP-056."""
    found: dict[str, None] = {}
    for _, name, tool in find_calls(messages):
        if tool in COMPACTABLE:  # [CMP-053]
            found.pop(name, None)  # [CMP-056] the last appearance counts
            found[name] = None
    return list(found)


def is_main_thread(source: str | None) -> bool:
    """Whether a source that is there belongs to the main thread, in the sense of this layer. Spec: CMP-051."""
    return source is not None and source.startswith(MAIN_THREAD)


def _old_results(rows: Sequence[Any], kept: int) -> list[ResultAt]:
    """The results of all compactable calls but the newest. Spec: CMP-054."""
    names = compactable_ids(rows)
    old = set(names[: max(0, len(names) - kept)])
    return [result for result in find_results(rows) if result.id in old]


def _obstacle(rows: Sequence[Any], *, now_ms: object, source: str | None, is_enabled: bool, gap_ms: int) -> Why | None:
    """Why the time-based path does not act; None where it does. Spec: CMP-052."""
    if not is_enabled:
        return Why.TIME_PATH_OFF
    if source is None:
        return Why.SOURCE_MISSING  # [CMP-059] a survey of the context has no source
    if not is_main_thread(source):
        return Why.SOURCE_NOT_MAIN  # [CMP-051]
    answers: list[Mapping[str, Any]] = [as_object(row) or {} for row in rows if role_of(row) is Role.ASSISTANT]
    if not answers:
        return Why.NO_ANSWER
    now, last = _whole(now_ms), _whole(answers[-1].get("at"))
    if now is None or last is None or last > now:
        return Why.TIME_UNKNOWN  # [CMP-052] missing, in the future, or no time at all
    return None if now - last >= gap_ms else Why.GAP_TOO_SHORT  # [CMP-052] exactly the gap is enough


def _configured(gap_minutes: object, keep: object, constants: Constants) -> tuple[int, int, list[Decision]]:
    """The gap in milliseconds, how many results stay, and which of the two was assumed. Spec: CMP-055."""
    decisions = []
    gap, kept = _whole(gap_minutes), _number(keep)
    if gap is not None and gap < 0:
        gap = None
    if gap is None and gap_minutes is not None:
        decisions.append(Decision(layer=Layer.MICRO, why=Why.GAP_ASSUMED))
    if kept is None and keep is not None:
        decisions.append(Decision(layer=Layer.MICRO, why=Why.KEEP_ASSUMED))
    minutes = constants.micro_gap_minutes if gap is None else gap
    count = constants.micro_keep_results if kept is None else kept
    return minutes * _MINUTE_MS, max(1, floor(count)), decisions  # [CMP-055] one stays whatever was asked for


def _number(value: object) -> int | float | None:
    """The number that the value is; None for what is none, or not finite. Spec: CMP-055."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isfinite(value) else None


def _whole(value: object) -> int | None:
    """The whole number that the value is, however it is stored. Spec: CMP-052, CMP-055."""
    number = _number(value)
    return int(number) if number is not None and number == int(number) else None


def _freed(before: Sequence[Any], after: Sequence[Any], choices: Choices, constants: Constants) -> int:
    """What the list costs less by the padded estimate. Spec: CMP-058."""
    was, now = (
        estimate_messages(rows, method=Method.DOCUMENTED, is_padded=True, choices=choices, constants=constants).tokens
        for rows in (before, after)
    )
    return max(0, was - now)  # [CMP-058]


def _unchanged(rows: Sequence[Any], why: Why, decisions: Sequence[Decision]) -> Cleared:
    return Cleared(
        messages=tuple(rows),
        ids=(),
        has_acted=False,
        freed_tokens=0,
        first_changed_row=None,
        decisions=(*decisions, Decision(layer=Layer.MICRO, why=why)),
    )
