"""Messages divided by what they are, and what a record says of them."""

from typing import Any

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.context.holdings import MessageParts
from keel_ref.context.message_parts import AttachmentShare, Part, ToolShare, break_down
from keel_ref.context.recorded import Recorded, recorded_of
from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.rows import Reported, RowReason

CALL = {"type": "tool_use", "id": "t", "name": "Bash", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "t", "content": "12345678"}
BOUNDARY = {"role": "system", "subtype": "compact_boundary"}


def parts(*rows: Any) -> MessageParts:
    """The parts of these rows."""
    return break_down(list(rows))[0].parts()


def user(content: Any) -> dict[str, Any]:
    """A row of the user."""
    return {"role": "user", "content": content}


def assistant(*blocks: Any, **more: Any) -> dict[str, Any]:
    """A row of the model."""
    return {"role": "assistant", "content": list(blocks), **more}


@clause("CTX-106")
def test_each_part_holds_its_own() -> None:
    """Calls and results by their type, the rest by the row; an attachment is one as a whole."""
    found = parts(
        assistant({"type": "text", "text": "1234"}, CALL),
        user([RESULT, {"type": "text", "text": "1234"}]),
        {"role": "attachment", "content": [RESULT]},
        {"role": "robot", "content": "12345678"},
        {"role": "progress", "content": "12345678"},
    )

    assert MessageParts(tool_call=2, tool_result=2, attachment=2, assistant=1, user=3) == found
    assert 10 == found.tokens


@clause("CTX-106")
@pytest.mark.parametrize(
    ("kind", "part"),
    [
        ("tool_use", Part.TOOL_CALL),
        ("server_tool_use", Part.TOOL_CALL),
        ("mcp_tool_use", Part.TOOL_CALL),
        ("tool_result", Part.TOOL_RESULT),
        ("web_search_tool_result", Part.TOOL_RESULT),
        ("pretool_use", Part.ASSISTANT),
        ("tool_use_summary", Part.ASSISTANT),
        ("thinking", Part.ASSISTANT),
    ],
)
def test_the_type_tells_the_part(kind: str, part: Part) -> None:
    """By its whole name, or by an end that an underscore parts from the rest."""
    found = parts(assistant({"type": kind, "name": "n", "thinking": "1234", "content": "1234"}))

    assert found.tokens == getattr(found, part) > 0


@clause("CTX-105")
def test_the_view_alone_counts() -> None:
    """What the boundary took away is gone, and what is there counts in full however old it is."""
    old = [user("x" * 4_000), BOUNDARY, *(user([RESULT]) | {"at": 0} for _ in range(50))]

    assert MessageParts(tool_result=100) == parts(*old)


@clause("CTX-111")
def test_what_is_odd_is_reported_with_its_place() -> None:
    """The row and the block are those of the list that was given."""
    _, reported = break_down([BOUNDARY, "odd", assistant({"type": "text", "text": "a"}, 7), {"content": []}])

    assert (
        Reported(reason=RowReason.BAD_ROW, row=1),
        Reported(reason=RowReason.BAD_BLOCK, row=2, block=1),
        Reported(reason=RowReason.UNKNOWN_ROLE, row=3),
    ) == reported


@clause("CTX-125")
def test_no_list_is_refused() -> None:
    """A text is no list of rows."""
    with pytest.raises(InvalidArgumentError):
        break_down("rows")


def test_tools_and_attachments_by_name() -> None:
    """The largest first; a result belongs to the tool that its call names, and to nobody where none does."""
    found, _ = break_down(
        [
            assistant(CALL, {"type": "tool_use", "id": "u", "name": "Read", "input": {}}),
            user([RESULT, {"type": "tool_result", "tool_use_id": "u", "content": "x" * 40}]),
            user([{"type": "tool_result", "tool_use_id": "lost", "content": "1234"}]),
            {"role": "attachment", "kind": "file", "content": "12345678"},
            {"role": "attachment", "content": "1234"},
        ]
    )

    assert (
        ToolShare(name="Read", calls=1, call_tokens=2, results=1, result_tokens=10),
        ToolShare(name="Bash", calls=1, call_tokens=2, results=1, result_tokens=2),
        ToolShare(name=None, results=1, result_tokens=1),
    ) == found.tools()
    assert (
        AttachmentShare(name="file", count=1, tokens=2),
        AttachmentShare(name="attachment", count=1, tokens=1),
    ) == found.attachments()


@clause("CTX-107")
def test_the_first_growth_is_not_divided() -> None:
    """The first response was asked with more than can be seen; the last one says what there is now."""
    first = assistant({"type": "text", "text": "1234"}, id="a", usage={"input_tokens": 500, "output_tokens": 9})
    last = assistant({"type": "text", "text": "1234"}, id="b", usage={"input_tokens": 700, "output_tokens": 11})
    rows = [user("x" * 400), first, user("x" * 40), last, user("x" * 20)]

    assert Recorded(tokens=716, first_growth=400) == recorded_of(rows)


@clause("CTX-107")
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], Recorded()),
        ([user("x" * 400)], Recorded()),
        ([user("x" * 400), assistant(usage={"input_tokens": 50})], Recorded(tokens=50, first_growth=0)),
        ([assistant(usage={"input_tokens": 50}), BOUNDARY, user("1234")], Recorded()),
        ([assistant(usage={"input_tokens": 50}, error=True)], Recorded()),
        ([assistant(usage={"output_tokens": 50})], Recorded(tokens=50)),
    ],
)
def test_no_record_and_odd_ones(rows: list[Any], expected: Recorded) -> None:
    """What is before the boundary, an error, or 0 is no record; growth is never negative."""

    assert expected == recorded_of(rows)
