"""The answer of `keel-ref verify`, for a person and for a program."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from keel_ref.cli.memory_json import UNFIT
from keel_ref.cli.terminal_text import clipped, visible
from keel_ref.conformance.functions_memory import path_as_wire
from keel_ref.recording.findings import Finding, Report, Said, Verdict

SCHEMA: Final = "keel-verify/1"
CELL: Final = 44
"""Columns of one value at most; `--json` has all of it."""
HEAD: Final = ("", "what", "predicted", "recorded", "clause")


def report_json(name: str, report: Report) -> str:
    """One object; equal input gives equal bytes. ASCII, since anybody may have written what is in it."""
    window = report.window
    document = {
        "schema": SCHEMA,
        "session": path_as_wire(name),
        "rows": report.rows,
        "requests": report.passes,
        "boundaries": report.boundaries,
        "broken": list(report.broken),
        "window": {
            "model": window.model,
            "tokens": window.window,
            "auto": window.auto,
            "assumed": window.is_assumed,
            "why": window.why,
        },
        "verdicts": {str(verdict): report.count(verdict) for verdict in Verdict},
        "findings": [_finding(one) for one in report.findings],
        "notes": list(report.notes),
    }
    text = json.dumps(document, indent=1) + "\n"
    return UNFIT.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _finding(one: Finding) -> dict[str, Said]:
    return {
        "rule": str(one.rule),
        "clause": one.clause,
        "line": one.line,
        "about": one.about,
        "predicted": one.predicted,
        "recorded": one.recorded,
        "verdict": str(one.verdict),
        "why": one.why or None,
    }


def report_text(name: str, report: Report) -> str:
    """A table, and below it what is behind it."""
    return "".join(f"{line}\n" for line in _lines(name, report))


def _lines(name: str, report: Report) -> Iterator[str]:
    window = report.window
    counts = ((report.rows, "row", "rows"), (report.passes, "request", "requests"))
    numbers = [_counted(*one) for one in (*counts, (report.boundaries, "boundary", "boundaries"))]
    yield f"{clipped(visible(name))}: {', '.join(numbers)}"
    model = "an unnamed model" if window.model is None else clipped(visible(window.model))
    yield f"window {window.window:,} of {model}, compaction due from {window.auto:,} on"
    yield f"  {visible(window.why)}"
    yield ""
    yield from _table(report.findings)
    yield ""
    yield ", ".join(f"{report.count(verdict):,} {words}" for verdict, words in _SUMS.items())
    for verdict in (Verdict.DIFFERS, Verdict.UNKNOWN):
        whys = dict.fromkeys(one.why for one in report.findings if one.verdict is verdict and one.why)
        yield from (f"{verdict}: {visible(why)}" for why in whys)
    yield from map(visible, report.notes)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


_SUMS: Final = {Verdict.EXACT: "exact", Verdict.DIFFERS: "different", Verdict.UNKNOWN: "unknown"}


def _table(findings: Sequence[Finding]) -> Iterator[str]:
    rows = [HEAD, *map(_cells, findings)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEAD))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _cells(one: Finding) -> tuple[str, ...]:
    clause = one.clause if one.line is None else f"{one.clause}, line {one.line:,}"
    return str(one.verdict), one.about, _said(one.predicted), _said(one.recorded), f"{one.rule} {clause}"


def _said(value: Said) -> str:
    if value is None:
        return "unknown"
    return f"{value:,}" if isinstance(value, int) else _clipped(visible(value))


def _clipped(text: str) -> str:
    """The end of what is long: of a path it says most."""
    return text if len(text) <= CELL else f"…{text[1 - CELL :]}"
