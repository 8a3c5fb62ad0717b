"""Clearing old results under configurations that the wire cannot say."""

from typing import Any

import pytest

from keel_ref.choices import Gates
from keel_ref.compaction.cached_micro import CachedState, Edit, queue_deletions
from keel_ref.compaction.micro_step import CachedSettings, Path, apply_microcompact
from keel_ref.compaction.microcompact import COMPACTABLE, Cleared, clear_old_results
from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError

HOUR_MS = 3_600_000


def rows(count: int = 7, at: object = 0) -> list[dict[str, Any]]:
    """So many reads in one answer, and their results."""
    calls = [{"type": "tool_use", "id": f"c{n}", "name": "Read", "input": {}} for n in range(count)]
    results = [{"type": "tool_result", "tool_use_id": f"c{n}", "content": str(n)} for n in range(count)]
    return [{"role": "assistant", "id": "m1", "at": at, "content": calls}, {"role": "user", "content": results}]


def cleared(now: object = HOUR_MS, at: object = 0, **configured: Any) -> Cleared:
    """The rows after a pause."""
    return clear_old_results(rows(at=at), now_ms=now, source="repl_main_thread", is_enabled=True, **configured)


@clause("CMP-055")
@pytest.mark.parametrize(
    ("keep", "kept"),
    [(0.9, 1), (1.9, 1), (2.0, 2), (2.9, 2), (-0.5, 1), (float("nan"), 5), (float("inf"), 5), (-float("inf"), 5)],
)
def test_a_number_of_results_is_rounded_down(keep: float, kept: int) -> None:
    """One stays in any case; what is not finite is 5, and said to be."""
    found = cleared(keep=keep)

    assert 7 - kept == len(found.ids)
    assert (keep - keep != 0) == any(decision.why == "keep-assumed" for decision in found.decisions)


@clause("CMP-055")
@pytest.mark.parametrize("gap", [float("nan"), float("inf"), 1.5, -1, -0.5, "1", True])
def test_a_gap_that_is_none_is_an_hour(gap: object) -> None:
    """It does not clear a minute earlier."""

    assert cleared(HOUR_MS, gap_minutes=gap).has_acted
    assert not cleared(HOUR_MS - 1, gap_minutes=gap).has_acted


@clause("CMP-052")
@pytest.mark.parametrize(("now", "at"), [(3_600_000.0, 0), (HOUR_MS, 0.0), (HOUR_MS, -0.0)])
def test_a_whole_number_is_one_however_it_is_stored(now: object, at: object) -> None:
    """A float without a fraction is a time."""

    assert cleared(now, at).has_acted


@clause("CMP-052")
@pytest.mark.parametrize(
    ("now", "at"), [(float("inf"), 0), (float("nan"), 0), (HOUR_MS + 0.5, 0), (HOUR_MS, 0.5), (10**9, None)]
)
def test_what_is_no_time_clears_nothing(now: object, at: object) -> None:
    """However late it would be."""
    found = cleared(now, at)

    assert not found.has_acted
    assert ["time-unknown"] == [decision.why for decision in found.decisions]


@clause("CMP-053")
def test_the_list_of_tools_is_closed() -> None:
    """Nine names."""

    assert 9 == len(COMPACTABLE)


@clause("CMP-060")
@pytest.mark.parametrize(("start", "keep"), [(0, 0), (3, 3), (3, 4), (3, -1)])
def test_start_and_goal_are_two_numbers(start: int, keep: int) -> None:
    """With one for both the cache would be edited in every turn."""
    with pytest.raises(InvalidArgumentError, match="below cached_start"):
        queue_deletions(
            [], state=CachedState(), source=None, is_enabled=True, is_supported=True, start=start, keep=keep
        )


@clause("CMP-050", "CMP-057", "CMP-062")
def test_a_day_in_the_life_of_the_cached_path() -> None:
    """Edits pile up while work goes on, and are gone after the pause that clears the list."""
    settings = CachedSettings(is_supported=True, start=4, keep=2)
    gates = Gates(time_micro=True, cached_micro=True)
    busy = apply_microcompact(rows(6), now_ms=1, source="repl_main_thread", settings=settings, gates=gates)
    later = apply_microcompact(
        rows(7), now_ms=2, source="repl_main_thread", settings=settings, gates=gates, cached=busy.cached
    )
    idle = apply_microcompact(
        rows(7), now_ms=HOUR_MS, source="repl_main_thread", settings=settings, gates=gates, cached=later.cached
    )

    assert (Edit(row=1, ids=("c0", "c1", "c2", "c3")),) == busy.edits == later.edits
    assert [Path.CACHED, Path.NONE, Path.TIME] == [busy.path, later.path, idle.path]
    assert (CachedState(), ()) == (idle.cached, idle.edits)
