"""The sessions that properties are tested on meet every case of the layer often enough."""

import pytest
from hypothesis import Phase, find, settings

from keel_ref.compaction.drop_head import drop_head
from keel_ref.compaction.microcompact import clear_old_results
from keel_ref.compaction.result_budget import select_results, settle_results
from keel_ref.compaction.strip import strip_for_summary
from keel_ref.constants import TINY
from keel_ref.strategies.results import result_sessions

QUICKLY = settings(max_examples=2_000, derandomize=True, database=None, phases=[Phase.generate])
"""Few enough examples that a case cannot be met by mere luck."""


@pytest.mark.parametrize(
    "why",
    ["saved-for-limit", "saved-for-sum", "not-smaller", "not-text", "sum-exceeded", "second-result", "save-failed"],
)
def test_results_of_every_kind_come_up(why: str) -> None:
    """Each decision of the layer of results is reached."""

    def is_met(rows: list[object]) -> bool:
        step = settle_results(select_results(rows, session_folder="/s", constants=TINY), {"a": True, "b": True})
        return any(decision.why == why for decision in step.decisions)

    assert is_met(find(result_sessions(TINY), is_met, settings=QUICKLY))


@pytest.mark.parametrize("why", ["cleared", "nothing-to-clear", "time-unknown", "no-answer"])
def test_clearing_ends_in_every_way(why: str) -> None:
    """Something is cleared, nothing can be, or nobody knows when the last answer came."""

    def is_met(rows: list[object]) -> bool:
        found = clear_old_results(rows, now_ms=10**12, source="repl_main_thread", is_enabled=True, constants=TINY)
        return any(decision.why == why for decision in found.decisions)

    assert is_met(find(result_sessions(TINY), is_met, settings=QUICKLY))


@pytest.mark.parametrize("why", ["round-dropped", "orphan-dropped", "one-round-left"])
def test_heads_of_every_kind_are_dropped(why: str) -> None:
    """With orphans, without, and not at all."""

    def is_met(rows: list[object]) -> bool:
        return any(decision.why == why for decision in drop_head(rows, 5, constants=TINY).decisions)

    assert is_met(find(result_sessions(TINY), is_met, settings=QUICKLY))


@pytest.mark.parametrize("why", ["media-marked", "listing-left-out"])
def test_there_is_something_to_strip(why: str) -> None:
    """Media, at depth as well, and listings."""

    def is_met(rows: list[object]) -> bool:
        return any(decision.why == why for decision in strip_for_summary(rows).decisions)

    assert is_met(find(result_sessions(TINY), is_met, settings=QUICKLY))
