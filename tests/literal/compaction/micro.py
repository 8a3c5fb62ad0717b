"""The third layer: old results are cleared, or deleted in the provider's cache."""

import math
from typing import Any

from tests.literal.compaction.arguments import (
    CLEARED,
    INVALID,
    Decisions,
    change_results,
    count_padded,
    find_calls,
    find_first_changed,
    find_results,
    need_count,
    read_flag,
    read_object,
    read_text,
)
from tests.literal.memory.errors import LiteralError
from tests.literal.tokens.rows import is_assistant, read_id, read_rows
from tests.literal.window.numbers import is_whole

COMPACTABLE = ("Read", "Bash", "PowerShell", "Grep", "Glob", "WebSearch", "WebFetch", "Edit", "Write")
"""Tools whose results may be cleared. [CMP-053]"""

GAP_MINUTES = 60
KEEP = 5
MINUTE = 60_000
"""Milliseconds."""

MAIN = "repl_main_thread"
"""Beginning of the sources of the main thread. [CMP-051]"""


def find_compactable(rows: list[Any]) -> list[str]:
    """The ids of compactable calls, each at the place of its last one. Spec: CMP-053, CMP-056."""
    ids: list[str] = []
    for row in rows:
        for call in find_calls(row):
            if call.get("name") in COMPACTABLE:
                ids = [name for name in ids if name != call["id"]]
                ids.append(call["id"])
    return ids


def read_keep(args: dict[str, Any], decisions: Decisions) -> int:
    """How many of the newest results stay. Spec: CMP-055."""
    value = args.get("keep")
    if value is None:
        return KEEP
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        decisions.add("keep-assumed")
        return KEEP
    return max(1, math.floor(value))


def read_gap(args: dict[str, Any], decisions: Decisions) -> int:
    """The pause in minutes. Spec: CMP-055."""
    value = args.get("gap_minutes")
    if value is None:
        return GAP_MINUTES
    if not is_whole(value) or value < 0:
        decisions.add("gap-assumed")
        return GAP_MINUTES
    return int(value)


def is_main(source: str | None) -> bool:
    """Whether a source is the main thread in the sense of this layer. Spec: CMP-051."""
    return source is not None and source.startswith(MAIN)


def decline_by_time(rows: list[Any], args: dict[str, Any], gap: int, *, is_open: bool) -> str | None:
    """Why the time-based path does not act, the first that holds. Spec: CMP-052."""
    source = args.get("source")
    if not is_open:
        return "time-path-off"
    if source is None:
        return "source-missing"
    if not is_main(source):
        return "source-not-main"
    answers = [row for row in rows if is_assistant(row)]
    if not answers:
        return "no-answer"
    now, at = read_time(args.get("now")), read_time(answers[-1].get("at"))
    if now is None or at is None or at > now:
        return "time-unknown"
    return "gap-too-short" if now - at < gap * MINUTE else None


def read_time(value: Any) -> int | None:
    """A time in milliseconds, or none. Spec: CMP-052."""
    return int(value) if is_whole(value) else None


def clear(rows: list[Any], keep: int, decisions: Decisions) -> tuple[list[Any], list[str]]:
    """The list with old results cleared, and their ids. Spec: CMP-054, CMP-056."""
    ids = find_compactable(rows)
    old = ids[: max(0, len(ids) - keep)]
    cleared: list[str] = []
    out = []
    for index, row in enumerate(rows):
        changes: dict[int, Any] = {}
        for number, result in enumerate(find_results(row)):
            name = read_id(result.get("tool_use_id"))
            if name in old and result.get("content") != CLEARED:
                changes[number] = CLEARED
                decisions.add("cleared", row=index, id=name)
                if name not in cleared:
                    cleared.append(name)
        out.append(change_results(row, changes))
    return out, cleared


