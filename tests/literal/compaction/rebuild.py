"""The new list behind a compaction, and what is forgotten beside it."""

import re
from typing import Any

from tests.literal.compaction.arguments import (
    INVALID,
    Decisions,
    need_count,
    read_count,
    read_list,
    read_text,
    read_texts,
)
from tests.literal.memory.errors import LiteralError
from tests.literal.tokens.rows import get_role, is_boundary, read_id, read_rows
from tests.literal.window.numbers import trim

ALWAYS = (
    "microcompact_state",
    "system_prompt_sections",
    "classifier_approvals",
    "speculative_checks",
    "tracing_state",
    "session_message_cache",
)
"""Stores that are cleared after every compaction. [CMP-156]"""

MAIN_ALONE = ("collapse_store", "user_context", "memory_files")
"""Stores that the main thread alone clears. [CMP-157]"""

NEVER = "sent_skill_names"


def clean_summary(text: str) -> str:
    """The text of a summary without draft and tags. Spec: CMP-153."""
    text = re.sub(r"<analysis>.*?</analysis>", "", text, flags=re.DOTALL)  # step 1
    start, end = text.find("<summary>"), text.rfind("</summary>")
    if start >= 0 and end >= start + len("<summary>"):  # step 2
        parts = (text[:start], text[start + len("<summary>") : end], text[end + len("</summary>") :])
        return "\n\n".join(trim(part) for part in parts if trim(part) != "")
    return trim(text)  # step 3


def read_summaries(args: dict[str, Any], at: int | None) -> list[dict[str, Any]]:
    """The summary rows. Raises LiteralError. Spec: CMP-153."""
    summaries, log = read_list(args, "summaries"), read_text(args, "log")
    if not summaries:
        raise LiteralError(INVALID, "summaries")
    rows = []
    for summary in summaries:
        if not isinstance(summary, dict) or not isinstance(summary.get("text"), str):
            raise LiteralError(INVALID, "summaries")
        text = clean_summary(summary["text"])
        if text == "":
            raise LiteralError(INVALID, "summaries")
        about = "The talk so far was replaced by a summary." + ("" if log is None else f" The log: {log}")
        blocks = [{"type": "text", "text": about}, {"type": "text", "text": text}]
        named = {"uuid": read_id(read_text(summary, "uuid")), "at": at}
        keys = {key: value for key, value in named.items() if value is not None}
        rows.append({"role": "user", "summary": True, **keys, "content": blocks})
    return rows


def is_about_the_same(row: dict[str, Any], other: Any) -> bool:
    """Whether an attachment that is put back replaces a kept one. Spec: CMP-162."""
    if get_role(other) != "attachment":
        return False  # the type stands on attachment rows alone
    kind, other_kind = row.get("attachment"), other.get("attachment")
    if not isinstance(kind, str) or not isinstance(other_kind, str) or kind == "hook":
        return False
    if kind.removesuffix("_reference") == "file":
        kind = "file"
    if other_kind.removesuffix("_reference") == "file":
        other_kind = "file"
    if kind != other_kind or row.get("path") != other.get("path"):
        return False
    return kind != "agent_state" or row.get("names") == other.get("names")


def keep_rows(rows: list[Any], start: int, attachments: list[Any], decisions: Decisions) -> list[Any]:
    """The kept rows as they stand in the new list. Spec: CMP-154, CMP-162."""
    kept: list[Any] = []
    for index in range(start, len(rows)):
        row = rows[index]
        if is_boundary(row):
            decisions.add("boundary-left-out", row=index)
        elif get_role(row) == "attachment" and any(is_about_the_same(row, other) for other in attachments):
            decisions.add("attachment-replaced", row=index)
        else:
            kept.append(row | {"kept": True} if isinstance(row, dict) else row)
    return kept


def find_tools(args: dict[str, Any], rows: list[Any]) -> list[str]:
    """The tools on demand that were found, now and before. Raises LiteralError. Spec: CMP-150."""
    tools = set(read_texts(args, "discovered_tools"))
    boundaries = [row for row in rows if is_boundary(row)]
    before = boundaries[-1].get("discovered_tools") if boundaries else None
    if isinstance(before, list):
        tools |= {tool for tool in before if isinstance(tool, str)}
    return sorted(tools)


def name_row(row: Any) -> str | None:
    """The `uuid` of a row, or none. Spec: CMP-150, CMP-151."""
    return read_id(row.get("uuid")) if isinstance(row, dict) else None


def show_rebuild(args: dict[str, Any]) -> dict[str, Any]:
    """`compaction.rebuild`. Raises LiteralError. Spec: CMP-150 to CMP-155, CMP-161, CMP-162."""
    rows = read_rows(args)
    trigger, tokens_before = args.get("trigger"), need_count(args, "tokens_before")
    if trigger not in ("auto", "manual"):
        raise LiteralError(INVALID, "trigger")
    start = need_count(args, "from", len(rows))
    if start > len(rows):
        raise LiteralError(INVALID, "from")
    attachments, hooks = read_list(args, "attachments"), read_list(args, "hooks")
    at = read_count(args, "at", None)
    summaries = read_summaries(args, at)
    decisions = Decisions("compact")
    kept = keep_rows(rows, start, attachments, decisions)
    spoken = [name_row(row) for row in rows if get_role(row) in ("user", "assistant")]
    named = [name for name in spoken if name is not None]
    boundary: dict[str, Any] = {
        "role": "system",
        "subtype": "compact_boundary",
        "uuid": read_id(read_text(args, "uuid")),
        "at": at,
        "trigger": trigger,
        "tokens_before": tokens_before,
        "last_before": named[-1] if named else None,
        "discovered_tools": find_tools(args, rows),
    }
    boundary = {key: value for key, value in boundary.items() if value is not None}
    if kept:
        segment = {"head": name_row(kept[0]), "anchor": name_row(summaries[-1]), "tail": name_row(kept[-1])}
        boundary["kept_segment"] = segment  # [CMP-151]
    messages = [boundary, *summaries, *kept, *attachments, *hooks]  # [CMP-152]
    return {"messages": messages, "decisions": decisions.rows}


def is_main_of_cleanup(source: str | None) -> bool:
    """Whether a source is the main thread, as the cleanup understands it. Spec: CMP-158."""
    return source is None or source.startswith("repl_main_thread") or source == "sdk"


def show_cleanup(args: dict[str, Any], gates: dict[str, bool]) -> dict[str, Any]:
    """`compaction.cleanup`. Raises LiteralError. Spec: CMP-156 to CMP-160."""
    source, agent = read_text(args, "source"), read_text(args, "agent")
    is_main = is_main_of_cleanup(source)
    baseline = {"source": "compact" if source is None else source, "agent": agent}
    return {
        "cleared": [*ALWAYS, *(MAIN_ALONE if is_main else ())],
        "kept": [*(() if is_main else MAIN_ALONE), NEVER],
        "memory_reason": "compact" if is_main else None,
        "baseline": baseline if gates["cache_break_detection"] else None,
        "failures": 0,
        "suppressed": True,
    }
