"""The audit for a person: whose the window was, then what was found, the worst first, and what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from keel_ref.audit.finding import CHECKS, Finding, Level
from keel_ref.audit.report import Audit
from keel_ref.audit.shares import Share
from keel_ref.cli.context_canvas import Canvas, Line, plain, told
from keel_ref.cli.terminal_text import clipped, visible
from keel_ref.cli.window_words import shown
from keel_ref.units import div_half_up

TOP: Final = 12
"""Sources of one table that are shown; the last line says what the others have."""
MOST: Final = 10
"""Findings of one check that are shown."""
STYLES: Final = {Level.ERROR: "bold red", Level.WARNING: "yellow", Level.NOTE: "cyan"}
PROBLEMS: Final = {
    "broken-line": "lines that are no JSON",
    "not-an-object": "lines that are no objects",
    "joined-lines": "lines with two objects",
    "long-line": "lines that are too long to be read",
    "deep-line": "lines that are nested too deep",
    "incomplete-line": "line that was not written to its end",
    "duplicate-uuid": "rows that stand there twice",
    "no-uuid": "rows without a name",
    "missing-parent": "rows whose parent is not there",
    "unreachable": "stretches that nothing leads to",
    "orphan-result": "results without their call",
    "missing-result": "calls without a result",
    "bad-usage": "answers whose use cannot be read",
    "side-chain": "rows of sub-agents",
    "abandoned-branch": "branches that somebody went back from",
}
"""In words, what is met most often."""


def write_text(audits: Sequence[Audit]) -> str:
    """All of it, in colour where standard output is a terminal that wants it."""
    lines: list[Line] = []
    for found in audits:
        lines += [*([plain("")] if lines else []), *_recording(found)]
    if len(audits) > 1:
        lines += [plain(""), told(f"All {len(audits):,} recordings: {_counts(audits)}", "bold")]
    return Canvas.of_stdout().drawn(lines)


def _recording(found: Audit) -> Iterator[Line]:
    recording, limits, peak = found.recording, found.limits, found.peak
    name = "standard input" if recording.name == "-" else clipped(visible(recording.name))
    model = shown(recording.model) if recording.model else "no model is named"
    yield told(f"{name}", "bold")
    is_sure = "" if found.is_window_known else ", which is assumed (--window says another)"
    yield plain(f"{model}; a window of {limits.window:,} tokens{is_sure}")
    where = f"line {peak.line:,}" if peak.line is not None else "nothing is recorded, so by the estimates"
    if peak.recorded is not None and peak.tokens > peak.recorded:
        where += f"; {peak.recorded:,} were recorded, so the estimates are too high"
    per_mille = div_half_up(1_000 * peak.tokens, limits.window)
    yield plain(f"the peak: {peak.tokens:,} tokens, {_percent(per_mille)} of the window ({where})")
    yield plain("")
    yield from _table("Whose the window was at the peak", found.at_peak)
    yield from _table("What came into it over the session, each piece once", found.over_session)
    yield told(f"Found: {_counts([found])}", "bold")
    yield from _findings(found.findings)
    yield from _left_out(found)


def _table(title: str, shares: Sequence[Share]) -> Iterator[Line]:
    top, rest = shares[:TOP], shares[TOP:]
    yield told(title, "bold")
    for share in top:
        line = "" if share.line is None else f", the largest at line {share.line:,}"
        pieces = f"{share.count:,} {'piece' if share.count == 1 else 'pieces'}{line}"
        words = f"{clipped(visible(share.source))} ({pieces})" if share.line is not None else share.source
        yield plain(f"  {share.tokens:>11,}  {_percent(share.per_mille):>7}  {words}")
    if rest:
        tokens, per_mille = sum(one.tokens for one in rest), sum(one.per_mille for one in rest)
        yield plain(f"  {tokens:>11,}  {_percent(per_mille):>7}  {len(rest):,} more (--json has all)")
    if not shares:
        yield plain("  nothing")
    yield plain("")


def _findings(findings: Sequence[Finding]) -> Iterator[Line]:
    shown_of: Counter[str] = Counter()
    total = Counter(finding.check for finding in findings)
    for finding in findings:
        shown_of[finding.check] += 1
        if shown_of[finding.check] <= MOST:
            head = f"  {finding.level:<8} {finding.check:<4} line {finding.line:,}: "
            yield ((head, STYLES[finding.level]), (clipped(visible(finding.message)), ""))
        elif shown_of[finding.check] == MOST + 1:
            yield plain(f"  and {total[finding.check] - MOST:,} more of {finding.check} (--json has all)")
    if total:
        yield plain("")
        yield told("What to do", "bold")
        for name, check in CHECKS.items():
            if name in total:
                yield plain(f"  {name:<4} ({check.principle}) {check.advice}")


def _left_out(found: Audit) -> Iterator[Line]:
    recording = found.recording
    reasons = Counter(problem.reason for problem in recording.problems)
    rows = [f"{amount:,} {PROBLEMS.get(reason, reason)}" for reason, amount in sorted(reasons.items())]
    rows += [f"{amount:,} attachments ({visible(kind)})" for kind, amount in recording.uncounted.items()]
    if rows:
        yield plain("")
        yield told("What is left out, or could not be taken as it stands", "bold")
        yield from (plain(f"  {clipped(row)}") for row in rows)


def _counts(audits: Sequence[Audit]) -> str:
    amounts = [(sum(found.count(level) for found in audits), level) for level in Level]
    return ", ".join(f"{amount:,} {level}{'' if amount == 1 else 's'}" for amount, level in amounts)


def _percent(per_mille: int) -> str:
    return f"{per_mille // 10:,}.{per_mille % 10} %"
