"""P-5: whether the estimates were below what was recorded. Spec: EST-001, EST-016."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from attrs import frozen

from keel_ref.audit.finding import Finding, Level
from keel_ref.audit.question import LINES_SHOWN, Question
from keel_ref.units import div_floor

FAR_PERCENT: Final = 75
"""Of what was recorded; estimates below this share are far too low."""
LEAST_GROWTH_TOKENS: Final = 100
"""A smaller growth between two answers says nothing: each message costs some tokens that no estimate counts."""


@frozen(kw_only=True)
class Span:
    """What came into the window between two answers."""

    line: int
    """The first row of the later answer."""
    recorded: int
    """By how much the recorded use grew, without the earlier answer's output."""
    estimated: int
    """What the rows between the two cost by the documented rule."""


def spans_of(asked: Question) -> Iterator[Span]:
    """Each stretch between two answers with recorded use and no compaction between them. Spec: EST-016, EST-017."""
    for start, end in asked.segments():
        known = [one for one in asked.responses(start, end) if one.sent]
        for one, other in pairwise(known):
            steps = asked.recording.steps[one.start + 1 : other.start]
            estimated = sum(piece.tokens for step in steps if step.response is None for piece in step.pieces)
            yield Span(line=other.line, recorded=other.sent - one.total, estimated=estimated)


def a14_low_estimates(asked: Question) -> Iterator[Finding]:
    """What was recorded over all stretches, and what the documented rule made of them. Spec: EST-001."""
    judged = [span for span in spans_of(asked) if span.recorded >= LEAST_GROWTH_TOKENS]
    recorded, estimated = sum(span.recorded for span in judged), sum(span.estimated for span in judged)
    low = [span for span in judged if span.estimated < span.recorded]
    if not low or estimated >= recorded:
        return
    worst = max(low, key=lambda span: (span.recorded - span.estimated, -span.line))
    percent = div_floor(100 * estimated, recorded)
    yield Finding(
        check="A14",
        level=Level.WARNING if percent < FAR_PERCENT else Level.NOTE,
        line=worst.line,
        message=f"the documented rule made {estimated:,} of {recorded:,} recorded tokens ({percent} %); "
        f"at worst {worst.estimated:,} of {worst.recorded:,}",
        evidence={
            "estimated": estimated,
            "recorded": recorded,
            "stretches": len(judged),
            "too_low": len(low),
            "lines": [span.line for span in low[:LINES_SHOWN]],
        },
    )
