"""Rounds tile every list, and a cut between two of them leaves calls and results together."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from keel_ref import fast
from keel_ref.conformance.marks import clause
from keel_ref.messages.prepare import prepare_messages
from keel_ref.messages.rounds import RoundGrouper, api_rounds
from keel_ref.messages.rows import Role, RowReason, response_id, role_of
from keel_ref.messages.view import view_start
from keel_ref.strategies.conversations import conversations, sound_conversations
from keel_ref.strategies.messages import row_lists

LISTS = conversations() | row_lists()
BROKEN_PAIRS = {RowReason.ORPHAN_RESULT, RowReason.MISSING_RESULT}


@clause("MSG-010", "MSG-011", "MSG-015")
@given(LISTS)
def test_rounds_tile_the_list(messages: list[Any]) -> None:
    """The rounds follow one another from 0 to the number of rows, and none is empty."""
    rounds = api_rounds(messages)
    covered = [index for start, end in rounds for index in range(start, end)]

    assert list(range(len(messages))) == covered
    assert all(start < end for start, end in rounds)


@clause("MSG-010", "MSG-012")
@given(LISTS)
def test_a_round_opens_exactly_where_the_response_changes(messages: list[Any]) -> None:
    """Behind the first round, each begins with a row of the model, and within a round all of them have one id."""
    for start, end in api_rounds(messages):
        names = [response_id(row) for row in messages[start:end] if role_of(row) is Role.ASSISTANT]

        assert start == 0 or role_of(messages[start]) is Role.ASSISTANT
        assert len(set(names)) <= 1
        assert None not in names or len(names) == 1


@clause("MSG-010", "MSG-015")
@given(LISTS)
def test_neighbouring_fragments_share_a_round(messages: list[Any]) -> None:
    """Two rows of one response with no other response between them are never parted."""
    starts = {start for start, _ in api_rounds(messages)}
    last: str | None = None
    for index, row in enumerate(messages):
        if role_of(row) is Role.ASSISTANT:
            assert response_id(row) is None or response_id(row) != last or index not in starts
            last = response_id(row)


@clause("MSG-013")
@given(sound_conversations())
def test_prompts_open_no_round(messages: list[Any]) -> None:
    """A session has a round for each response, and one in front if it begins otherwise, however many prompts it has."""
    names = [row["id"] for row in messages if row["role"] == "assistant"]
    expected = len(dict.fromkeys(names)) + bool(messages and messages[0]["role"] != "assistant")

    assert expected == len(api_rounds(messages))


@clause("MSG-015")
@given(LISTS, st.data())
def test_the_first_rows_have_the_first_rounds(messages: list[Any], data: st.DataObject) -> None:
    """The rounds of the first n rows are those of the whole that begin before n, the last one cut at n."""
    rows = data.draw(st.integers(0, len(messages)))
    expected = [(start, min(end, rows)) for start, end in api_rounds(messages) if start < rows]

    assert expected == api_rounds(messages[:rows])


@clause("MSG-015")
@given(LISTS)
def test_grouping_while_rows_arrive(messages: list[Any]) -> None:
    """Asked after each row, the grouper has the rounds of the rows so far."""
    grouper = RoundGrouper()
    for index, row in enumerate(messages):
        grouper.add(row)

        assert api_rounds(messages[: index + 1]) == grouper.rounds()


@clause("MSG-014", "MSG-015", "MSG-006")
@given(sound_conversations())
def test_every_cut_between_rounds_leaves_pairs_whole(messages: list[Any]) -> None:
    """Where each result comes before the next response, keeping any number of newest rounds breaks no pair."""
    for start, _ in api_rounds(messages):
        for part in (messages[:start], messages[start:]):
            assert not BROKEN_PAIRS & {one.reason for one in prepare_messages(part).reported}


@clause("MSG-002")
@given(LISTS)
def test_the_view_of_a_view_is_the_view(messages: list[Any]) -> None:
    """The view is a suffix that begins at the last boundary, and looking again finds nothing further."""
    view = messages[view_start(messages) :]

    assert 0 == view_start(view)
    assert not any(
        isinstance(row, dict) and row.get("role") == "system" and row.get("subtype") == "compact_boundary"
        for row in view[1:]
    )


@clause("MSG-010")
@given(LISTS)
def test_the_fast_rounds_are_the_rounds(messages: list[Any]) -> None:
    """What the package gives under its public name is what the model gives, and the same again."""

    assert api_rounds(messages) == fast.api_rounds(messages) == fast.api_rounds(messages)
