"""When a compaction is due, what blocks a request, and when a turn goes on."""

from typing import Any

from tests.literal.compaction.arguments import (
    INVALID,
    need_count,
    read_flag,
    read_list,
    read_text,
)
from tests.literal.compaction.rebuild import clean_summary
from tests.literal.memory.errors import LiteralError
from tests.literal.window.limits import Buffers, Limits, find_limits
from tests.literal.window.numbers import WHITE, Values, lower_ascii, read_env, read_whole

MOST_FAILURES = 3
"""Failures in a row that open the breaker. [CMP-073]"""

OWN_SOURCES = ("session_memory", "compact")
"""Sources of forks that never start a compaction. [CMP-070]"""

COLLAPSE_SOURCE = "marble_origami"
"""The source of collapse. [CMP-070]"""

FAMILY = {
    "auto_compact": (3, None),
    "classifier": (3, 20),
    "cut_output": (3, None),
    "long_summary": (3, None),
}
"""Breakers: failures in a row, and in all, that open them. [CMP-077]"""

COMMIT_SHARE = 90
BLOCK_SHARE = 95
CLEARING_TRIGGER = 180_000
CLEARING_TARGET = 40_000
MOST_NUDGES = 3
NEEDED = ("current work", "next step")
"""Parts whose absence is reported. [CMP-095]"""

MARKS = "0123456789#*-_>.)("
"""What is left aside at the beginning of a line, beside white space. [CMP-095]"""


def decline(limits: Limits, gates: dict[str, bool], *, source: str | None, failures: int) -> str | None:
    """What declines before anything is counted, the first that holds. Spec: CMP-070."""
    if not limits.manual:
        return "compact-disabled"
    if failures >= MOST_FAILURES:
        return "breaker-open"
    if source in OWN_SOURCES or (source == COLLAPSE_SOURCE and gates["collapse"]):
        return "own-source"
    if not limits.enabled:
        return "auto-off"
    if gates["reactive_only"]:
        return "reactive-only"
    if gates["collapse"]:
        return "collapse-on"
    return None


def show_due(args: dict[str, Any], choices: dict[str, str], gates: dict[str, bool]) -> dict[str, Any]:
    """`compaction.due`. Raises LiteralError. Spec: CMP-041, CMP-070, CMP-071, CMP-073."""
    limits = find_limits(args, choices, Values(), Buffers())
    used, freed = need_count(args, "used"), need_count(args, "freed", 0)
    source, failures = read_text(args, "source"), need_count(args, "failures", 0)
    why = decline(limits, gates, source=source, failures=failures)
    if why is None and max(0, used - freed) < limits.auto:
        why = "not-due"  # [CMP-071]
    return {"due": True} if why is None else {"due": False, "why": why}


def is_blocked(limits: Limits, gates: dict[str, bool], *, used: int, source: str | None, compacted: bool) -> bool:
    """Whether the turn ends before the request. Spec: CMP-078."""
    if compacted or source in OWN_SOURCES:
        return False
    if limits.enabled and (gates["collapse"] or gates["reactive"]):
        return False
    return used >= limits.blocking


def show_blocking(args: dict[str, Any], choices: dict[str, str], gates: dict[str, bool]) -> dict[str, Any]:
    """`compaction.blocking`. Raises LiteralError. Spec: CMP-041, CMP-078."""
    limits = find_limits(args, choices, Values(), Buffers())
    used = max(0, need_count(args, "used") - need_count(args, "freed", 0))  # [CMP-041]
    source, compacted = read_text(args, "source"), read_flag(args, "compacted")
    return {"blocked": is_blocked(limits, gates, used=used, source=source, compacted=compacted)}


def show_breaker(args: dict[str, Any]) -> dict[str, Any]:
    """`compaction.breaker`. Raises LiteralError. Spec: CMP-077."""
    name, events = args.get("name"), read_list(args, "events")
    if not isinstance(name, str) or name not in FAMILY or not all(event in ("fail", "succeed") for event in events):
        raise LiteralError(INVALID, "name or events")
    most_in_row, most_in_all = FAMILY[name]
    in_row = in_all = 0
    is_open = []
    for event in events:
        in_row = in_row + 1 if event == "fail" else 0
        in_all += 1 if event == "fail" else 0
        is_open.append(in_row >= most_in_row or (most_in_all is not None and in_all >= most_in_all))
    return {"open": is_open}


