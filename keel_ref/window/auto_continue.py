"""Whether a turn goes on by itself when the model stops, until its budget is spent. Spec: WIN-042 to WIN-046."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from attrs import field, frozen
from attrs.validators import ge

from keel_ref.constants import DEFAULT, Constants
from keel_ref.units import div_half_up

FULL_PERCENT = 100


class Verdict(StrEnum):
    """What was decided, and why (errors.json, `continuations`). Spec: WIN-042 to WIN-044."""

    GATE_OFF = "gate-off"
    SUB_AGENT = "sub-agent"
    NO_BUDGET = "no-budget"
    DIMINISHING = "diminishing"
    BUDGET_REACHED = "budget-reached"
    BELOW_BUDGET = "below-budget"


@frozen(kw_only=True)
class Progress:
    """What is remembered of a turn from one stop of the model to the next. Spec: WIN-045."""

    continuations: int = field(default=0, validator=ge(0))
    """How often the turn went on by itself."""
    last_increment: int = 0
    """Tokens that were added between the last two stops."""
    last_total: int = field(default=0, validator=ge(0))
    """Tokens of the turn at the last stop."""


@frozen(kw_only=True)
class Decision:
    """What happens at one stop of the model."""

    verdict: Verdict
    """What was decided, and why."""
    percent: int | None = None
    """How much of the budget is spent, rounded half up; what a nudge or a completion says. None without a budget."""
    is_completion: bool = False
    """Whether a stop is told as the end of a turn that went on by itself."""
    progress: Progress
    """What is remembered from here on."""

    @property
    def is_continued(self) -> bool:
        """Whether the model is asked to go on."""
        return self.verdict is Verdict.BELOW_BUDGET


def decide(
    total: int,
    progress: Progress,
    *,
    budget: int | None,
    is_gate_on: bool,
    is_sub_agent: bool = False,
    constants: Constants = DEFAULT,
) -> Decision:
    """What happens when the model stops at that total of tokens in this turn. Spec: WIN-042 to WIN-045."""
    verdict = _refusal(budget, is_gate_on=is_gate_on, is_sub_agent=is_sub_agent)
    if verdict is not None:
        return Decision(verdict=verdict, progress=progress)  # [WIN-042] a plain stop
    assert budget is not None
    increment = total - progress.last_total
    percent = div_half_up(total * FULL_PERCENT, budget)  # [WIN-045]
    is_diminishing = (
        progress.continuations >= constants.diminishing_continuations  # [WIN-044]
        and increment < constants.diminishing_tokens
        and progress.last_increment < constants.diminishing_tokens
    )
    is_below = total * FULL_PERCENT < budget * constants.continue_share_percent  # [WIN-043]
    if is_below and not is_diminishing:
        onward = Progress(
            continuations=progress.continuations + 1, last_increment=increment, last_total=total
        )  # [WIN-045]
        return Decision(verdict=Verdict.BELOW_BUDGET, percent=percent, progress=onward)
    return Decision(
        verdict=Verdict.DIMINISHING if is_diminishing else Verdict.BUDGET_REACHED,
        percent=percent,
        is_completion=progress.continuations > 0,  # [WIN-045] a diminishing turn has gone on before
        progress=progress,
    )


def decide_all(
    totals: Iterable[int],
    *,
    budget: int | None,
    is_gate_on: bool,
    is_sub_agent: bool = False,
    constants: Constants = DEFAULT,
) -> Sequence[Decision]:
    """The decisions of one turn, up to and with the first that ends it. Spec: WIN-045."""
    progress, decisions = Progress(), []
    for total in totals:
        decision = decide(
            total,
            progress,
            budget=budget,
            is_gate_on=is_gate_on,
            is_sub_agent=is_sub_agent,
            constants=constants,
        )
        decisions.append(decision)
        if not decision.is_continued:
            break
        progress = decision.progress
    return tuple(decisions)


def remaining_budget(remaining: int, last_context: int) -> int:
    """What is left of a budget kept by the server when the context of the last response is compacted away.

    Both in tokens, at least 0. Spec: WIN-046.
    """
    return max(0, remaining - last_context)  # [WIN-046]


def _refusal(budget: int | None, *, is_gate_on: bool, is_sub_agent: bool) -> Verdict | None:
    """Why nothing goes on by itself, whatever was spent. Spec: WIN-042."""
    if not is_gate_on:
        return Verdict.GATE_OFF
    if is_sub_agent:
        return Verdict.SUB_AGENT
    if budget is None or budget <= 0:
        return Verdict.NO_BUDGET  # [WIN-042]
    return None
