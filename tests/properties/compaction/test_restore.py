"""What is put back stays within its budgets, and nothing is left out without a word."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.choices import Choices, OversizeRestore, RestoreRecency, Unit
from keel_ref.compaction.attachments import Standing, ordered_attachments
from keel_ref.compaction.cuts import beginning, text_tokens
from keel_ref.compaction.read_state import ReadState
from keel_ref.compaction.restore import restore_candidates, restore_files
from keel_ref.compaction.shown import shown_paths
from keel_ref.compaction.skills import Invocation, restore_skills
from keel_ref.compaction.trace import Why
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY, Constants
from keel_ref.messages import prepare_messages
from keel_ref.strategies.conversations import conversations
from keel_ref.strategies.messages import row_lists
from keel_ref.strategies.restoring import PATHS, Reads, invocations, reads, standings, texts
from keel_ref.tokens.serialise import serialised

CHOICES = st.builds(
    Choices,
    unit=st.sampled_from(Unit),
    restore_recency=st.sampled_from(RestoreRecency),
    oversize_restore=st.sampled_from(OversizeRestore),
)
SOME_PATHS = st.sets(st.sampled_from(PATHS), max_size=3)
LIMITS = pytest.mark.parametrize("limits", [TINY, DEFAULT], ids=["tiny", "default"])
ORDER = (
    "file",
    "file_reference",
    "agent_state",
    "plan_file",
    "plan_mode",
    "skill",
    "deferred_tools",
    "agent_listing",
    "mcp_instructions",
)


def state_after(found: Reads, limits: Constants) -> ReadState:
    """The read-state after all passes."""
    state = ReadState()
    for one in found.passes:
        state = state.pass_begun()
        for path, size in one:
            state, _ = state.after_read(path, size_bytes=size, constants=limits)
    return state


def text_of(row: Any) -> str:
    """The text that a row puts back; without the block that says what it is about."""
    blocks = row["content"]
    return blocks[1]["text"] if len(blocks) > 1 else ""


@LIMITS
@clause("CMP-110")
@given(reads())
def test_the_read_state_stays_within_its_bounds(limits: Constants, found: Reads) -> None:
    """No path stands twice; neither number nor sizes exceed their bounds; turned round twice it is what it was."""
    state = state_after(found, limits)

    assert len(set(state.paths)) == len(state.entries) <= limits.read_state_cap_entries
    assert sum(entry.size_bytes for entry in state.entries) <= limits.read_state_cap_bytes
    assert state.pass_begun().pass_begun() == state


@LIMITS
@clause("CMP-110")
@given(reads())
def test_what_is_forgotten_is_named(limits: Constants, found: Reads) -> None:
    """Every file that was read is in the read-state, or a decision names it."""
    state = ReadState()
    named: set[str | None] = set()
    for one in found.passes:
        state = state.pass_begun()
        for path, size in one:
            state, forgotten = state.after_read(path, size_bytes=size, constants=limits)
            named |= {decision.path for decision in forgotten}

    assert {path for one in found.passes for path, _ in one} <= {*state.paths} | named


@LIMITS
@clause("CMP-111", "CMP-114", "CMP-117")
@given(reads(), st.tuples(SOME_PATHS, SOME_PATHS, SOME_PATHS), CHOICES)
def test_each_file_is_put_back_or_named(
    limits: Constants, found: Reads, left_out: tuple[set[str], set[str], set[str]], choices: Choices
) -> None:
    """No plan, memory or shown file comes back; each file of the read-state is decided exactly once."""
    plans, memories, shown = left_out
    state = state_after(found, limits)
    candidates = restore_candidates(
        state, found.modified_us, plan_files=plans, memory_files=memories, shown=shown, choices=choices
    )
    restored = restore_files(candidates.paths, found.files, choices=choices, constants=limits)
    decided = [decision.path for decision in (*candidates.decisions, *restored.decisions)]

    assert not (plans | memories | shown) & {row["path"] for row in restored.attachments}
    assert sorted(state.paths) == sorted(path for path in decided if path is not None)


@LIMITS
@clause("CMP-114", "CMP-116", "CMP-117", "CMP-118")
@given(reads(), CHOICES)
def test_files_stay_within_their_budgets(limits: Constants, found: Reads, choices: Choices) -> None:
    """At most so many files, each so large, and all together; each is a beginning of what lies on the disk."""
    candidates = restore_candidates(state_after(found, limits), found.modified_us, choices=choices)
    restored = restore_files(candidates.paths, found.files, choices=choices, constants=limits)
    rows = restored.attachments

    assert len(rows) <= limits.restore_cap_files
    assert restored.tokens <= limits.restore_cap_tokens
    assert restored.tokens == sum(cost(row, choices, limits) for row in rows)
    for row in rows:
        assert text_tokens(text_of(row), choices=choices, constants=limits) <= limits.restore_file_cap_tokens
        whole = found.files[row["path"]].text
        assert whole.startswith(text_of(row))
        assert (row["path"] in restored.state.paths) is (row["attachment"] == "file" and text_of(row) == whole)
        says_so = row["attachment"] == "file_reference" or len(row["content"]) == len(("about", "text", "notice"))
        assert says_so or text_of(row) == whole


def cost(row: Any, choices: Choices, limits: Constants) -> int:
    """What one attachment costs, as the clause writes it."""
    form = {"type": row["attachment"], "path": row["path"]}
    if row["attachment"] == "file":
        form["text"] = text_of(row)
    return text_tokens(serialised(form), choices=choices, constants=limits)


@clause("CMP-113")
@given(reads(), st.sampled_from(RestoreRecency))
def test_the_order_is_by_time_or_by_read(found: Reads, recency: RestoreRecency) -> None:
    """By time no file stands before a newer one; by read the order is that of the last reads."""
    state = state_after(found, DEFAULT)
    paths = restore_candidates(state, found.modified_us, choices=Choices(restore_recency=recency)).paths
    times = [found.modified_us[path] // 1_000 for path in paths if path in found.modified_us]
    last_reads = list(dict.fromkeys(path for one in reversed(found.passes) for path, _ in reversed(one)))

    assert sorted(paths) == sorted(state.paths)
    if recency is RestoreRecency.MTIME:
        assert sorted(times, reverse=True) == times
        assert [path in found.modified_us for path in paths] == sorted(
            (path in found.modified_us for path in paths), reverse=True
        )
    else:
        assert last_reads == list(paths)


@clause("CMP-112")
@given(conversations() | row_lists())
def test_what_rows_show_never_fails(rows: list[Any]) -> None:
    """Whatever the rows hold, the answer is a set of paths, and fewer rows show no more."""

    assert shown_paths(rows[:-1]) <= shown_paths(rows)


@LIMITS
@clause("CMP-119", "CMP-120")
@given(invocations(), CHOICES)
def test_skills_stay_within_their_budgets(limits: Constants, used: list[Invocation], choices: Choices) -> None:
    """Each skill once, newest first, its beginning alone, and all together within the sum."""
    restored = restore_skills(used, choices=choices, constants=limits)
    names = [row["names"][0] for row in restored.attachments]
    newest = list(dict.fromkeys(one.name for one in reversed(used) if one.agent is None))
    texts_of = {one.name: one.text for one in used if one.agent is None}

    assert names == [name for name in newest if name in names]
    assert restored.tokens <= limits.skills_cap_tokens
    for row in restored.attachments:
        kept = text_of(row)
        assert texts_of[row["names"][0]].startswith(kept)
        assert text_tokens(kept, choices=choices, constants=limits) <= limits.skill_cap_tokens
    left_out = {decision.id for decision in restored.decisions if decision.why is Why.SKILLS_SUM}
    assert {*newest} == {*names} | left_out


@LIMITS
@clause("CMP-116", "CMP-119")
@given(texts(), st.integers(0, 9), st.sampled_from(Unit))
def test_a_beginning_is_the_longest_one(limits: Constants, text: str, cap: int, unit: Unit) -> None:
    """It costs no more than the cap, and with one character more it would."""
    choices = Choices(unit=unit)
    kept = beginning(text, cap, choices=choices, constants=limits)

    assert text.startswith(kept)
    assert text_tokens(kept, choices=choices, constants=limits) <= cap
    if kept != text:
        assert text_tokens(text[: len(kept) + 1], choices=choices, constants=limits) > cap


@clause("CMP-121", "CMP-122", "CMP-123")
@given(standings(), invocations())
def test_attachments_stand_in_order_each_once(standing: Standing, used: list[Invocation]) -> None:
    """The kinds follow one another as the clause says, no name stands twice in a row, and all can be sent."""
    rows = ordered_attachments((), restore_skills(used).attachments, standing)
    kinds = [ORDER.index(row["attachment"]) for row in rows]

    assert sorted(kinds) == kinds
    assert all(len({*row.get("names", ())}) == len(row.get("names", ())) for row in rows)
    assert () == prepare_messages(rows).reported
    assert rows == ordered_attachments((), restore_skills(used).attachments, standing)
