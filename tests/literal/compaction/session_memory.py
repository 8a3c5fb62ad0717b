"""A compaction by the notes."""

from itertools import pairwise
from typing import Any

from tests.literal.compaction.arguments import (
    INVALID,
    Decisions,
    count_padded,
    count_plain,
    estimate_text,
    find_calls,
    find_results,
    is_blank,
    read_count,
    read_list,
    read_text,
    take_tokens,
)
from tests.literal.compaction.notes import SECTION_TOKENS, split_notes
from tests.literal.memory.errors import LiteralError
from tests.literal.memory.paths import Flavour
from tests.literal.memory.tree import Kind, read_bytes
from tests.literal.memory.tree_entries import read_entry
from tests.literal.tokens.rows import (
    get_content,
    get_response_id,
    get_role,
    is_assistant,
    is_boundary,
    read_id,
    read_rows,
)

WAIT_MS = 15_000
MOST_FILE_BYTES = 67_108_864
TAIL_TOKENS = 10_000
TAIL_MESSAGES = 5
MOST_TAIL_TOKENS = 40_000


def read_notes(args: dict[str, Any]) -> tuple[str, str | None]:
    """The text of the notes, and why they cannot be used. Raises LiteralError. Spec: CMP-139."""
    entry = args.get("notes")
    if entry is None:
        return "", "no-notes"
    if not isinstance(entry, dict):
        raise LiteralError(INVALID, "notes")
    if "p" in entry or "link" in entry:
        raise LiteralError(INVALID, "notes")
    node, _ = read_entry(entry | {"p": "/notes"}, Flavour.POSIX)
    if node.kind is not Kind.FILE:
        return "", "notes-not-regular"
    if node.is_denied:
        return "", "notes-unreadable"
    if node.size > MOST_FILE_BYTES:
        return "", "notes-too-large"
    text = read_bytes(node).decode("utf-8", "replace")
    return text, "no-notes" if is_blank(text) else None


def find_start(rows: list[Any], covered: str | None, choices: dict[str, str], decisions: Decisions) -> int:
    """Index of the first kept row. Spec: CMP-142, CMP-144, CMP-145."""
    boundaries = [index for index, row in enumerate(rows) if is_boundary(row)]
    floor = boundaries[-1] + 1 if boundaries else 0
    known = [index for index, row in enumerate(rows) if isinstance(row, dict) and row.get("uuid") == covered]
    if covered is None or not known:
        decisions.add("covered-unknown")
        start = floor
    else:
        start = max(known[-1] + 1, floor)
    while start > floor:  # step 2
        if count_padded(rows[start:], choices) >= TAIL_TOKENS and count_texts(rows[start:]) >= TAIL_MESSAGES:
            break
        if count_padded(rows[start - 1 :], choices) > MOST_TAIL_TOKENS:
            break
        start -= 1
    while True:  # step 3
        missing = find_missing(rows, floor, start)
        if missing is None:
            return start
        start = missing


def count_texts(rows: list[Any]) -> int:
    """How many messages with text there are. Spec: CMP-143."""
    return sum(has_text(row) for row in rows)


def has_text(row: Any) -> bool:
    """Whether a row is a message with text. Spec: CMP-143."""
    if get_role(row) not in ("user", "assistant"):
        return False
    content = get_content(row)
    texts = [content]
    if isinstance(content, list):
        texts = [block.get("text") for block in content if isinstance(block, dict) and block.get("type") == "text"]
    return any(isinstance(text, str) and not is_blank(text) for text in texts)


def find_missing(rows: list[Any], floor: int, start: int) -> int | None:
    """A row above the start without which a pair or a response is parted. Spec: CMP-144."""
    for index in range(start, len(rows)):
        for result in find_results(rows[index]):
            name = read_id(result.get("tool_use_id"))
            above = [
                other
                for other in range(floor, index)
                if name is not None and any(call["id"] == name for call in find_calls(rows[other]))
            ]
            if above and above[-1] < start:
                return above[-1]
    answers = [index for index in range(floor, len(rows)) if is_assistant(rows[index])]
    for before, after in pairwise(answers):
        response = get_response_id(rows[after])
        if before < start <= after and response is not None and get_response_id(rows[before]) == response:
            return before
    return None


def cut_notes(text: str, path: str, choices: dict[str, str], decisions: Decisions) -> tuple[str, str]:
    """The notes within their limits, without and with notices. Spec: CMP-138."""
    notes = summary = ""
    for stretch in split_notes(text):
        part = take_tokens(stretch.text, SECTION_TOKENS, choices)
        notes, summary = notes + part, summary + part
        if part != stretch.text:
            size = estimate_text(stretch.text, choices)
            decisions.add("section-cut", layer="summary", id=stretch.title, path=path, tokens=size)
            summary += f"\n[A part; the whole is in {path}]\n"
    return notes, summary


def decline_notes(args: dict[str, Any], gates: dict[str, bool], running: int | None) -> tuple[str, str | None]:
    """Why the notes are not used before anything is selected, or their text. Spec: CMP-137, CMP-139, CMP-141."""
    text, why = read_notes(args)
    if not gates["session_memory"]:
        return "", "notes-off"
    if not gates["sm_compact"]:
        return "", "sm-compact-off"
    if running is not None and running < WAIT_MS:
        return "", "extraction-running"
    if why is None and all(is_blank(stretch.body) for stretch in split_notes(text)):
        why = "notes-empty"
    return text, why


def show_session_memory(args: dict[str, Any], choices: dict[str, str], gates: dict[str, bool]) -> dict[str, Any]:
    """`compaction.session_memory`. Raises LiteralError. Spec: CMP-137 to CMP-148."""
    rows, attachments = read_rows(args), read_list(args, "attachments")
    running, threshold = read_count(args, "running_ms", None), read_count(args, "threshold", None)
    covered, given = read_text(args, "last_covered"), read_text(args, "notes_path")
    path = "/session-memory/summary.md" if given is None else given
    decisions = Decisions("compact")
    text, why = decline_notes(args, gates, running)
    if why is not None:
        decisions.add(why)
        wait = {"wait_ms": WAIT_MS - (running or 0)} if why == "extraction-running" else {}
        return {"used": False, "why": why, **wait, "decisions": decisions.rows}
    if running is not None:
        decisions.add("extraction-not-awaited")
    start = find_start(rows, covered, choices, decisions)
    notes, summary = cut_notes(text, path, choices, decisions)
    tokens = estimate_text(notes, choices) + count_plain([*rows[start:], *attachments], choices)
    if threshold is not None and tokens >= threshold:
        decisions.add("still-above-threshold", tokens=tokens)
        return {"used": False, "why": "still-above-threshold", "decisions": decisions.rows}
    decisions.add("notes-used", tokens=tokens)
    return {
        "used": True,
        "from": start,
        "notes": notes,
        "summary": summary,
        "tokens": tokens,
        "decisions": decisions.rows,
    }
