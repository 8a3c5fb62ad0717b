"""The audit for a program: schema keel-audit/1."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from keel_ref.audit.finding import CHECKS, Finding, Level
from keel_ref.audit.report import Audit
from keel_ref.audit.shares import Share
from keel_ref.cli.memory_json import UNFIT
from keel_ref.conformance.functions_memory import path_as_wire

SCHEMA: Final = "keel-audit/1"


def write_json(audits: Sequence[Audit]) -> str:
    """One object; equal input gives equal bytes."""
    return as_text(report_as_json(audits))


def as_text(value: Mapping[str, Any]) -> str:
    """JSON that every terminal and stream takes."""
    is_ascii = sys.stdout is None or (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    text = json.dumps(value, ensure_ascii=is_ascii, indent=1) + "\n"
    return UNFIT.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def report_as_json(audits: Sequence[Audit]) -> Mapping[str, Any]:
    """The whole report, in plain values."""
    return {
        "schema": SCHEMA,
        "checks": [
            {
                "name": check.name,
                "principle": check.principle,
                "clauses": list(check.clauses),
                "title": check.title,
                "advice": check.advice,
            }
            for check in CHECKS.values()
        ],
        "recordings": [_recording(found) for found in audits],
        "counts": {str(level): sum(found.count(level) for found in audits) for level in Level},
    }


def _recording(found: Audit) -> Mapping[str, Any]:
    recording, limits, peak = found.recording, found.limits, found.peak
    reasons = Counter(problem.reason for problem in recording.problems)
    return {
        "file": path_as_wire(recording.name),
        "model": recording.model,
        "window": limits.window,
        "window_known": found.is_window_known,
        "auto": limits.auto,
        "blocking": limits.blocking,
        "responses": len(recording.responses),
        "compactions": sum(1 for _ in recording.boundaries()),
        "peak": {"line": peak.line, "tokens": peak.tokens, "recorded": peak.recorded},
        "at_peak": [_share(share) for share in found.at_peak],
        "over_session": [_share(share) for share in found.over_session],
        "findings": [_finding(recording.name, finding) for finding in found.findings],
        "left_out": {
            "reasons": dict(sorted(reasons.items())),
            "lines": [{"line": problem.line, "reason": problem.reason} for problem in recording.problems],
            "attachments": dict(recording.uncounted),
        },
    }


def _share(share: Share) -> Mapping[str, Any]:
    return {
        "source": share.source,
        "tokens": share.tokens,
        "per_mille": share.per_mille,
        "count": share.count,
        "largest_line": share.line,
    }


def _finding(name: str, finding: Finding) -> Mapping[str, Any]:
    check = CHECKS[finding.check]
    return {
        "check": check.name,
        "level": str(finding.level),
        "principle": check.principle,
        "clauses": list(check.clauses),
        "file": path_as_wire(name),
        "line": finding.line,
        "message": finding.message,
        "evidence": dict(finding.evidence),
    }
