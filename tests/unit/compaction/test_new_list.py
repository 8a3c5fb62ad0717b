"""The new list by hand-picked cases: two compactions in a row, and what the model then reads."""

from typing import Any

import pytest

from keel_ref.compaction.attachments import Standing, ordered_attachments
from keel_ref.compaction.rebuild import BoundaryFacts, Summary, Trigger, rebuilt_list
from keel_ref.compaction.tail import kept_tail
from keel_ref.compaction.trace import Why
from keel_ref.conformance.marks import clause
from keel_ref.constants import TINY
from keel_ref.errors import InvalidArgumentError
from keel_ref.messages import prepare_messages, view_start

TOOLS = Standing(deferred_tools=tuple(f"t{number}" for number in range(63)), is_planning=True)
FACTS = BoundaryFacts(trigger=Trigger.AUTO, tokens_before=9)


@clause("CMP-152", "CMP-162")
def test_sixty_three_tools_are_announced_once_after_two_compactions() -> None:
    """B146: kept announcements give way to new ones, also the second time."""
    rows: list[Any] = [{"role": "user", "text": "go"}]
    for _ in range(2):
        new = rebuilt_list(
            rows, FACTS, [Summary(text="S")], kept_from=0, attachments=ordered_attachments((), (), TOOLS)
        )
        rows = [*new.messages]

    assert [63] == [len(row["names"]) for row in rows if row.get("attachment") == "deferred_tools"]
    assert 1 == sum(row.get("attachment") == "plan_mode" for row in rows)
    assert 0 == view_start(rows)


@clause("CMP-155")
def test_the_model_reads_one_turn() -> None:
    """What was put back stands before the summary, and all of it is one message of the user."""
    new = rebuilt_list([], FACTS, [Summary(text="S")], attachments=ordered_attachments((), (), TOOLS)).messages
    (message,) = prepare_messages(new).messages

    assert "user" == message["role"]
    assert "S" == message["content"][-1]["text"]


@clause("CMP-153")
@pytest.mark.parametrize("text", ["", " \n", "<analysis>x</analysis>", "<summary> </summary>"])
def test_a_blank_summary_is_refused_and_says_what_to_do(text: str) -> None:
    """B118: nothing is replaced by nothing."""
    with pytest.raises(InvalidArgumentError, match="failed attempt"):
        rebuilt_list([], FACTS, [Summary(text=text)])


@clause("CMP-154")
def test_the_error_names_the_place() -> None:
    """A place behind the end is a mistake of the caller, who learns how many rows there are."""
    with pytest.raises(InvalidArgumentError, match="3 is no place in a list of 2 rows"):
        rebuilt_list([{}, {}], FACTS, [Summary(text="S")], kept_from=3)


@clause("CMP-154")
def test_a_boundary_in_the_tail_is_said() -> None:
    """Its index is that in the history."""
    rows = [{"role": "user"}, {"role": "system", "subtype": "compact_boundary"}]

    assert [(Why.BOUNDARY_LEFT_OUT, 1)] == [
        (one.why, one.row) for one in rebuilt_list(rows, FACTS, [Summary(text="S")], kept_from=0).decisions
    ]


@clause("CMP-142", "CMP-144")
def test_a_long_chain_of_pairs_takes_no_longer_than_its_length() -> None:
    """Each result asks for a call further up; the start moves through all of them in one go."""
    size = 5_000
    rows: list[Any] = [call(0)]
    for number in range(1, size):
        rows += [call(number), result(number - 1)]
    rows.append({"role": "user", "uuid": "end", "text": "end"})

    assert 0 == kept_tail(rows, "end", constants=TINY).start


def call(number: int) -> dict[str, Any]:
    """An assistant row with one call."""
    block = {"type": "tool_use", "id": f"c{number}", "name": "f", "input": {}}
    return {"role": "assistant", "id": f"m{number}", "content": [block]}


def result(number: int) -> dict[str, Any]:
    """The user row that answers it."""
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"c{number}", "content": ""}]}
