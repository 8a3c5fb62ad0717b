"""The answer of `keel-ref context` for a program: schema keel-context/1."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from keel_ref.cli.context_found import Answer, List
from keel_ref.cli.memory_json import UNFIT
from keel_ref.cli.window_words import variable_text
from keel_ref.conformance.functions_memory import path_as_wire
from keel_ref.context.categories import COLOURS, Category
from keel_ref.context.holdings import Named
from keel_ref.context.message_parts import Part

SCHEMA: Final = "keel-context/1"


def write_json(answer: Answer) -> str:
    """One object; equal input gives equal bytes."""
    is_ascii = sys.stdout is None or (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    text = json.dumps(report_as_json(answer), ensure_ascii=is_ascii, indent=1) + "\n"
    return UNFIT.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def report_as_json(answer: Answer) -> Mapping[str, Any]:
    """The whole report, in plain values. Spec: CTX-111."""
    found, report, limits = answer.found, answer.report, answer.limits
    return {
        "schema": SCHEMA,
        "source": {"kind": str(found.kind), "name": path_as_wire(found.name)},
        "model": answer.model,
        "window": limits.window,
        "auto": limits.auto,
        "auto_compact": limits.is_enabled,
        "total": report.total,
        "maximum": report.maximum,
        "percentage": report.percentage,
        "per_mille": report.per_mille(report.total),
        "free": report.free,
        "buffer": report.buffer,
        "recorded": found.holdings.recorded,
        "first_growth": found.first_growth,
        "excess": report.excess,
        "categories": _categories(answer),
        "grid": {"columns": report.grid.columns, "rows": [list(row) for row in report.grid.rows]},
        **_lists(answer),
        "messages": {str(part): getattr(found.holdings.messages, part) for part in Part},
        "by_tool": [
            {
                "name": share.name,
                "calls": share.calls,
                "call_tokens": share.call_tokens,
                "results": share.results,
                "result_tokens": share.result_tokens,
            }
            for share in found.tools
        ],
        "by_attachment": [{"name": row.name, "count": row.count, "tokens": row.tokens} for row in found.attachments],
        "unknown": [{"what": gap.what, "why": gap.why} for gap in answer.gaps],
        "reported": [
            *({**one.as_object(), "value": variable_text(one.name, answer.env)} for one in limits.reports),
            *found.reported,
        ],
    }


def _categories(answer: Answer) -> Sequence[Mapping[str, Any]]:
    report = answer.report
    return [
        {
            "name": share.name,
            "tokens": share.tokens,
            "colour": COLOURS[Category(share.name)],
            "deferred": share.is_deferred,
            "per_mille": report.per_mille(share.tokens),
            "squares": squares,
        }
        for share, squares in zip(report.categories, report.grid.squares, strict=True)
    ]


def _lists(answer: Answer) -> Mapping[str, Any]:
    """Every list, or null where the source does not know it."""
    holdings = answer.found.holdings
    lists: dict[List, Sequence[Mapping[str, Any]]] = {
        List.SYSTEM_PROMPT: _named(holdings.system_prompt),
        List.TOOLS: [
            {
                "name": tool.name,
                "server": tool.server,
                "tokens": tool.tokens,
                "deferred": tool.is_deferred,
                "loaded": tool.counts,
            }
            for tool in holdings.tools
        ],
        List.AGENTS: _named(holdings.agents),
        List.SKILLS: _named(holdings.skills),
        List.MEMORY_FILES: [
            {"path": path_as_wire(row.path), "type": row.type, "tokens": row.tokens} for row in holdings.memory_files
        ],
    }
    return {str(name): rows if answer.is_known(name) else None for name, rows in lists.items()}


def _named(rows: Sequence[Named]) -> Sequence[Mapping[str, Any]]:
    return [{"name": row.name, "tokens": row.tokens} for row in rows]
