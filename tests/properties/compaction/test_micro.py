"""Old results are cleared, or deleted in the cache, but never both, and never twice."""

from copy import deepcopy
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.choices import Gates
from keel_ref.compaction.cached_micro import CachedState
from keel_ref.compaction.micro_step import CachedSettings, MicroStep, Path, apply_microcompact
from keel_ref.compaction.microcompact import Cleared, clear_old_results, compactable_ids
from keel_ref.compaction.results import CLEARED_TEXT, find_results
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY, Constants
from keel_ref.strategies.conversations import conversations
from keel_ref.strategies.results import result_sessions
from keel_ref.tokens.estimate import estimate_messages

CONSTANTS = pytest.mark.parametrize("constants", [TINY, DEFAULT], ids=["tiny", "default"])
LATE_MS = 10**12
KEEPS: st.SearchStrategy[Any] = st.integers(-2, 8) | st.sampled_from(
    [None, 0.5, 2.9, -0.1, float("nan"), float("inf"), "3", True, []]
)
SOURCES = st.sampled_from(["repl_main_thread", "repl_main_thread:x", "sdk", "compact", "", None])


def cleared(rows: list[Any], keep: Any, constants: Constants) -> Cleared:
    """The rows long after the last answer."""
    return clear_old_results(
        rows, now_ms=LATE_MS, source="repl_main_thread", is_enabled=True, keep=keep, constants=constants
    )


def count_kept(keep: Any, constants: Constants) -> int:
    """How many calls keep their results."""
    usable = isinstance(keep, int | float) and not isinstance(keep, bool) and abs(keep) < 10**6
    return max(1, int(keep // 1)) if usable else constants.micro_keep_results


@CONSTANTS
@clause("CMP-053", "CMP-054", "CMP-055", "CMP-056")
@given(st.data(), KEEPS)
def test_the_newest_stay_and_the_others_are_cleared(constants: Constants, data: st.DataObject, keep: Any) -> None:
    """Of n compactable calls min(n, max(1, keep)) keep what they had; of all others nothing is left."""
    rows = data.draw(result_sessions(constants))
    before = deepcopy(rows)
    found = cleared(rows, keep, constants)
    names = compactable_ids(rows)
    stay = names[len(names) - min(len(names), count_kept(keep, constants)) :]

    assert before == rows
    if any(decision.why in {"time-unknown", "no-answer"} for decision in found.decisions):
        assert rows == list(found.messages)
        return
    for old, new in zip(find_results(rows), find_results(found.messages), strict=True):
        is_old = new.id in names and new.id not in stay
        assert (CLEARED_TEXT if is_old else old.content) == new.content


@CONSTANTS
@clause("CMP-054", "CMP-057", "CMP-058")
@given(st.data(), KEEPS)
def test_clearing_twice_is_clearing_once(constants: Constants, data: st.DataObject, keep: Any) -> None:
    """The second time nothing is found, nothing is freed, and nothing else happens."""
    rows = data.draw(result_sessions(constants) | conversations())
    once = cleared(rows, keep, constants)
    twice = cleared(list(once.messages), keep, constants)
    before, after = (
        estimate_messages(found, method="documented", is_padded=True, constants=constants).tokens
        for found in (rows, once.messages)
    )

    assert once.messages == twice.messages
    assert ((), False, 0, None) == (twice.ids, twice.has_acted, twice.freed_tokens, twice.first_changed_row)
    assert max(0, before - after) == once.freed_tokens
    assert once.has_acted == bool(once.ids) == (once.first_changed_row is not None)


@CONSTANTS
@clause("CMP-052", "CMP-051", "CMP-059")
@given(st.data(), SOURCES, st.integers(-1, 20_000_000) | st.none(), st.integers(0, 200))
def test_the_time_based_path_acts_for_its_reason_only(
    constants: Constants, data: st.DataObject, source: str | None, now: int | None, gap: int
) -> None:
    """Only on the main thread, only when the last answer has a time and is old enough."""
    rows = data.draw(result_sessions(constants))
    found = clear_old_results(
        rows, now_ms=now, source=source, is_enabled=True, gap_minutes=gap, keep=1, constants=constants
    )
    answers = [row for row in rows if isinstance(row, dict) and row["role"] == "assistant"]
    at = answers[-1].get("at") if answers else None

    if found.has_acted:
        assert source is not None
        assert source.startswith("repl_main_thread")
        assert now is not None
        assert at is not None
        assert at <= now - gap * 60_000
    else:
        assert rows == list(found.messages)


@CONSTANTS
@clause("CMP-050", "CMP-057", "CMP-060", "CMP-061", "CMP-062", "CMP-063", "CMP-064")
@given(st.data())
def test_a_session_of_passes(constants: Constants, data: st.DataObject) -> None:
    """Never both paths, no id deleted twice, earlier edits sent again, and the warning suppressed by clearing alone."""
    log = data.draw(result_sessions(constants))
    state, start = CachedState(), data.draw(st.integers(1, 4))
    settings = CachedSettings(
        is_supported=data.draw(st.booleans()), start=start, keep=data.draw(st.integers(0, start - 1))
    )
    for _ in range(data.draw(st.integers(1, 4))):
        source, was_suppressed = data.draw(SOURCES), data.draw(st.booleans())
        step = apply_microcompact(
            log,
            now_ms=data.draw(st.sampled_from([0, LATE_MS])),
            source=source,
            keep=data.draw(KEEPS),
            is_suppressed=was_suppressed,
            cached=state,
            settings=settings,
            gates=Gates(time_micro=data.draw(st.booleans()), cached_micro=True),
            constants=constants,
        )
        check_step(step, log, state, was_suppressed=was_suppressed)
        state = CachedState.of(step.cached.as_object())
        log = [*log, *data.draw(result_sessions(constants))]


def check_step(step: MicroStep, log: list[Any], state: CachedState, *, was_suppressed: bool) -> None:
    """What holds after every pass."""
    named = [name for edit in step.cached.pinned for name in edit.ids]

    assert (step.path is Path.TIME) == bool(step.cleared) == step.is_suppressed
    assert step.path is Path.TIME or log == list(step.messages)
    assert len(named) == len(set(named))
    assert step.edits in ((), step.cached.pinned)
    assert step.cached.pinned[: len(state.pinned)] == state.pinned or step.path is Path.TIME
    assert (step.path is Path.CACHED) == (len(step.cached.pinned) > len(state.pinned))
    assert step.expects_drop == (step.path is not Path.NONE)
    assert was_suppressed == any(decision.why == "suppression-released" for decision in step.decisions)


@clause("CMP-060", "CMP-061")
@given(st.integers(1, 6), st.data())
def test_the_cache_comes_to_rest(start: int, data: st.DataObject) -> None:
    """After a deletion nothing more goes until enough new results came, however many turns that takes."""
    keep = data.draw(st.integers(0, start - 1))
    settings = CachedSettings(is_supported=True, start=start, keep=keep)
    state, log, acted = CachedState(), [], []
    for turn in range(30):
        call = {"type": "tool_use", "id": f"c{turn}", "name": "Read", "input": {}}
        result = {"type": "tool_result", "tool_use_id": f"c{turn}", "content": "x" * 20_000}
        log += [
            {"role": "assistant", "id": f"m{turn}", "content": [call]},
            {"role": "user", "content": [result]},
        ]
        step = apply_microcompact(log, cached=state, settings=settings, gates=Gates(cached_micro=True))
        state = step.cached
        if step.path is Path.CACHED:
            acted.append(turn)

    assert all(later - earlier == start + 1 - keep for earlier, later in pairwise(acted))
    assert start == acted[0]
