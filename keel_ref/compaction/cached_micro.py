"""Old results are deleted in the provider's cache, while the list stays as it is. Spec: CMP-060 to CMP-063.

What the described client does inside is not known. This is what can be held to: what is deleted, when, and that no
result is named twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import evolve, frozen

from keel_ref.compaction.microcompact import compactable_ids, is_main_thread
from keel_ref.compaction.results import find_results
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.rows import as_list, as_object, rows_of


@frozen(kw_only=True)
class Edit:
    """Results that are deleted by one request, and the row to which the deletion stays pinned."""

    row: int
    """Index of the last row of the list at that time."""
    ids: tuple[str, ...]
    """Calls whose results are deleted, in the order of the calls."""

    def as_object(self) -> dict[str, Any]:
        """The edit in the form of JSON."""
        return {"row": self.row, "ids": list(self.ids)}


@frozen(kw_only=True)
class CachedState:
    """What the main thread has deleted so far. Spec: CMP-062."""

    pinned: tuple[Edit, ...] = ()
    """Edits that were sent, in order; each is sent again with every request."""

    def deleted(self) -> frozenset[str]:
        """Every call that an edit names."""
        return frozenset(name for edit in self.pinned for name in edit.ids)

    def as_object(self) -> dict[str, Any]:
        """The state in the form of JSON."""
        return {"pinned": [edit.as_object() for edit in self.pinned]}

    @classmethod
    def of(cls, value: object) -> CachedState:
        """The state that `as_object` wrote; None is an empty one. Raises `InvalidArgumentError`."""
        found = as_object({} if value is None else value)
        edits = None if found is None else as_list([] if found.get("pinned") is None else found["pinned"])
        if edits is None:
            raise InvalidArgumentError("cached", 'an object with a list "pinned" is expected')
        return cls(pinned=tuple(map(_edit, edits)))


@frozen(kw_only=True)
class CachedStep:
    """What the next request deletes."""

    state: CachedState
    """With the new edit pinned."""
    queued: tuple[str, ...]
    """Calls whose results this step deletes; empty where it deletes none."""
    edits: tuple[Edit, ...]
    """Everything that the request carries: the edits of before, then the new one. Spec: CMP-062."""
    decisions: tuple[Decision, ...]
    """What was queued, or why nothing was."""


def queue_deletions(
    messages: Sequence[Any],
    *,
    state: CachedState,
    source: str | None,
    is_enabled: bool,
    is_supported: bool,
    start: int,
    keep: int,
) -> CachedStep:
    """Queue the deletion of old results, if there are more than `start`; the newest `keep` stay.

    The list is not changed. Raises `InvalidArgumentError` unless `0 <= keep < start`: with one number for both, every
    turn would delete one result and the cache would never come to rest. Spec: CMP-060, CMP-061.
    """
    rows = rows_of(messages)
    check_numbers(start, keep)
    if not is_enabled:
        return _nothing(state, Why.CACHED_PATH_OFF)
    if not is_supported:
        return _nothing(state, Why.CACHED_UNSUPPORTED)
    if source is not None and not is_main_thread(source):
        return _nothing(state, Why.SOURCE_NOT_MAIN)  # [CMP-051] without a source it is the main thread here
    answered = {result.id for result in find_results(rows)}
    gone = state.deleted()
    held = [name for name in compactable_ids(rows) if name in answered and name not in gone]  # [CMP-061] never twice
    if len(held) <= start:
        return _nothing(state, Why.TOO_FEW_RESULTS, state.pinned)  # [CMP-062] what was sent is sent again
    queued = tuple(held[: len(held) - keep])
    pinned = (*state.pinned, Edit(row=len(rows) - 1, ids=queued))
    return CachedStep(
        state=evolve(state, pinned=pinned),
        queued=queued,
        edits=pinned,
        decisions=tuple(Decision(layer=Layer.MICRO, why=Why.DELETION_QUEUED, id=name) for name in queued),
    )


def check_numbers(start: int, keep: int) -> None:
    """Raise `InvalidArgumentError` unless the goal lies below the start. Spec: CMP-060."""
    if not 0 <= keep < start:  # [CMP-060] with one number for both the cache would never come to rest
        raise InvalidArgumentError("cached_keep", f"{keep} is not at least 0 and below cached_start, which is {start}")


def _nothing(state: CachedState, why: Why, edits: tuple[Edit, ...] = ()) -> CachedStep:
    return CachedStep(state=state, queued=(), edits=edits, decisions=(Decision(layer=Layer.MICRO, why=why),))


def _edit(value: object) -> Edit:
    found = as_object(value) or {}
    row, ids = found.get("row"), as_list(found.get("ids"))
    is_row = isinstance(row, int) and not isinstance(row, bool) and row >= 0
    if not is_row or ids is None or not all(isinstance(name, str) for name in ids):
        raise InvalidArgumentError("cached.pinned", "each edit has a row and a list of ids")
    assert isinstance(row, int)
    return Edit(row=row, ids=tuple(ids))
