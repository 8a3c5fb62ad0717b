"""What can happen to a session, aimed at its thresholds. Spec: compaction.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from keel_ref.choices import AbortCounts, Choices, Gates, InflatedSummary, RefillGuard, RestoreRecency
from keel_ref.compaction.events import Event, Summarised, SummaryRefused
from keel_ref.compaction.settings import HookKind

_VARIABLES: dict[str, tuple[str, ...]] = {
    "DISABLE_COMPACT": ("1", "0"),
    "DISABLE_AUTO_COMPACT": ("true", "false"),
    "CLAUDE_CODE_AUTO_COMPACT_WINDOW": ("1", "500", "900", "abc"),
    "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": ("50", "0.5", "150"),
    "CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE": ("10", "600"),
}


def edge_sizes() -> st.SearchStrategy[int]:
    """Tokens beyond a threshold: on it, one below, one above, and a little more."""
    return st.sampled_from([0, -1, 1, -20, 7])


def sources() -> st.SearchStrategy[str | None]:
    """Who asks for a request."""
    return st.sampled_from(["repl_main_thread", "sdk", None, "agent:x", "compact", "session_memory", "marble_origami"])


def environments() -> st.SearchStrategy[Mapping[str, str]]:
    """A few variables, sound or not."""
    return st.fixed_dictionaries({}, optional={name: st.sampled_from(texts) for name, texts in _VARIABLES.items()})


def gate_maps() -> st.SearchStrategy[Gates]:
    """The gates that layers ask; those of functions that nobody provides stay shut."""
    names = ("message_sum", "time_micro", "session_memory", "sm_compact", "reactive", "reactive_only", "collapse")
    opened = st.fixed_dictionaries({}, optional={name: st.booleans() for name in names})
    return st.just(Gates()) | opened.map(lambda chosen: Gates(**chosen))


def turn_choices() -> st.SearchStrategy[Choices]:
    """The choices that a turn asks."""
    return st.builds(
        Choices,
        abort_counts=st.sampled_from(AbortCounts),
        inflated_summary=st.sampled_from(InflatedSummary),
        refill_guard=st.sampled_from(RefillGuard),
        restore_recency=st.sampled_from(RestoreRecency),
    )


def hook_sets() -> st.SearchStrategy[frozenset[HookKind]]:
    """Kinds of hooks that are set up; mostly none."""
    return st.just(frozenset[HookKind]()) | st.frozensets(st.sampled_from(HookKind))


def summaries() -> st.SearchStrategy[Event]:
    """What a call for a summary brings: a summary of some size, none of any kind, or a refusal."""
    contents: list[Any] = ["", " \n", "a summary", "s" * 400, "<analysis>only a draft</analysis>"]
    contents += [[{"type": "thinking", "thinking": "hm"}], [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]]
    answers = st.builds(Summarised, content=st.sampled_from(contents), is_error=st.sampled_from([False, False, True]))
    sound = st.builds(Summarised, content=st.sampled_from(["a summary", "<summary>Current work: x</summary>"]))
    refusals = st.builds(SummaryRefused, excess=st.sampled_from([None, -1, 0, 1, 50, 10_000_000]))
    return st.one_of(sound, answers, refusals)
