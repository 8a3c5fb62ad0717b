"""Where compactions began, and where none did: the recorded course against the thresholds.

Rules V1 to V4 and V7 of spec/guides/recordings.md. Spec: CMP-070, CMP-071, CMP-073, CMP-076, CMP-078, EST-016.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from attrs import define, field

from keel_ref.choices import Choices, Gates, RefillGuard
from keel_ref.compaction.breakers import Breaker, breaker_family
from keel_ref.compaction.due import Ask, is_blocked, is_due, why_declined
from keel_ref.compaction.refill import RefillGuard as Guard
from keel_ref.compaction.trace import Why
from keel_ref.recording.course import Boundary, Event, Orphan, Pass
from keel_ref.recording.findings import Finding, Rule, Said, Verdict, compared
from keel_ref.recording.truth import SeenAttempt, Truth
from keel_ref.window.limits import Limits
from keel_ref.window.reports import ValueReason
from keel_ref.window.variables import Variable

LimitsOf = Callable[[str | None], Limits]
"""The limits of a session while a model answers."""

MAIN: Final = "repl_main_thread"
"""Who asks for the requests of a main file; it does not say so itself."""
CLAUSES: Final = {
    Why.COMPACT_DISABLED: "WIN-018",
    Why.AUTO_OFF: "WIN-018",
    Why.BREAKER_OPEN: "CMP-073",
    Why.REACTIVE_ONLY: "CMP-171",
    Why.COLLAPSE_ON: "CMP-070",
}
"""The clause behind each reason to try nothing."""
WENT_ON: Final = "no boundary, went on"
STOPPED: Final = "no boundary, ended with an error"


@define
class _Judge:
    limits_of: LimitsOf
    truth: Truth
    gates: Gates
    choices: Choices
    breaker: Breaker = field(factory=lambda: breaker_family()["auto_compact"].breaker)
    guard: Guard = field(factory=Guard)
    attempts: list[SeenAttempt] | None = field(init=False)
    """Those that are still to come; None: nobody saw any."""
    is_compacted: bool = False
    quiet: int = 0
    """Requests below the threshold, none of which began with a compaction."""

    def __attrs_post_init__(self) -> None:
        self.attempts = None if self.truth.attempts is None else list(self.truth.attempts)

    def boundary(self, at: Boundary) -> Iterator[Finding]:
        """V1 and V2, and the attempt that it was."""
        yield _size(at)
        limits = self.limits_of(at.model)
        if at.trigger == "auto":
            yield self._threshold(at, limits)
            self.guard = self.guard.due()
            if self.choices.refill_guard is RefillGuard.ON and self.guard.is_tripped():
                yield self._against(at, "CMP-076", "the turn ends: three compactions refilled at once")
            elif self.breaker.is_open:
                yield self._against(at, "CMP-073", "no attempt: the breaker is open")
            self.guard = self.guard.compacted()
            self.breaker = self.breaker.succeed()
        self.is_compacted = at.trigger != "manual"
        yield from self._succeeded(at)

    def passed(self, at: Pass) -> Iterator[Finding]:
        """V3: a request that no boundary stands before."""
        was_compacted, self.is_compacted = self.is_compacted, False
        if not was_compacted:
            yield from self._uncompacted(at)
        if not at.is_error:
            self.guard = self.guard.sent()

    def ended(self, course: Sequence[Event]) -> Iterator[Finding]:
        """What is left when the record is over."""
        if self.quiet:
            yield Finding(
                rule=Rule.PASSES,
                clause="CMP-071",
                about="requests below the threshold",
                predicted=f"no compaction in {self.quiet:,}",
                recorded=f"no compaction in {self.quiet:,}",
                verdict=Verdict.EXACT,
            )
        if self.attempts:
            yield Finding(
                rule=Rule.ATTEMPTS,
                clause="CMP-071",
                about="attempts that were seen",
                predicted=f"{len(self.attempts):,} fewer",
                recorded=len(self.truth.attempts or ()),
                verdict=Verdict.DIFFERS,
                why="the record shows no place at which the others were due",
            )
        yield from _listed(course, self.truth)

    def _threshold(self, at: Boundary, limits: Limits) -> Finding:
        used = at.size.tokens if at.recorded is None else at.recorded
        is_reached = is_due(limits, used)
        lowered = [report.name for report in limits.reports if report.reason is ValueReason.LOWERED]
        why = "" if is_reached else "another window, a lowered threshold, or a request that was refused as too long"
        return Finding(
            rule=Rule.THRESHOLD,
            clause="WIN-014" if Variable.PERCENTAGE in lowered else "WIN-013",
            about=f"threshold at boundary {at.number}",
            predicted=f"due from {limits.auto:,} on",
            recorded=f"began at {used:,}",
            verdict=Verdict.EXACT if is_reached else Verdict.UNKNOWN if self.gates.reactive else Verdict.DIFFERS,
            line=at.line,
            why=why,
        )

    def _against(self, at: Boundary, clause: str, predicted: str) -> Finding:
        return Finding(
            rule=Rule.PASSES,
            clause=clause,
            about=f"boundary {at.number}",
            predicted=predicted,
            recorded="compacted",
            verdict=Verdict.DIFFERS,
            line=at.line,
        )

    def _succeeded(self, at: Boundary) -> Iterator[Finding]:
        """The attempt that was seen has to be one that succeeded."""
        if self.attempts is None:
            return
        seen = self.attempts.pop(0) if self.attempts else None
        yield Finding(
            rule=Rule.ATTEMPTS,
            clause="CMP-074",
            about=f"attempt of boundary {at.number}",
            predicted="succeeded",
            recorded="none seen" if seen is None else "succeeded" if seen.is_success else "failed",
            verdict=Verdict.EXACT if seen is not None and seen.is_success else Verdict.DIFFERS,
            line=at.line,
        )

    def _uncompacted(self, at: Pass) -> Iterator[Finding]:
        limits = self.limits_of(at.model)
        ask = Ask(limits=limits, gates=self.gates, source=MAIN, is_breaker_open=self.breaker.is_open)
        declined = why_declined(ask)
        used = at.size.tokens
        if declined is None and not is_due(limits, used):
            self.quiet += 1
            return
        if declined is not None:
            if is_due(limits, used) or is_blocked(ask, used):
                yield self._declined(at, ask, declined)
            else:
                self.quiet += 1
            return
        self.guard = self.guard.due()
        if self.choices.refill_guard is RefillGuard.ON and self.guard.is_tripped():
            yield _pass(at, "CMP-076", STOPPED, "the refill guard")
            return
        yield self._attempted(at, ask)

    def _declined(self, at: Pass, ask: Ask, why: Why) -> Finding:
        if is_blocked(ask, at.size.tokens):
            return _pass(at, "CMP-078", STOPPED, f"{why}, and the blocking limit")
        return _pass(at, CLAUSES[why], WENT_ON, str(why))

    def _attempted(self, at: Pass, ask: Ask) -> Finding:
        """A request that was due: one attempt, which must have failed since there is no boundary."""
        if self.attempts is None:
            return _pass(
                at,
                "CMP-071",
                None,
                "an attempt was due; one that failed (CMP-074), an open breaker (CMP-073), a switch (WIN-018) and "
                "another window leave nothing in the file: --truth with attempts, or --env and --window, say which",
            )
        if not self.attempts or self.attempts[0].is_success:
            return _pass(at, "CMP-071", "an attempt", "no attempt was seen where one was due")
        self.attempts.pop(0)
        self.breaker = self.breaker.fail()
        is_end = is_blocked(ask, at.size.tokens)
        clause = "CMP-078" if is_end else "CMP-074"
        return _pass(at, clause, STOPPED if is_end else WENT_ON, "an attempt was made, and failed")


def judge(
    course: Sequence[Event], limits_of: LimitsOf, truth: Truth, *, gates: Gates, choices: Choices
) -> tuple[Finding, ...]:
    """V1 to V4 and V7, in the order of the record. Spec: CMP-070, CMP-071."""
    one = _Judge(limits_of=limits_of, truth=truth, gates=gates, choices=choices)
    found: list[Finding] = []
    for event in course:
        match event:
            case Boundary():
                found += one.boundary(event)
            case Pass():
                found += one.passed(event)
            case Orphan():
                found.append(_orphan(event))
    return (*found, *one.ended(course))


def _size(at: Boundary) -> Finding:
    """V1. Spec: EST-016, CMP-150."""
    verdict = compared(at.size.tokens, at.recorded)
    why = ""
    if at.recorded is None:
        why = "the boundary does not say it; only newer records do"
    elif verdict is Verdict.DIFFERS and not at.size.is_measured:
        verdict = Verdict.UNKNOWN
        why = "no usage is recorded since the boundary before, so system prompt and tools are missing from the estimate"
    elif verdict is Verdict.DIFFERS and not at.size.is_whole:
        verdict = Verdict.UNKNOWN
        why = "attachments came after the last usage, and the file does not say how the client shows them"
    return Finding(
        rule=Rule.SIZE,
        clause="EST-016",
        about=f"tokens at boundary {at.number}",
        predicted=at.size.tokens,
        recorded=at.recorded,
        verdict=verdict,
        line=at.line,
        why=why,
    )


def _pass(at: Pass, clause: str, predicted: str | None, why: str) -> Finding:
    recorded: Said = STOPPED if at.is_error else WENT_ON
    return Finding(
        rule=Rule.PASSES,
        clause=clause,
        about=f"request at {at.size.tokens:,}",
        predicted=predicted,
        recorded=recorded,
        verdict=compared(predicted, recorded),
        line=at.line,
        why=why,
    )


def _orphan(at: Orphan) -> Finding:
    """V7. Spec: CMP-152."""
    return Finding(
        rule=Rule.SHAPE,
        clause="CMP-152",
        about="summary",
        predicted="behind a boundary",
        recorded="without one",
        verdict=Verdict.DIFFERS,
        line=at.line,
        why="the boundary was lost, or the file was put together",
    )


def _listed(course: Sequence[Event], truth: Truth) -> Iterator[Finding]:
    """V4: the boundaries of the file against those that were seen."""
    if truth.boundaries is None:
        return
    held = [(event.trigger, event.recorded) for event in course if isinstance(event, Boundary)]
    yield Finding(
        rule=Rule.ATTEMPTS,
        clause="CMP-150",
        about="boundaries of the file, and those seen",
        predicted=_spelled(held),
        recorded=_spelled(truth.boundaries),
        verdict=Verdict.EXACT if held == list(truth.boundaries) else Verdict.DIFFERS,
    )


def _spelled(boundaries: Sequence[tuple[str | None, int | None]]) -> str:
    parts = [f"{trigger or 'unknown'} {'unknown' if at is None else format(at, ',')}" for trigger, at in boundaries]
    return "; ".join(parts) or "none"
