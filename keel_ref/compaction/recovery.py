"""Why a turn goes on, and when it ends. Spec: CMP-170 to CMP-173."""

from __future__ import annotations

from enum import StrEnum

from attrs import evolve, field, frozen
from attrs.validators import ge

from keel_ref.constants import DEFAULT, Constants


class Outcome(StrEnum):
    """What a request came to."""

    STOP = "stop"
    """The model answered and stopped, perhaps with calls."""
    CUT = "cut"
    """The answer was cut off at the cap of its output."""
    OVERFLOW = "overflow"
    """The request was refused as too long."""
    MEDIA = "media"
    """The request was refused for the size of its media."""


class Next(StrEnum):
    """Why a turn goes on, or how it ends. Spec: CMP-172."""

    NEXT_TURN = "next-turn"
    COLLAPSE_RETRY = "collapse-retry"
    REACTIVE_RETRY = "reactive-retry"
    OUTPUT_ESCALATION = "output-escalation"
    OUTPUT_RECOVERY = "output-recovery"
    STOP_HOOK = "stop-hook"
    TOKEN_BUDGET = "token-budget"
    DONE = "done"
    CUT_ACCEPTED = "cut-accepted"
    OVERFLOW_ERROR = "overflow-error"

    @property
    def goes_on(self) -> bool:
        """Whether another request of the turn follows: the seven reasons."""
        return self not in {Next.DONE, Next.CUT_ACCEPTED, Next.OVERFLOW_ERROR}


@frozen(kw_only=True)
class TurnMarks:
    """What was tried in a turn; each rung is climbed once."""

    has_drained: bool = False
    """Collapse gave what it had staged."""
    has_reacted: bool = False
    """Reactive compaction ran."""
    has_escalated: bool = False
    """The larger slot for the answer was asked for."""
    nudges: int = field(default=0, validator=ge(0))
    """Times the model was told to go on."""


@frozen(kw_only=True)
class Circumstances:
    """What decides beside the outcome."""

    calls: int = 0
    """Calls in the answer."""
    is_capped: bool = False
    """Whether the slot for the answer is the small one."""
    can_drain: bool = False
    """Whether collapse has something staged that frees tokens."""
    can_react: bool = False
    """Whether reactive compaction may run and works."""
    does_hook_block: bool = False
    """Whether a hook of the stop wants the turn to go on."""
    does_budget_go_on: bool = False
    """Whether the token budget wants it (WIN)."""


def decide_next(
    outcome: Outcome, marks: TurnMarks, about: Circumstances, constants: Constants = DEFAULT
) -> tuple[Next, TurnMarks]:
    """Why the turn goes on or ends, and what has been tried then. Spec: CMP-172."""
    match outcome:
        case Outcome.OVERFLOW | Outcome.MEDIA:
            return _after_overflow(outcome, marks, about)
        case Outcome.CUT:
            return _after_cut(marks, about, constants)
        case Outcome.STOP:
            return _after_stop(about), marks


def _after_stop(about: Circumstances) -> Next:
    if about.calls > 0:
        return Next.NEXT_TURN  # [CMP-172] results of tools go back whatever a hook says
    if about.does_hook_block:
        return Next.STOP_HOOK
    return Next.TOKEN_BUDGET if about.does_budget_go_on else Next.DONE


def _after_overflow(outcome: Outcome, marks: TurnMarks, about: Circumstances) -> tuple[Next, TurnMarks]:
    if outcome is Outcome.OVERFLOW and about.can_drain and not marks.has_drained:
        return Next.COLLAPSE_RETRY, evolve(marks, has_drained=True)  # [CMP-170]
    if about.can_react and not marks.has_reacted:
        return Next.REACTIVE_RETRY, evolve(marks, has_reacted=True)  # [CMP-171]
    return Next.OVERFLOW_ERROR, marks  # [CMP-170] hooks of the stop are not asked


def _after_cut(marks: TurnMarks, about: Circumstances, constants: Constants) -> tuple[Next, TurnMarks]:
    if about.is_capped and not marks.has_escalated:
        return Next.OUTPUT_ESCALATION, evolve(marks, has_escalated=True)  # [CMP-173]
    if marks.nudges < constants.cut_output_cap_nudges:
        return Next.OUTPUT_RECOVERY, evolve(marks, nudges=marks.nudges + 1)  # [CMP-173]
    return Next.CUT_ACCEPTED, marks