def read_pinned(args: dict[str, Any]) -> list[dict[str, Any]]:
    """The state of the cached path. Raises LiteralError. Spec: CMP-062."""
    state = read_object(args, "cached")
    if state is None:
        return []
    pinned = state.get("pinned")
    pinned = [] if pinned is None else pinned
    if not isinstance(pinned, list):
        raise LiteralError(INVALID, "cached")
    for edit in pinned:
        if not isinstance(edit, dict) or not isinstance(edit.get("ids"), list):
            raise LiteralError(INVALID, "cached")
        need_count(edit, "row")
        if not all(read_id(name) is not None for name in edit["ids"]):
            raise LiteralError(INVALID, "cached")
    return pinned


def show_microcompact(args: dict[str, Any], choices: dict[str, str], gates: dict[str, bool]) -> dict[str, Any]:
    """`compaction.microcompact`. Raises LiteralError. Spec: CMP-050 to CMP-064."""
    rows = read_rows(args)
    read_text(args, "source")
    pinned = read_pinned(args)
    is_supported = read_flag(args, "cached_supported")
    start, keep_cached = need_count(args, "cached_start", 1), need_count(args, "cached_keep", 0)
    if keep_cached >= start:
        raise LiteralError(INVALID, "cached_keep")  # [CMP-060]
    decisions = Decisions("micro")
    if read_flag(args, "suppressed"):
        decisions.add("suppression-released")  # [CMP-064]
    is_open = gates["time_micro"]
    keep, gap = KEEP, GAP_MINUTES
    if is_open:
        keep, gap = read_keep(args, decisions), read_gap(args, decisions)
    why = decline_by_time(rows, args, gap, is_open=is_open)
    if why is None:
        after, cleared = clear(rows, keep, decisions)
        if cleared:
            freed = count_padded(rows, choices) - count_padded(after, choices)  # [CMP-058]
            return {
                "messages": after,
                "path": "time",
                "cleared": cleared,
                "edits": [],
                "cached": {"pinned": []},
                "suppressed": True,
                "expects_drop": True,
                "freed": max(0, freed),
                "first_changed_row": find_first_changed(rows, after),
                "decisions": decisions.rows,
            }
        why = "nothing-to-clear"
    decisions.add(why)
    edits, pinned, has_deleted = delete_in_cache(
        rows, args, pinned, decisions, is_open=gates["cached_micro"], is_supported=is_supported
    )
    return {
        "messages": rows,
        "path": "cached" if has_deleted else "none",
        "cleared": [],
        "edits": edits,
        "cached": {"pinned": pinned},
        "suppressed": False,
        "expects_drop": has_deleted,
        "freed": 0,
        "first_changed_row": None,
        "decisions": decisions.rows,
    }


def delete_in_cache(
    rows: list[Any],
    args: dict[str, Any],
    pinned: list[dict[str, Any]],
    decisions: Decisions,
    *,
    is_open: bool,
    is_supported: bool,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], bool]:
    """The edits of the request, the state afterwards, and whether something was deleted. Spec: CMP-060 to CMP-063."""
    source = args.get("source")
    why = None
    if not is_open:
        why = "cached-path-off"
    elif not is_supported:
        why = "cached-unsupported"
    elif source is not None and not is_main(source):
        why = "source-not-main"
    if why is not None:
        decisions.add(why)
        return [], pinned, False
    named = {name for edit in pinned for name in edit["ids"]}
    answered = {read_id(result.get("tool_use_id")) for row in rows for result in find_results(row)}
    held = [name for name in find_compactable(rows) if name in answered and name not in named]
    if len(held) <= need_count(args, "cached_start", 1):
        decisions.add("too-few-results")
        return pinned, pinned, False
    deleted = held[: len(held) - need_count(args, "cached_keep", 0)]
    for name in deleted:
        decisions.add("deletion-queued", id=name)
    pinned = [*pinned, {"row": len(rows) - 1, "ids": deleted}]
    return pinned, pinned, True
