"""All checks asked of one recording. Spec: CTX-106, CMP-077."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from attrs import frozen

from keel_ref.audit import budgets, cuts, loops, low_estimates, restoring
from keel_ref.audit.finding import CHECKS, SEVERITY, Finding, Level
from keel_ref.audit.question import Question
from keel_ref.audit.recording import Recording
from keel_ref.audit.shares import Peak, Share, peak_of, shares_at, shares_over
from keel_ref.window.limits import Limits

ASKED: Final[Mapping[str, Callable[[Question], Iterator[Finding]]]] = MappingProxyType(
    {
        "A1": budgets.a1_one_source,
        "A2": budgets.a2_large_results,
        "A3": budgets.a3_large_messages,
        "A4": budgets.a4_restored,
        "A5": budgets.a5_overdue,
        "A6": restoring.a6_read_again,
        "A7": restoring.a7_no_room,
        "A8": cuts.a8_silent_cuts,
        "A9": cuts.a9_no_place,
        "A10": cuts.a10_no_summary,
        "A11": loops.a11_repeated_calls,
        "A12": loops.a12_refills,
        "A13": loops.a13_failed_requests,
        "A14": low_estimates.a14_low_estimates,
    }
)
"""What answers each check."""
_ORDER: Final = {name: place for place, name in enumerate(CHECKS)}


@frozen(kw_only=True)
class Audit:
    """What was found in one recording."""

    recording: Recording
    limits: Limits
    is_window_known: bool
    peak: Peak
    at_peak: tuple[Share, ...]
    over_session: tuple[Share, ...]
    findings: tuple[Finding, ...]
    """The worst first, then in the order of the checks and of the file."""

    def count(self, level: Level) -> int:
        """Findings of that level."""
        return sum(finding.level is level for finding in self.findings)


def audit(recording: Recording, limits: Limits, *, is_window_known: bool) -> Audit:
    """Ask every check of a recording. Pure: equal input gives equal findings. Spec: CTX-106."""
    peak = peak_of(recording)
    shares = shares_at(recording, peak)
    asked = Question(recording=recording, limits=limits, is_window_known=is_window_known, peak=peak, shares=shares)
    found = [finding for ask in ASKED.values() for finding in ask(asked)]
    return Audit(
        recording=recording,
        limits=limits,
        is_window_known=is_window_known,
        peak=peak,
        at_peak=shares,
        over_session=shares_over(recording),
        findings=tuple(sorted(found, key=_place)),
    )


def reaches(audits: Sequence[Audit], level: Level) -> bool:
    """Whether anything found is as bad as that level, or worse."""
    return any(SEVERITY[one.level] >= SEVERITY[level] for found in audits for one in found.findings)


def _place(finding: Finding) -> tuple[int, int, int]:
    return -SEVERITY[finding.level], _ORDER[finding.check], finding.line
