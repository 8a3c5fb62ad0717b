"""Wire functions about the course of a turn: due, blocked, broken, summarised, gone on with."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from attrs import evolve

from keel_ref.choices import Choices, Gates
from keel_ref.compaction.breakers import find_breaker
from keel_ref.compaction.due import Ask, is_blocked, is_due, why_declined
from keel_ref.compaction.points import collapse_points, provider_clearing
from keel_ref.compaction.recovery import Circumstances, Outcome, TurnMarks, decide_next
from keel_ref.compaction.summary import judge_summary
from keel_ref.compaction.trace import Why
from keel_ref.conformance.arguments import Args, argument, list_argument
from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.functions_window import limits_of
from keel_ref.conformance.optional_arguments import given
from keel_ref.constants import DEFAULT
from keel_ref.errors import InvalidArgumentError
from keel_ref.window.numbers import read_whole


def compaction_due(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`compaction.due`: is an automatic compaction tried, and if not, why."""
    args = given(args)
    breaker = evolve(find_breaker("auto_compact").breaker, in_row=_whole(args, "failures", 0))
    used, freed = _whole(args, "used"), _whole(args, "freed", 0)
    ask = _ask(args, config, is_breaker_open=breaker.is_open)
    why = why_declined(ask)
    if why is None and not is_due(ask.limits, used, freed):
        why = Why.NOT_DUE
    return {"due": why is None, **({} if why is None else {"why": str(why)})}


def compaction_blocking(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`compaction.blocking`: does the check before the request end the turn."""
    args = given(args)
    used = max(0, _whole(args, "used") - _whole(args, "freed", 0))
    has_compacted = argument(args, "compacted", bool, default=False)
    return {"blocked": is_blocked(_ask(args, config), used, has_compacted=has_compacted)}


def compaction_breaker(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature for all)
    """`compaction.breaker`: is a breaker open after each of the events."""
    args = given(args)
    kind = find_breaker(argument(args, "name", str, None))
    breaker, opened = kind.breaker, []
    for event in list_argument(args, "events"):
        match event:
            case "fail":
                breaker = breaker.fail()
            case "succeed":
                breaker = breaker.succeed()
            case _:
                raise InvalidArgumentError("events", f"{event!r} is neither fail nor succeed")
        opened.append(breaker.is_open)
    return {"open": opened}


def compaction_summary(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature for all)
    """`compaction.summary`: is an answer a summary, and what does it lack."""
    args = given(args)
    if not isinstance(args.get("content"), str | list):
        raise InvalidArgumentError("content", "is missing, or neither a text nor a list of blocks")
    verdict = judge_summary(args["content"], is_error=argument(args, "error", bool, default=False))
    if verdict.why is not None:
        return {"valid": False, "why": str(verdict.why)}
    return {"valid": True, "missing": list(verdict.missing_parts)}


def compaction_continue(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature for all)
    """`compaction.continue`: why a turn goes on, or how it ends."""
    args = given(args)
    outcome = argument(args, "outcome", str, None)
    if outcome not in {*Outcome}:
        raise InvalidArgumentError("outcome", f"{outcome!r} is none of {', '.join(Outcome)}")
    marks = TurnMarks(
        has_drained=argument(args, "drained", bool, default=False),
        has_reacted=argument(args, "reacted", bool, default=False),
        has_escalated=argument(args, "escalated", bool, default=False),
        nudges=_whole(args, "nudges", 0),
    )
    about = Circumstances(
        calls=_whole(args, "calls", 0),
        is_capped=argument(args, "capped", bool, default=False),
        can_drain=argument(args, "can_drain", bool, default=False),
        can_react=argument(args, "can_react", bool, default=False),
        does_hook_block=argument(args, "hook_blocks", bool, default=False),
        does_budget_go_on=argument(args, "budget", bool, default=False),
    )
    following, _ = decide_next(Outcome(outcome), marks, about)
    return {"next": str(following), "goes_on": following.goes_on}


def compaction_points(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`compaction.points`: figures of the layers whose inner working is not known."""
    args = given(args)
    points = collapse_points(limits_of(args, config).effective)
    found: dict[str, Any] = {"collapse_commit": points.commit, "collapse_block": points.block}
    if argument(args, "internal", bool, default=False):
        env: Mapping[str, Any] = argument(args, "env", dict, {})
        number = Choices.of(config.choices).number
        texts = (env.get(name) for name in ("API_MAX_INPUT_TOKENS", "API_TARGET_INPUT_TOKENS"))
        trigger, target = (read_whole(text, number)[0] if isinstance(text, str) and text else None for text in texts)
        clearing = provider_clearing(trigger, target)
        found["clearing"] = {
            "trigger": clearing.trigger,
            "target": clearing.target,
            "at_least": clearing.at_least,
        }
    return found


FUNCTIONS: Final = MappingProxyType(
    {
        "compaction.due": compaction_due,
        "compaction.blocking": compaction_blocking,
        "compaction.breaker": compaction_breaker,
        "compaction.summary": compaction_summary,
        "compaction.continue": compaction_continue,
        "compaction.points": compaction_points,
    }
)
"""Every function of this module by its wire name."""


def _ask(args: Args, config: CallConfig, *, is_breaker_open: bool = False) -> Ask:
    source = args.get("source")
    if source is not None and not isinstance(source, str):
        raise InvalidArgumentError("source", f"{source!r} is no text")
    return Ask(
        limits=limits_of(args, config),
        gates=Gates.of(config.gates),
        source=source,
        is_breaker_open=is_breaker_open,
    )


def _whole(args: Args, name: str, default: int | None = None) -> int:
    value = args.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= DEFAULT.number_cap:
        problem = "is missing" if name not in args else f"{value!r} is no whole number of at least 0"
        raise InvalidArgumentError(name, problem)
    return value
