"""How a list is repaired, step by step, and what is reported about what it loses."""

from typing import Any

import pytest
from anthropic.types import ToolUseBlock

from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.prepare import prepare_messages
from keel_ref.messages.rows import RowReason

PICTURE = {"type": "image"}


def said(text: Any, name: str | None = "m1") -> dict[str, Any]:
    """An assistant row."""
    return {"role": "assistant", "id": name, "content": text}


def called(*names: str, response: str = "m1") -> dict[str, Any]:
    """An assistant row with calls of these ids."""
    return said([{"type": "tool_use", "id": name, "name": "f", "input": {}} for name in names], response)


def answered(*names: str, content: Any = "out") -> dict[str, Any]:
    """A user row with results for these ids."""
    return {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": name, "content": content} for name in names],
    }


def asked(text: str) -> dict[str, Any]:
    """A prompt."""
    return {"role": "user", "content": text}


def attached(text: str) -> dict[str, Any]:
    """An attachment."""
    return {"role": "attachment", "content": text}


def shown(*rows: Any, pending: tuple[str, ...] = ()) -> list[str]:
    """The prepared messages in short: role, and for each block its id or text."""
    prepared = prepare_messages(list(rows), pending=pending).messages
    return [
        f"{message['role'][0]}: "
        + " ".join(
            str(block.get("id") or block.get("tool_use_id") or block.get("text") or block["type"])
            for block in message["content"]
        )
        for message in prepared
    ]


def told(*rows: Any, pending: tuple[str, ...] = ()) -> list[tuple[RowReason, int | None, str | None]]:
    """What is reported, in any order."""
    return sorted((one.reason, one.row, one.id) for one in prepare_messages(list(rows), pending=pending).reported)


@clause("MSG-001")
def test_which_rows_are_sent() -> None:
    """Users, assistants and attachments; what is unknown is reported, what is never sent is not."""
    rows = [
        asked("a"),
        {"role": "system", "text": "s"},
        {"role": "progress"},
        {"role": "x", "text": "x"},
        None,
        {"text": "y"},
    ]

    assert ["u: a"] == shown(*rows)
    assert [("bad-row", 4, None), ("unknown-role", 3, None), ("unknown-role", 5, None)] == told(*rows)


@clause("MSG-003")
def test_nothing_is_put_in_front() -> None:
    """A list that begins with an answer stays so."""

    assert ["a: hello"] == shown(said("hello"))


@clause("MSG-004")
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([asked("1"), attached("x"), attached("y")], ["u: x y 1"]),
        ([said("0"), asked("1"), attached("x"), asked("2"), attached("y")], ["a: 0", "u: x y 1 2"]),
        ([called("A"), answered("A"), asked("1"), attached("x")], ["a: A", "u: A x 1"]),
        ([attached("x"), said("0"), attached("y")], ["u: x", "a: 0", "u: y"]),
        ([said("0"), {"role": "system"}, attached("x")], ["a: 0", "u: x"]),
    ],
)
def test_attachments_move_up(rows: list[Any], expected: list[str]) -> None:
    """To directly behind the nearest answer or result above them, else to the front, in their order."""

    assert expected == shown(*rows)


@clause("MSG-005")
@pytest.mark.parametrize(("pictures", "gone"), [(99, 0), (100, 0), (101, 1), (150, 50)])
def test_a_hundred_media(pictures: int, gone: int) -> None:
    """The oldest go, those in results among them; a result that loses all it had says so."""
    result = answered("A", content=[PICTURE])
    rows = [called("A"), result, {"role": "user", "content": [PICTURE] * (pictures - 1)}]
    reported = told(*rows)

    assert gone == sum(reason == "media-cap" for reason, *_ in reported)
    assert (gone > 0) == (("empty-result", 1, "A") in reported)


@clause("MSG-006", "MSG-007")
@pytest.mark.parametrize(
    ("rows", "expected", "reported"),
    [
        ([called("A"), answered("A")], ["a: A", "u: A"], []),
        ([called("A")], ["a: A", "u: A"], [("missing-result", 0, "A")]),
        ([called("A"), asked("x")], ["a: A", "u: A x"], [("missing-result", 0, "A")]),
        ([answered("A"), asked("x")], ["u: x"], [("orphan-result", 0, "A")]),
        ([answered("A")], [], [("orphan-result", 0, "A")]),
        ([answered("A"), called("A")], ["a: A", "u: A"], [("missing-result", 1, "A"), ("orphan-result", 0, "A")]),
        ([called("A"), asked("x"), said("y", "m2"), answered("A")], ["a: A", "u: A x", "a: y"], []),
        ([called("A", "B"), answered("B"), answered("A")], ["a: A B", "u: B A"], []),
        ([called("A", "B"), answered("B")], ["a: A B", "u: B A"], [("missing-result", 0, "A")]),
        ([called("A"), answered("A", "A")], ["a: A", "u: A"], [("duplicate-result", 1, "A")]),
        ([called("A"), answered("A"), called("A", response="m2")], ["a: A", "u: A"], [("duplicate-call", 2, "A")]),
        ([called("A"), answered("A"), called("B"), answered("B")], ["a: A B", "u: A B"], []),
        ([called("A"), answered("A"), asked("x"), called("B"), answered("B")], ["a: A", "u: A x", "a: B", "u: B"], []),
        ([called("A"), attached("x"), called("B"), answered("A", "B")], ["a: A B", "u: A B x"], []),
    ],
)
def test_pairs(rows: list[Any], expected: list[str], reported: list[Any]) -> None:
    """Results find their calls, fragments of a response find together, and nothing is left alone."""

    assert expected == shown(*rows)
    assert reported == told(*rows)


