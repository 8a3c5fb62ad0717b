"""What is kept is one tail in whole pairs, and the new list begins with its one boundary."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.choices import Choices, Gates, MessagePad
from keel_ref.compaction.cleanup import MAIN_THREAD_ONLY, Store, cleanup_after
from keel_ref.compaction.disk_file import DiskFile
from keel_ref.compaction.rebuild import BoundaryFacts, Summary, Trigger, rebuilt_list
from keel_ref.compaction.session_memory import NoNotesCompaction, NotesCompaction, SessionNotes, compact_with_notes
from keel_ref.compaction.shown import blocks_of
from keel_ref.compaction.summary_text import summary_text
from keel_ref.compaction.tail import has_text_block, kept_tail
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY, Constants
from keel_ref.messages import view_start
from keel_ref.messages.rows import Role, is_boundary, response_id, role_of
from keel_ref.strategies.conversations import conversations
from keel_ref.strategies.messages import json_rows
from keel_ref.strategies.restoring import disk_files, named_rows, notes_texts
from keel_ref.strategies.text import any_text
from keel_ref.tokens import Method, context_size, estimate_messages

LIMITS = pytest.mark.parametrize("limits", [TINY, DEFAULT], ids=["tiny", "default"])
LISTS = (conversations() | json_rows()).flatmap(named_rows)
COVERED = st.none() | st.sampled_from([f"u{index}" for index in range(12)])
NOTES = st.builds(
    SessionNotes,
    file=disk_files() | notes_texts().map(DiskFile.of),
    path=st.just("/n"),
    last_covered=COVERED,
    running_ms=st.none() | st.integers(0, 20_000),
)
PADS = st.sampled_from(MessagePad).map(lambda pad: Choices(message_pad=pad))
FACTS = BoundaryFacts(trigger=Trigger.AUTO, tokens_before=9)
SOURCES = st.none() | st.sampled_from(
    ["repl_main_thread", "repl_main_thread:x", "sdk", "sdk ", "", "agent:x", "compact"]
)


def floor_of(rows: list[Any]) -> int:
    """The first row that may be kept."""
    start = view_start(rows)
    return start + 1 if rows and is_boundary(rows[start]) else start


def padded(rows: list[Any], choices: Choices, limits: Constants) -> int:
    """What the selection takes rows to cost."""
    return estimate_messages(rows, method=Method.DOCUMENTED, is_padded=True, choices=choices, constants=limits).tokens


@LIMITS
@clause("CMP-142", "CMP-144", "CMP-145")
@given(LISTS, COVERED, PADS)
def test_the_tail_is_a_suffix_without_a_boundary(
    limits: Constants, rows: list[Any], covered: str | None, choices: Choices
) -> None:
    """It begins at the floor or behind it, holds no boundary, and all that the notes do not cover."""
    tail = kept_tail(rows, covered, choices=choices, constants=limits)
    names = [row.get("uuid") if isinstance(row, dict) else None for row in rows]
    behind = len(rows) - names[::-1].index(covered) if covered in names and covered is not None else 0

    assert floor_of(rows) <= tail.start <= max(len(rows), floor_of(rows))
    assert not any(is_boundary(row) for row in rows[tail.start :])
    assert tail.start <= max(behind, floor_of(rows))
    assert tail.is_covered_known is (covered is not None and covered in names)


@LIMITS
@clause("CMP-142", "CMP-143")
@given(LISTS, COVERED, PADS)
def test_both_minima_hold_unless_something_ended_the_search(
    limits: Constants, rows: list[Any], covered: str | None, choices: Choices
) -> None:
    """Enough tokens and messages with text, or the floor, or one row more would be too much."""
    start = kept_tail(rows, covered, choices=choices, constants=limits).start
    kept = rows[start:]
    is_enough = (
        padded(kept, choices, limits) >= limits.tail_min_tokens
        and sum(map(has_text_block, kept)) >= limits.tail_min_messages
    )
    at_floor = start == floor_of(rows)

    assert is_enough or at_floor or padded(rows[start - 1 :], choices, limits) > limits.tail_max_tokens


@LIMITS
@clause("CMP-144")
@given(LISTS, COVERED)
def test_no_pair_and_no_response_is_parted(limits: Constants, rows: list[Any], covered: str | None) -> None:
    """No kept result names only calls above the tail; the assistant row before the tail is another response."""
    floor, start = floor_of(rows), kept_tail(rows, covered, constants=limits).start
    called: set[Any] = set()
    above = {name for row in rows[floor:start] for name in names_of(row, Role.ASSISTANT, "tool_use", "id")}
    for row in rows[start:]:
        called.update(names_of(row, Role.ASSISTANT, "tool_use", "id"))
        answered = set(names_of(row, Role.USER, "tool_result", "tool_use_id"))
        assert not (answered & above) - called
    first = next((row for row in rows[start:] if role_of(row) is Role.ASSISTANT), None)
    before = next((row for row in reversed(rows[floor:start]) if role_of(row) is Role.ASSISTANT), None)
    assert response_id(first) is None or response_id(first) != response_id(before)


def names_of(row: Any, role: Role, kind: str, key: str) -> list[str]:
    """Ids of the blocks of that type, in a row of that role."""
    if role_of(row) is not role:
        return []
    found = [block.get(key) for block in blocks_of(row) if block.get("type") == kind]
    return [name for name in found if isinstance(name, str) and name]


@LIMITS
@clause("CMP-139", "CMP-140", "CMP-141", "CMP-146", "CMP-147", "CMP-148")
@given(LISTS, NOTES, st.none() | st.integers(0, 60), st.booleans())
def test_the_notes_are_used_below_the_threshold_alone(
    limits: Constants, rows: list[Any], notes: SessionNotes, threshold: int | None, is_open: bool
) -> None:
    """Whatever the notes are, the answer is a result below the threshold or a reason, twice the same."""
    before = deepcopy(rows)
    found, again = (
        compact_with_notes(rows, notes, threshold_tokens=threshold, gates=Gates(sm_compact=is_open), constants=limits)
        for _ in range(2)
    )

    assert found == again
    assert repr(before) == repr(rows)
    if isinstance(found, NotesCompaction):
        assert is_open
        assert threshold is None or found.tokens < threshold
    else:
        assert isinstance(found, NoNotesCompaction)
        assert found.decisions[-1].why is found.why


@clause("CMP-150", "CMP-151", "CMP-152", "CMP-154", "CMP-161")
@given(LISTS, st.data())
def test_the_new_list_begins_with_its_one_boundary(rows: list[Any], data: st.DataObject) -> None:
    """Its view is the whole list; behind the summaries stand the last rows, in order, marked and unchanged."""
    start = data.draw(st.integers(0, len(rows)))
    before = deepcopy(rows)
    new = rebuilt_list(rows, FACTS, [Summary(text="S"), Summary(text="T")], kept_from=start).messages
    kept = [row for row in rows[start:] if not is_boundary(row)]

    assert [True] == [is_boundary(row) for row in new if is_boundary(row)]
    assert 0 == view_start(new)
    assert repr([{**row, "kept": True} if isinstance(row, dict) else row for row in kept]) == repr(list(new[3:]))
    assert repr(before) == repr(rows)
    assert ("kept_segment" in new[0]) is bool(kept)


@clause("CMP-154", "CMP-155")
@given(LISTS)
def test_usage_from_before_is_void(rows: list[Any]) -> None:
    """Whatever is kept, nothing of the new list is measured until there is a new answer."""
    new = rebuilt_list(rows, FACTS, [Summary(text="S")], kept_from=0).messages

    assert 0 == context_size(new).measured


@clause("CMP-153")
@given(
    any_text()
    | st.lists(st.sampled_from(["<analysis>", "</analysis>", "<summary>", "</summary>", "a", "\n"])).map("".join)
)
def test_a_summary_loses_nothing_but_drafts_and_tags(text: str) -> None:
    """No whole draft is left; a text without tags is trimmed and otherwise itself."""
    found = summary_text(text)
    opening = found.find("<analysis>")

    assert found == found.strip() or found.strip() in found
    assert "<summary>" in text or "<analysis>" in text or found in text
    assert opening < 0 or "<summary>" in text or "</analysis>" not in found[opening:]


@clause("CMP-156", "CMP-157", "CMP-158", "CMP-159", "CMP-160")
@given(SOURCES, st.none() | st.sampled_from(["a1"]), st.booleans())
def test_each_store_is_cleared_or_kept(source: str | None, agent: str | None, is_watched: bool) -> None:
    """None is both or neither; what is shared is cleared on the main thread alone; the count begins anew."""
    found = cleanup_after(source, agent=agent, gates=Gates(cache_break_detection=is_watched))

    assert sorted(Store) == sorted((*found.cleared, *found.kept))
    assert {*MAIN_THREAD_ONLY} <= {*(found.cleared if found.memory_reason else found.kept)}
    assert (0, True) == (found.failures, found.is_warning_suppressed)
    assert (found.baseline is not None) is is_watched
