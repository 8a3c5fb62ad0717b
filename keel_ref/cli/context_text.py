"""The answer of `keel-ref context` for a person: the grid, the categories, and what is in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from keel_ref.cli.context_canvas import Canvas, Line, plain, told
from keel_ref.cli.context_found import Answer, List, SourceKind
from keel_ref.cli.terminal_text import clipped, visible
from keel_ref.cli.window_words import report_line, shown
from keel_ref.context.categories import Category
from keel_ref.context.message_parts import Part

TOP: Final = 12
"""Rows of one list that are shown; the last line says how much the others hold."""
TITLES: Final = {
    SourceKind.SESSION: "What the next turn of {} holds",
    SourceKind.REQUEST: "What the request {} holds",
    SourceKind.FOLDER: "What a session in {} begins with",
}
PARTS: Final = {
    Part.TOOL_CALL: "calls of tools",
    Part.TOOL_RESULT: "results of tools",
    Part.ATTACHMENT: "attachments",
    Part.ASSISTANT: "the model's words",
    Part.USER: "your words",
}
Row = tuple[int, str]
"""Tokens, and whose they are."""


def write_text(answer: Answer) -> str:
    """All of it, in colour where standard output is a terminal that wants it."""
    canvas = Canvas.of_stdout()
    return canvas.drawn([*_head(answer), *canvas.grid(answer.report), *_lists(answer), *_remarks(answer)])


def _head(answer: Answer) -> Iterator[Line]:
    report, found = answer.report, answer.found
    name = "standard input" if found.name == "-" else clipped(visible(found.name))
    yield told(TITLES[found.kind].format(name), "bold")
    model = shown(answer.model) if answer.model else "no model is named"
    yield plain(f"{model}: {report.total:,} of {report.maximum:,} tokens ({report.percentage} %)")
    yield plain("")


def _lists(answer: Answer) -> Iterator[Line]:
    """Each list that has something to show."""
    found, holdings = answer.found, answer.found.holdings
    parts = [(getattr(holdings.messages, part), words) for part, words in PARTS.items()]
    yield from _list("Messages, by kind", [row for row in parts if row[0]])
    yield from _list(
        "Messages, by tool", [(one.tokens, _tool_words(one.name, one.calls, one.results)) for one in found.tools]
    )
    yield from _list("Attachments, by kind", [(row.tokens, f"{row.name} ({row.count:,})") for row in found.attachments])
    yield from _list("Memory files", [(row.tokens, f"{row.path} ({row.type})") for row in holdings.memory_files])
    sections = [(row.tokens, row.name or "(before the first heading)") for row in holdings.system_prompt]
    yield from _list("System prompt, by section", sections)
    by_size = sorted(holdings.tools, key=lambda tool: (-tool.tokens, tool.name))
    tools = [(tool.tokens, tool.name if tool.counts else f"{tool.name} (deferred, not counted)") for tool in by_size]
    yield from _list("Definitions of tools", tools)
    yield from _list("Custom agents", [(row.tokens, row.name) for row in holdings.agents])
    yield from _list("Skills", [(row.tokens, row.name) for row in holdings.skills])
    if answer.is_known(List.MEMORY_FILES) and not holdings.memory_files and found.kind is SourceKind.FOLDER:
        yield told("Memory files", "bold")
        yield plain("  none loads here")
        yield plain("")


def _list(title: str, rows: Sequence[Row]) -> Iterator[Line]:
    """A title and its rows; of a long list the first ones."""
    if not rows:
        return
    top, rest = rows[:TOP], rows[TOP:]
    lines = [*top, *([(sum(tokens for tokens, _ in rest), f"in {len(rest):,} more (--json has all)")] if rest else [])]
    yield told(title, "bold")
    for tokens, words in lines:
        yield plain(f"  {tokens:>9,}  {clipped(visible(words))}")
    yield plain("")


def _tool_words(name: str | None, calls: int, results: int) -> str:
    if name is None:
        return f"(a tool whose call cannot be seen): {_count(results, 'result')}"
    return f"{name}: {_count(calls, 'call')}, {_count(results, 'result')}"


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _remarks(answer: Answer) -> Iterator[Line]:
    """What is recorded, what cannot be told, and what decided the window."""
    yield from _block("What is recorded", _recorded(answer))
    by_why = {gap.why: [other.what for other in answer.gaps if other.why == gap.why] for gap in answer.gaps}
    yield from _block("What cannot be told", [f"{', '.join(what)}: {why}" for why, what in by_why.items()])
    counted = Counter(str(one.get("reason")) for one in answer.found.reported)
    odd = [f"{reason}: {_count(number, 'time')}" for reason, number in sorted(counted.items())]
    yield from _block("What could not be taken as it stands", odd)
    values = [report_line(one, answer.limits, answer.env) for one in answer.limits.reports]
    yield from _block("What decided the window", values)
    yield plain("Amounts are estimates by the documented rule, which is too low for most text.")
    for note in answer.found.notes:
        yield plain(note)


def _recorded(answer: Answer) -> Iterator[str]:
    """The record beside the estimates. Spec: CTX-107."""
    report, recorded = answer.report, answer.found.holdings.recorded
    if recorded is None:
        return
    unattributed = _unattributed(answer)
    seen = report.total - unattributed
    yield f"{recorded:,} tokens by the record; the estimates of what can be seen are {seen:,}"
    if report.excess:
        yield f"so the estimates are {report.excess:,} too high, and the total above is theirs"
        return
    growth = answer.found.first_growth
    if unattributed and growth is not None:
        first = min(growth, unattributed)
        yield f"{first:,} of what is not attributed were there at the first response: system prompt and tools"
        if unattributed > first:
            yield f"{unattributed - first:,} came later: by so much the estimates are too low"


def _unattributed(answer: Answer) -> int:
    return sum(share.tokens for share in answer.report.categories if share.name == Category.UNATTRIBUTED)


def _block(title: str, lines: Iterable[str]) -> Iterator[Line]:
    rows = list(lines)
    if rows:
        yield told(title, "bold")
        yield from (plain(f"  {clipped(visible(row))}") for row in rows)
        yield plain("")