def show_points(args: dict[str, Any], choices: dict[str, str]) -> dict[str, Any]:
    """`compaction.points`. Raises LiteralError. Spec: CMP-043, CMP-044."""
    effective = find_limits(args, choices, Values(), Buffers()).effective
    result: dict[str, Any] = {
        "collapse_commit": effective * COMMIT_SHARE // 100,
        "collapse_block": effective * BLOCK_SHARE // 100,
    }
    if read_flag(args, "internal"):
        env, number = read_env(args), choices["env.number"]
        trigger = read_whole(env, "API_MAX_INPUT_TOKENS", number, Values()) or CLEARING_TRIGGER
        target = read_whole(env, "API_TARGET_INPUT_TOKENS", number, Values()) or CLEARING_TARGET
        result["clearing"] = {"trigger": trigger, "target": target, "at_least": max(0, trigger - target)}
    return result


def show_continue(args: dict[str, Any]) -> dict[str, Any]:
    """`compaction.continue`. Raises LiteralError. Spec: CMP-170 to CMP-173."""
    names = ("capped", "drained", "reacted", "escalated", "can_drain", "can_react", "hook_blocks", "budget")
    flags = {name: read_flag(args, name) for name in names}
    calls, nudges = need_count(args, "calls", 0), need_count(args, "nudges", 0)
    match args.get("outcome"):
        case "stop":
            reason = goes_on_behind_stop(flags, calls)
        case "cut":
            reason = goes_on_behind_cut(flags, nudges)
        case "overflow":
            may_drain = flags["can_drain"] and not flags["drained"]
            reason = "collapse-retry" if may_drain else goes_on_behind_media(flags)
        case "media":
            reason = goes_on_behind_media(flags)
        case _:
            raise LiteralError(INVALID, "outcome")
    return {"next": reason, "goes_on": reason not in ("done", "cut-accepted", "overflow-error")}


def goes_on_behind_stop(flags: dict[str, bool], calls: int) -> str:
    """What follows an answer that is whole. Spec: CMP-172."""
    if calls > 0:
        return "next-turn"
    if flags["hook_blocks"]:
        return "stop-hook"
    return "token-budget" if flags["budget"] else "done"


def goes_on_behind_cut(flags: dict[str, bool], nudges: int) -> str:
    """What follows an answer that was cut off. Spec: CMP-173."""
    if flags["capped"] and not flags["escalated"]:
        return "output-escalation"
    return "output-recovery" if nudges < MOST_NUDGES else "cut-accepted"


def goes_on_behind_media(flags: dict[str, bool]) -> str:
    """The ladder from its second rung on. Spec: CMP-170, CMP-171."""
    return "reactive-retry" if flags["can_react"] and not flags["reacted"] else "overflow-error"


def show_summary(args: dict[str, Any]) -> dict[str, Any]:
    """`compaction.summary`. Raises LiteralError. Spec: CMP-093, CMP-095."""
    content, is_error = args.get("content"), read_flag(args, "error")
    if isinstance(content, list):
        blocks = [block for block in content if isinstance(block, dict) and block.get("type") == "text"]
        content = "".join(block["text"] for block in blocks if isinstance(block.get("text"), str))
    if not isinstance(content, str):
        raise LiteralError(INVALID, "content")
    if is_error:
        return {"valid": False, "why": "summary-error"}
    text = clean_summary(content)
    if text == "":
        return {"valid": False, "why": "summary-empty"}  # [CMP-093] nothing is left
    lines = [lower_ascii(line.lstrip(WHITE + MARKS)) for line in text.split("\n")]
    return {"valid": True, "missing": [part for part in NEEDED if not any(line.startswith(part) for line in lines)]}
