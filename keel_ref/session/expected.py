"""What the turn machine would have done before each response, and where the record differs. Rule S7."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from attrs import define, evolve, field, frozen

from keel_ref.choices import Gates
from keel_ref.compaction.breakers import FAMILY, Breaker
from keel_ref.compaction.due import Ask, is_blocked, is_due, why_declined
from keel_ref.compaction.refill import RefillGuard
from keel_ref.session.timeline import Step, errors_of
from keel_ref.transcript.log import LogRow
from keel_ref.window.limits import Limits

SOURCE: Final = "repl_main_thread"
"""Who asks in the main file; the record does not say it."""
_ENOUGH: Final = 1_000
"""Requests behind a compaction that are counted; the guard asks for fewer."""


class Act(StrEnum):
    """What happens to a request."""

    SEND = "send"
    COMPACT = "compact"
    REFUSE = "refuse"
    """The context is too large, and nothing makes it smaller."""
    STOP = "stop"
    """Compactions fill up again at once, so the session ends."""


@frozen(kw_only=True)
class Difference:
    """Where the record is not what the machine would have done."""

    before_response: int
    """One more than there are: behind the last."""
    line: int | None
    expected: Act
    recorded: Act
    tokens: int
    """The context of which that was decided."""
    clause: str
    why: str


@frozen(kw_only=True)
class Course:
    """The acts, one for each step, and the differences."""

    acts: tuple[Act, ...]
    differences: tuple[Difference, ...]
    next_act: Act
    """What the next request would meet."""


def expect(steps: Sequence[Step], rows: Sequence[LogRow], limits: Limits, gates: Gates) -> Course:
    """Follow the record; where it differs, go on as it did. Spec: CMP-070, CMP-071, CMP-073, CMP-076, CMP-078."""
    machine = _Machine(limits=limits, gates=gates, breaker=FAMILY["auto_compact"].breaker)
    acts: list[Act] = []
    differences: list[Difference] = []
    for step in steps:
        act, found = machine.take(step, rows)
        acts.append(act)
        differences += found
    return Course(acts=tuple(acts), differences=tuple(differences), next_act=acts[-1] if acts else Act.SEND)


@define
class _Machine:
    limits: Limits
    gates: Gates
    breaker: Breaker
    guard: RefillGuard = field(factory=RefillGuard)

    def take(self, step: Step, rows: Sequence[LogRow]) -> tuple[Act, Sequence[Difference]]:
        """One step: what would happen, and what did."""
        if not step.cuts and self._is_quiet(step.size_tokens):  # nearly every step
            self.guard = self._after_request(step)
            return Act.SEND, ()
        act = Act.SEND
        found: list[Difference] = []
        for cut in step.cuts:
            if cut.boundary.trigger == "manual":
                self.breaker = self.breaker.succeed()  # [CMP-079] nobody asks the threshold
                continue
            act = self._decide(cut.size_tokens)
            if act is not Act.COMPACT:
                found.append(self._early(step, rows[cut.place].line, cut.size_tokens, act))
            self._judge_refill(cut.size_tokens)
            self.guard, self.breaker = self.guard.compacted(), self.breaker.succeed()
            act = Act.COMPACT
        if not step.cuts or step.cuts[-1].boundary.trigger == "manual":
            act = self._decide(step.size_tokens)
            found += self._missing(step, rows, act)
        self.guard = self._after_request(step)
        return act, found

    def _is_quiet(self, size: int) -> bool:
        return size < min(self.limits.auto, self.limits.blocking)

    def _after_request(self, step: Step) -> RefillGuard:
        since = self.guard.requests_since
        return self.guard if step.response is None or since is None or since > _ENOUGH else self.guard.sent()

    def _ask(self) -> Ask:
        return Ask(limits=self.limits, gates=self.gates, source=SOURCE, is_breaker_open=self.breaker.is_open)

    def _decide(self, size: int) -> Act:
        ask = self._ask()
        if why_declined(ask) is None and is_due(self.limits, size):
            return Act.STOP if self.guard.due().is_tripped() else Act.COMPACT
        return Act.REFUSE if is_blocked(ask, size) else Act.SEND

    def _judge_refill(self, size: int) -> None:
        if is_due(self.limits, size):
            self.guard = self.guard.due()

    def _early(self, step: Step, line: int, size: int, act: Act) -> Difference:
        why = {
            Act.STOP: "compactions had filled up at once so often that no further one was to be tried",
            Act.REFUSE: "automatic compaction is off, or had failed too often, so the request was to be refused",
        }.get(act, f"{size:,} tokens are below the threshold of {self.limits.auto:,}, or automatic compaction is off")
        return Difference(
            before_response=step.number,
            line=line,
            expected=act,
            recorded=Act.COMPACT,
            tokens=size,
            clause="CMP-076" if act is Act.STOP else "CMP-071",
            why=why,
        )

    def _missing(self, step: Step, rows: Sequence[LogRow], act: Act) -> Iterator[Difference]:
        """A step without a boundary that was due for one, or for an end."""
        errors = errors_of(step, rows)
        is_over = step.response is None
        if is_over and not errors:
            return  # the next request has not been made
        recorded = Act.STOP if is_over else Act.SEND
        line = rows[errors[0]].line if is_over else rows[step.response.rows[0]].line if step.response else None
        match act:
            case Act.COMPACT:
                self._judge_refill(step.size_tokens)
                self.breaker = self.breaker.fail()
                yield Difference(
                    before_response=step.number,
                    line=line,
                    expected=act,
                    recorded=recorded,
                    tokens=step.size_tokens,
                    clause="CMP-071",
                    why=f"{step.size_tokens:,} tokens had reached the threshold of {self.limits.auto:,}, and no "
                    "boundary follows: the attempt failed, which leaves nothing in the file, or the session "
                    "had another window, or automatic compaction was off",
                )
                if self._would_refuse(step.size_tokens) and not is_over:
                    yield self._sent_anyway(step, line)
            case Act.REFUSE if not is_over:
                yield self._sent_anyway(step, line)
            case Act.STOP if not is_over:
                yield Difference(
                    before_response=step.number,
                    line=line,
                    expected=act,
                    recorded=recorded,
                    tokens=step.size_tokens,
                    clause="CMP-076",
                    why="compactions had filled up at once three times in a row, and the session went on",
                )
                self.guard = evolve(self.guard, rises=0, requests_since=None)
            case _:
                return

    def _would_refuse(self, size: int) -> bool:
        return is_blocked(self._ask(), size)

    def _sent_anyway(self, step: Step, line: int | None) -> Difference:
        return Difference(
            before_response=step.number,
            line=line,
            expected=Act.REFUSE,
            recorded=Act.SEND,
            tokens=step.size_tokens,
            clause="CMP-078",
            why=f"{step.size_tokens:,} tokens had reached the limit of {self.limits.blocking:,}, from which no request "
            "is sent, and an answer follows: the session had another window, or the limit was raised",
        )
