"""The wire functions of the area window: arguments and results in the form of the wire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from keel_ref.choices import Choices
from keel_ref.conformance.arguments import Args, argument
from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.line import number_to_wire
from keel_ref.errors import InvalidArgumentError
from keel_ref.window.auto_continue import Decision, decide_all
from keel_ref.window.budget import budget_in
from keel_ref.window.limits import Limits, window_limits
from keel_ref.window.reports import ValueReport
from keel_ref.window.state import state_of, usage_of


def window_limits_call(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`window.limits`: the window, what is kept free of it, and every threshold."""
    limits = limits_of(args, config)
    amounts = (
        *("window", "compact_window", "max_output", "reserve"),
        *("effective", "warning", "error", "auto", "blocking"),
    )
    return {
        **{name: getattr(limits, name) for name in amounts},
        "enabled": limits.is_enabled,
        "manual": limits.is_manual_enabled,
        **_reported(limits.reports),
    }


def window_state_call(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`window.state`: where a use stands."""
    if "used" not in args:
        raise InvalidArgumentError("used", "is missing; give the tokens that are used")
    freed = args.get("freed")
    state = state_of(limits_of(args, config), args["used"], freed=0 if freed is None else freed)
    bases = {name: getattr(state.limits, name) for name in ("window", "effective", "auto")}
    shares = {name: state.used_per_mille(base) for name, base in bases.items()}
    return {
        "percent_left": state.percent_left,
        "above_warning": state.is_above_warning,
        "above_error": state.is_above_error,
        "above_auto": state.is_above_auto,
        "at_blocking": state.is_at_blocking,
        "used_per_mille": {name: None if share is None else number_to_wire(share) for name, share in shares.items()},
        **_reported(state.reports),
    }


def window_budget(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature for all)
    """`window.budget`: what a prompt allows."""
    return {"budget": budget_in(argument(args, "text", str, None))}


def window_auto_continue(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`window.auto_continue`: what happens at each stop of one turn."""
    totals = argument(args, "totals", list, None)
    reports: list[ValueReport] = []
    given, sub_agent = args.get("budget"), args.get("sub_agent")
    decisions = decide_all(
        _totals(totals, reports),
        budget=None if given is None else usage_of("budget", given, reports),
        is_gate_on=config.gates["token_budget"],
        is_sub_agent=sub_agent is not None and argument(args, "sub_agent", bool, None),
    )
    return {"decisions": [_decision(one) for one in decisions], **_reported(reports)}


FUNCTIONS: Final = MappingProxyType(
    {
        "window.limits": window_limits_call,
        "window.state": window_state_call,
        "window.budget": window_budget,
        "window.auto_continue": window_auto_continue,
    }
)
"""Every function of this module by its wire name."""

_LIMIT_ARGUMENTS: Final = ("window", "max_output", "supports_1m", "betas", "env", "settings")


def limits_of(args: Args, config: CallConfig) -> Limits:
    """The limits that the arguments of either function make; null is missing."""
    given = {name: args[name] for name in _LIMIT_ARGUMENTS if args.get(name) is not None}
    return window_limits(args.get("model"), **given, choices=Choices.of(config.choices))


def _totals(totals: Iterable[object], reports: list[ValueReport]) -> Iterator[int]:
    """Each total when it is asked for, so that none behind the end is looked at. Spec: WIN-045."""
    return (usage_of("totals", total, reports) for total in totals)


def _decision(decision: Decision) -> Mapping[str, Any]:
    """One stop; what it has not is left out. Spec: WIN-045."""
    return {
        "action": "continue" if decision.is_continued else "stop",
        "verdict": str(decision.verdict),
        **({} if decision.percent is None else {"percent": number_to_wire(decision.percent)}),
        **({} if decision.is_continued else {"completion": decision.is_completion}),
    }


def _reported(entries: Iterable[ValueReport]) -> dict[str, Any]:
    """The key `reported`, absent where there is nothing. Spec: WIN-033."""
    rows = [entry.as_object() for entry in entries]
    return {"reported": rows} if rows else {}
