"""Long pauses between two responses, behind which caches have expired. Rule S8."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from keel_ref.session.cache import LONG_MS
from keel_ref.session.timeline import Step
from keel_ref.transcript.log import LogRow

_MINUTE_MS = 60_000


@frozen(kw_only=True)
class Pause:
    """An hour or more between a response and the one before."""

    before_response: int
    line: int
    minutes: int
    """Whole ones."""


def find_pauses(steps: Sequence[Step], rows: Sequence[LogRow]) -> tuple[Pause, ...]:
    """Every pause, in the order of the conversation; times that run backwards are none."""
    return tuple(_pauses(steps, rows))


def _pauses(steps: Sequence[Step], rows: Sequence[LogRow]) -> Iterator[Pause]:
    last_ms: int | None = None
    for step in steps:
        if step.response is None:
            return
        first = rows[step.response.rows[0]]
        if first.at_ms is not None and last_ms is not None and first.at_ms - last_ms >= LONG_MS:
            minutes = (first.at_ms - last_ms) // _MINUTE_MS
            yield Pause(before_response=step.number, line=first.line, minutes=minutes)
        last_ms = rows[step.response.rows[-1]].at_ms
