"""The answer of `keel-ref estimate`: a table for people, one object for programs (schema keel-estimate/1)."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from keel_ref.cli.estimate_count import BOUND, Counted, Question
from keel_ref.cli.estimate_input import STDIN, NotReadableError
from keel_ref.cli.memory_json import UNFIT
from keel_ref.cli.terminal_text import clipped, visible
from keel_ref.conformance.functions_memory import path_as_wire

SCHEMA = "keel-estimate/1"


@attrs.define(kw_only=True)
class Answer:
    """What was found, and what was not."""

    question: Question
    limit: int | None
    """Tokens above which the total is too many."""
    counted: list[Counted] = attrs.field(factory=list)
    problems: list[NotReadableError] = attrs.field(factory=list)

    @property
    def totals(self) -> dict[str, int]:
        """Tokens of all files that were counted, by method."""
        return {method: sum(one.tokens[method] for one in self.counted) for method in self.question.methods}

    @property
    def is_too_many(self) -> bool:
        """Whether the total, the larger one of two, is above the limit."""
        return self.limit is not None and max(self.totals.values()) > self.limit


def problem_line(problem: NotReadableError) -> str:
    """One line for stderr."""
    return f"keel-ref: {shown_name(problem.name)}: {clipped(visible(problem.problem))}\n"


def remark_lines(answer: Answer) -> str:
    """Lines for stderr, one a remark."""
    return "".join(
        f"keel-ref: {shown_name(one.name)}: {clipped(visible(remark))}\n"
        for one in answer.counted
        for remark in one.remarks
    )


def too_many_line(answer: Answer) -> str:
    """One line for stderr."""
    method, tokens = max(answer.totals.items(), key=lambda entry: entry[1])
    return f"keel-ref: {tokens:,} tokens ({_method_name(answer, method)}) are more than --max-tokens {answer.limit:,}\n"


def shown_name(name: str) -> str:
    """The name of a file, fit for a terminal."""
    return "standard input" if name == STDIN else clipped(visible(name))


def write_text(answer: Answer) -> str:
    """The table; nothing where nothing was counted."""
    if not answer.counted:
        return ""
    methods = answer.question.methods
    totals = answer.totals
    width = max(len("documented"), *(len(f"{tokens:,}") for tokens in totals.values()))
    sizes = max(len("bytes"), len(f"{sum(one.size_bytes for one in answer.counted):,}"))

    def line(tokens: Mapping[str, str], size: str, kind: str, name: str) -> str:
        cells = "  ".join(f"{tokens[method]:>{width}}" for method in methods)
        return f"{cells}  {size:>{sizes}}  {kind:<8}  {name}".rstrip() + "\n"

    lines = [line({method: method for method in methods}, "bytes", "kind", "file")]
    for one in answer.counted:
        tokens = {method: f"{one.tokens[method]:,}" for method in methods}
        lines.append(line(tokens, f"{one.size_bytes:,}", one.kind, shown_name(one.name)))
        lines += [line(dict.fromkeys(methods, ""), "", "", f"  {note}") for note in _notes(one)]
    count = f"{len(answer.counted)} file{'' if len(answer.counted) == 1 else 's'}"
    size = f"{sum(one.size_bytes for one in answer.counted):,}"
    lines.append(line({method: f"{totals[method]:,}" for method in methods}, size, "total", count))
    names = " and ".join(_method_name(answer, method) for method in methods)
    return "".join(lines) + f"tokens by {names}\n"


def write_json(answer: Answer) -> str:
    """One object; equal input gives equal bytes."""
    document = {
        "schema": SCHEMA,
        "files": [_entry(answer, one, method) for one in answer.counted for method in answer.question.methods],
        "total": answer.totals,
        "errors": [
            {"path": path_as_wire(problem.name), "problem": path_as_wire(problem.problem)}
            for problem in answer.problems
        ],
    }
    is_ascii = sys.stdout is None or sys.stdout.encoding.lower().replace("-", "") != "utf8"
    text = json.dumps(document, ensure_ascii=is_ascii, indent=1) + "\n"
    return UNFIT.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _entry(answer: Answer, one: Counted, method: str) -> Mapping[str, Any]:
    entry = {
        "path": path_as_wire(one.name),
        "kind": one.kind,
        "bytes": one.size_bytes,
        "not_utf8": one.not_utf8,
        "tokens": one.tokens[method],
        "method": method,
        "family": answer.question.family.name if method == BOUND else None,
        "reported": [found.as_object() for found in one.reported],
    }
    return entry | ({"session": attrs.asdict(one.transcripts[method])} if one.transcripts else {})


def _method_name(answer: Answer, method: str) -> str:
    return f"the bound of {visible(answer.question.family.name)}" if method == BOUND else "the documented rule"


def _notes(one: Counted) -> Iterator[str]:
    """What else there is to say about a file."""
    for reason in dict.fromkeys(report.reason for report in one.reported):
        rows = [report.row for report in one.reported if report.reason is reason]
        yield f"{reason.value}: {len(rows):,}, the first in message {rows[0]}"
    for method, found in one.transcripts.items():
        by = f" ({method})" if len(one.transcripts) > 1 else ""
        yield f"{found.rows:,} rows; {found.since_boundary:,} tokens since the last boundary{by}"
        if found.sidechain_rows:
            yield f"side chains, not in the total: {found.sidechain_rows:,} rows, {found.sidechain_tokens:,} tokens{by}"
    for found in list(one.transcripts.values())[:1]:
        yield (
            f"{found.lines:,} lines, {found.broken:,} broken; {found.boundaries:,} boundaries, "
            f"{found.attachments:,} attachments"
        )