@clause("MSG-007")
def test_pending_calls() -> None:
    """They stay without a result, have it if it is there, and no stand-in comes for them."""
    rows = [called("A", "B"), answered("B")]

    assert ["a: A B", "u: B"] == shown(*rows, pending=("A", "B", "nobody"))
    assert [("pending-call", 0, "A")] == told(*rows, pending=("A", "B", "nobody"))


@clause("MSG-007")
@pytest.mark.parametrize(
    ("content", "expected", "reasons"),
    [
        ("", [], ["empty"]),
        ([], [], ["empty"]),
        (None, [], ["empty"]),
        (7, [], ["bad-content"]),
        ({"type": "text"}, [], ["bad-content"]),
        ([{"type": "text", "text": ""}, {"type": "text"}], [], ["empty", "empty"]),
        ([{"type": "text", "text": " "}], ["u:  "], []),
        ([{"type": "text", "text": 7}], [], ["bad-block"]),
        ([None, "x", {}, {"type": 7}], [], ["bad-block"] * 4),
        ([{"type": "tool_use", "id": "A"}], [], ["bad-block"]),
        ([{"type": "x", "id": 1}], ["u: 1"], []),
        ([{"type": "thinking"}], ["u: thinking"], []),
    ],
)
def test_blocks_that_cannot_be_sent(content: Any, expected: list[str], reasons: list[str]) -> None:
    """Each is left out with its reason; what is merely unknown passes."""
    row = {"role": "user", "content": content}

    assert expected == shown(row)
    assert reasons == [reason for reason, *_ in told(row)]


@clause("MSG-007")
@pytest.mark.parametrize("name", [None, "", 7])
def test_a_call_needs_an_id(name: Any) -> None:
    """Without one nothing could answer it; a result outside a user row is as bad."""
    call = {"type": "tool_use", "id": name, "name": "f", "input": {}}

    assert [("bad-block", 0, None)] == told(said([call, {"type": "text", "text": "x"}]))
    assert [("bad-block", 0, "A")] == told(said([*answered("A")["content"], {"type": "text", "text": "x"}]))


@clause("MSG-020")
@pytest.mark.parametrize(
    ("content", "is_filled"),
    [
        (None, True),
        ("", True),
        (" \t\n\ufeff\u3000", True),
        ("\u200b", False),
        ("0", False),
        ([], True),
        ([{"type": "text", "text": " "}, {"type": "text"}], True),
        ([{"type": "text", "text": " "}, {"type": "text", "text": "x"}], False),
        ([PICTURE], False),
        ([None], False),
        ({}, False),
    ],
)
def test_empty_results(content: Any, is_filled: bool) -> None:
    """What holds nothing gets a short text, and keeps its id and its mark."""
    row = answered("A", content=content)
    row["content"][0]["is_error"] = False
    block = prepare_messages([called("A"), row]).messages[1]["content"][0]

    assert is_filled == bool(told(called("A"), row))
    assert ("A", False) == (block["tool_use_id"], block["is_error"])
    assert (block["content"] == content) != is_filled


@clause("MSG-007", "EST-034")
def test_objects_of_the_client_library() -> None:
    """They come out as plain blocks."""
    block = ToolUseBlock(type="tool_use", id="A", name="f", input={})
    found = prepare_messages([said([block]), answered("A")]).messages[0]["content"][0]

    assert {"type": "tool_use", "id": "A", "name": "f", "input": {}} == found


@clause("MSG-001", "MSG-007")
@pytest.mark.parametrize(
    ("messages", "pending", "message"),
    [
        ("x", (), "messages: a list of rows is expected, not str"),
        ([], "A", "pending: a list of ids is expected, not str"),
        ([], [1], "pending: every id is a text"),
        ([], None, "pending: a list of ids is expected, not NoneType"),
    ],
)
def test_arguments(messages: Any, pending: Any, message: str) -> None:
    """What is no list is named."""
    with pytest.raises(InvalidArgumentError) as caught:
        prepare_messages(messages, pending=pending)

    assert str(caught.value).startswith(message)
