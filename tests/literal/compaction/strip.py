"""What a summary is asked about, and what of it is left when it was too long."""

import re
from typing import Any

from tests.literal.compaction.arguments import (
    INVALID,
    Decisions,
    count_plain,
    find_blocks,
    find_calls,
    need_count,
    put_content,
    read_text,
)
from tests.literal.memory.errors import LiteralError
from tests.literal.tokens.rounds import split_rounds
from tests.literal.tokens.rows import get_content, get_role, is_assistant, read_id, read_rows
from tests.literal.tokens.serialise import MOST_LEVELS
from tests.literal.window.numbers import is_whole

MEDIA = ("image", "document")
LISTINGS = ("skill_listing", "skill_discovery")
"""Types of attachments that are left out. [CMP-101]"""

MOST_RETRIES = 3
SHARE = 20
"""Per cent of the rounds. [CMP-105]"""

BLANKS = r"[ \t\n\r]{0,9}"
NUMBER = r"([0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})"
EXCESS = re.compile(
    rf"(?<![0-9,.]){NUMBER}{BLANKS}(?:tokens|token){BLANKS}(?:>|&gt;|\\u003e){BLANKS}{NUMBER}(?![0-9])(?![,.][0-9])",
    re.IGNORECASE | re.ASCII,
)
"""How an error names what was sent and the limit. [CMP-106]"""


def show_strip(args: dict[str, Any]) -> dict[str, Any]:
    """`compaction.strip`. Raises LiteralError. Spec: CMP-100 to CMP-102."""
    decisions = Decisions("summary")
    out = []
    for index, row in enumerate(read_rows(args)):
        kind = row.get("attachment") if isinstance(row, dict) else None
        if get_role(row) == "attachment" and kind in LISTINGS:
            decisions.add("listing-left-out", row=index, id=kind)  # [CMP-101]
            continue
        content = get_content(row) if isinstance(row, dict) else None
        marked = mark_media(content, 1, index, None, decisions) if isinstance(content, list) else content
        out.append(row if marked == content else put_content(row, marked))
    return {"messages": out, "decisions": decisions.rows}


def mark_media(content: list[Any], level: int, row: int, call: str | None, decisions: Decisions) -> list[Any]:
    """A content with markers for media; its blocks stand on the given level. Spec: CMP-100, EST-027."""
    out: list[Any] = []
    for block in content:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind in MEDIA:
            decisions.add("media-marked", row=row, id=call)
            out.append({"type": "text", "text": f"[{kind}]"})
        elif kind == "tool_result" and isinstance(block.get("content"), list) and level + 2 <= MOST_LEVELS:
            inner = read_id(block.get("tool_use_id")) or call
            out.append(block | {"content": mark_media(block["content"], level + 2, row, inner, decisions)})
        else:
            out.append(block)
    return out


def read_excess(args: dict[str, Any]) -> int | None:
    """By how many tokens the request was too long. Raises LiteralError. Spec: CMP-106."""
    excess, error = args.get("excess"), read_text(args, "error") or ""
    if excess is not None:
        if not is_whole(excess):
            raise LiteralError(INVALID, "excess")
        return int(excess)
    match = EXCESS.search(error)
    if match is None:
        return None
    sent, limit = (int(number.replace(",", "")) for number in match.groups())
    return sent - limit if sent > limit else None


def show_drop_head(args: dict[str, Any], choices: dict[str, str]) -> dict[str, Any]:
    """`compaction.drop_head`. Raises LiteralError. Spec: CMP-103 to CMP-109."""
    rows = read_rows(args)
    excess, retries = read_excess(args), need_count(args, "retries", 0)
    decisions = Decisions("summary")
    has_marker = bool(rows) and isinstance(rows[0], dict) and rows[0].get("head_marker") is True
    skipped = 1 if has_marker else 0
    rounds = split_rounds(rows[skipped:])
    if retries >= MOST_RETRIES or len(rounds) <= 1:
        decisions.add("retries-spent" if retries >= MOST_RETRIES else "one-round-left")  # [CMP-108]
        return show_drop(rows, decisions, given_up=True, excess=excess, counts=(0, len(rounds), 0))
    if has_marker:
        decisions.add("marker-removed", row=0)  # [CMP-107]
    costs = [count_plain(rows[skipped + start : skipped + end], choices) for start, end in rounds]
    if excess is not None and excess > 0:
        dropped = 0
        while dropped < len(rounds) - 1 and sum(costs[:dropped]) < excess:
            dropped += 1  # [CMP-104]
    else:
        decisions.add("excess-unknown")
        dropped = min(max(1, len(rounds) * SHARE // 100), len(rounds) - 1)  # [CMP-105]
    for number in range(dropped):
        decisions.add("round-dropped", row=skipped + rounds[number][0], tokens=costs[number])
    first = skipped + rounds[dropped][0]
    rest = drop_orphans(rows, first, decisions)
    if is_assistant(rows[first]):
        marker = {"role": "user", "head_marker": True, "content": "What came before was left out."}
        rest.insert(0, marker)  # [CMP-107]
    counts = (dropped, len(rounds) - dropped, sum(costs[:dropped]))
    return show_drop(rest, decisions, given_up=False, excess=excess, counts=counts)


def show_drop(
    rows: list[Any], decisions: Decisions, *, given_up: bool, excess: int | None, counts: tuple[int, int, int]
) -> dict[str, Any]:
    """The result as it travels."""
    return {
        "messages": rows,
        "given_up": given_up,
        "excess": excess,
        "dropped_rounds": counts[0],
        "kept_rounds": counts[1],
        "dropped_tokens": counts[2],
        "decisions": decisions.rows,
    }


def drop_orphans(rows: list[Any], first: int, decisions: Decisions) -> list[Any]:
    """The rows from the first on, without results whose call is in no row above. Spec: CMP-107."""
    out: list[Any] = []
    calls: set[str] = set()
    for index in range(first, len(rows)):
        row = rows[index]
        orphans = [
            block
            for block in find_blocks(row, "tool_result", "user")
            if read_id(block.get("tool_use_id")) is None or block["tool_use_id"] not in calls
        ]
        for block in orphans:
            decisions.add("orphan-dropped", row=index, id=read_id(block.get("tool_use_id")))
        if orphans:
            left = [block for block in get_content(row) if not any(block is orphan for orphan in orphans)]
            if left:
                out.append(put_content(row, left))
        else:
            out.append(row)
        calls |= {call["id"] for call in find_calls(row)}
    return out
