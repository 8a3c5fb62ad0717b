"""The wire functions of what is cut from a list: large results, old results, the head, media."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from keel_ref.choices import Choices, Gates
from keel_ref.compaction.cached_micro import CachedState
from keel_ref.compaction.drop_head import drop_head
from keel_ref.compaction.excess import excess_of
from keel_ref.compaction.micro_step import CachedSettings, apply_microcompact
from keel_ref.compaction.result_budget import select_results, settle_results
from keel_ref.compaction.result_state import BudgetState
from keel_ref.compaction.strip import strip_for_summary
from keel_ref.compaction.trace import Decision
from keel_ref.conformance.arguments import Args, argument, list_argument
from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.optional_arguments import given
from keel_ref.errors import InvalidArgumentError


def compaction_tool_results(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`compaction.tool_results`: select, save, settle."""
    args = given(args)
    selection = select_results(
        _rows(args),
        session_folder=argument(args, "session_folder", str, "/s"),
        state=BudgetState.of(args.get("state")),
        declared=argument(args, "declared", dict, {}),
        overrides=argument(args, "overrides", dict, {}),
        names=argument(args, "names", dict, {}),
        sum_units=args.get("sum_units"),
        gates=Gates.of(config.gates),
        choices=Choices.of(config.choices),
    )
    failed = list_argument(args, "failed")
    step = settle_results(selection, {save.id: save.id not in failed for save in selection.saves})
    return {
        "messages": list(step.messages),
        "saves": [
            {"id": save.id, "path": save.path, "text": save.file_text, "preview": save.preview}
            for save in selection.saves
        ],
        "state": step.state.as_object(),
        "freed": step.freed_tokens,
        "first_changed_row": step.first_changed_row,
        "decisions": _decisions(step.decisions),
    }


def compaction_microcompact(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`compaction.microcompact`: both paths."""
    args = given(args)
    step = apply_microcompact(
        _rows(args),
        now_ms=args.get("now"),
        source=_source(args),
        gap_minutes=args.get("gap_minutes"),
        keep=args.get("keep"),
        is_suppressed=argument(args, "suppressed", bool, default=False),
        cached=CachedState.of(args.get("cached")),
        settings=CachedSettings(
            is_supported=argument(args, "cached_supported", bool, default=False),
            start=_whole(args, "cached_start", 1),
            keep=_whole(args, "cached_keep", 0),
        ),
        gates=Gates.of(config.gates),
        choices=Choices.of(config.choices),
    )
    return {
        "messages": list(step.messages),
        "path": str(step.path),
        "cleared": list(step.cleared),
        "edits": [edit.as_object() for edit in step.edits],
        "cached": step.cached.as_object(),
        "suppressed": step.is_suppressed,
        "expects_drop": step.expects_drop,
        "freed": step.freed_tokens,
        "first_changed_row": step.first_changed_row,
        "decisions": _decisions(step.decisions),
    }


def compaction_strip(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature for all)
    """`compaction.strip`: what a request for a summary does without."""
    args = given(args)
    stripped = strip_for_summary(_rows(args))
    return {"messages": list(stripped.messages), "decisions": _decisions(stripped.decisions)}


def compaction_drop_head(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`compaction.drop_head`: the list of the next try."""
    args = given(args)
    excess = args.get("excess")
    if excess is None:
        excess = excess_of(argument(args, "error", str, ""))
    dropped = drop_head(_rows(args), excess, retries=_whole(args, "retries", 0), choices=Choices.of(config.choices))
    return {
        "messages": list(dropped.messages),
        "given_up": dropped.is_given_up,
        "excess": excess,
        "dropped_rounds": dropped.dropped_rounds,
        "kept_rounds": dropped.kept_rounds,
        "dropped_tokens": dropped.dropped_tokens,
        "decisions": _decisions(dropped.decisions),
    }


FUNCTIONS: Final = MappingProxyType(
    {
        "compaction.tool_results": compaction_tool_results,
        "compaction.microcompact": compaction_microcompact,
        "compaction.strip": compaction_strip,
        "compaction.drop_head": compaction_drop_head,
    }
)
"""Every function of this module by its wire name."""


def _decisions(decisions: Iterable[Decision]) -> list[dict[str, Any]]:
    return [decision.as_object() for decision in decisions]


def _rows(args: Args) -> list[Any]:
    if "messages" not in args:
        raise InvalidArgumentError("messages", "is missing")
    return argument(args, "messages", list, None)


def _source(args: Args) -> str | None:
    source = args.get("source")
    if source is not None and not isinstance(source, str):
        raise InvalidArgumentError("source", "is neither a text nor null")
    return source


def _whole(args: Args, name: str, default: int) -> int:
    """A whole number of at least 0."""
    value = args.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidArgumentError(name, f"{value!r} is no whole number of at least 0")
    return value
