"""The step of a turn that clears old results, by one of its two paths. Spec: CMP-050, CMP-057, CMP-064."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from attrs import frozen

from keel_ref.choices import Choices, Gates
from keel_ref.compaction.cached_micro import CachedState, Edit, check_numbers, queue_deletions
from keel_ref.compaction.microcompact import Cleared, clear_old_results
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.constants import DEFAULT, Constants


class Path(StrEnum):
    """Which path acted. Spec: CMP-050."""

    TIME = "time"
    CACHED = "cached"
    NONE = "none"


@frozen(kw_only=True)
class CachedSettings:
    """How the cached path is set up. Spec: CMP-060."""

    is_supported: bool = False
    """Whether the model takes cache edits."""
    start: int = 1
    """Results above which it deletes."""
    keep: int = 0
    """Newest results that stay."""


@frozen(kw_only=True)
class MicroStep:
    """What the step did."""

    path: Path
    """The path that acted."""
    messages: tuple[Any, ...]
    """The list; only the time-based path changes it."""
    cleared: tuple[str, ...]
    """Calls whose results were cleared in the list."""
    edits: tuple[Edit, ...]
    """Deletions that the request carries, the earlier ones again."""
    cached: CachedState
    """State of the cached path."""
    is_suppressed: bool
    """Whether the warning about the context is suppressed from here on. Spec: CMP-057, CMP-064."""
    expects_drop: bool
    """Whether the detector of cache breaks is told to expect a drop. Spec: CMP-057, CMP-063."""
    freed_tokens: int
    """Padded estimate of the list before less after; at least 0."""
    first_changed_row: int | None
    """The first row that is not as it was given."""
    decisions: tuple[Decision, ...]


def apply_microcompact(
    messages: Sequence[Any],
    *,
    now_ms: object = None,
    source: str | None = None,
    gap_minutes: object = None,
    keep: object = None,
    is_suppressed: bool = False,
    cached: CachedState | None = None,
    settings: CachedSettings | None = None,
    gates: Gates | None = None,
    choices: Choices | None = None,
    constants: Constants = DEFAULT,
) -> MicroStep:
    """Clear old results in the list, or delete them in the cache, or leave them; never both. Spec: CMP-050.

    Raises what `clear_old_results` and `queue_deletions` raise.
    """
    open_gates, state, wanted = gates or Gates(), cached or CachedState(), settings or CachedSettings()
    check_numbers(wanted.start, wanted.keep)
    released = [Decision(layer=Layer.MICRO, why=Why.SUPPRESSION_RELEASED)] if is_suppressed else []  # [CMP-064]
    timed = clear_old_results(
        messages,
        now_ms=now_ms,
        source=source,
        is_enabled=open_gates.time_micro,
        gap_minutes=gap_minutes,
        keep=keep,
        choices=choices,
        constants=constants,
    )
    if timed.has_acted:  # [CMP-050] then the other path is not tried
        return _step(Path.TIME, timed, CachedState(), (), released)  # [CMP-057] what the cache held has expired
    later = queue_deletions(
        messages,
        state=state,
        source=source,
        is_enabled=open_gates.cached_micro,
        is_supported=wanted.is_supported,
        start=wanted.start,
        keep=wanted.keep,
    )
    path = Path.CACHED if later.queued else Path.NONE
    return _step(path, timed, later.state, later.edits, [*released, *later.decisions])


def _step(
    path: Path, timed: Cleared, cached: CachedState, edits: tuple[Edit, ...], decisions: Sequence[Decision]
) -> MicroStep:
    return MicroStep(
        path=path,
        messages=timed.messages,
        cleared=timed.ids,
        edits=edits,
        cached=cached,
        is_suppressed=timed.has_acted,  # [CMP-057] [CMP-064]
        expects_drop=path is not Path.NONE,  # [CMP-063] the detector is told, the model is not
        freed_tokens=timed.freed_tokens,
        first_changed_row=timed.first_changed_row,
        decisions=(*timed.decisions, *decisions),
    )
