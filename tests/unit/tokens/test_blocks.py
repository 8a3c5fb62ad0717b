"""What each kind of block and row costs, under both methods, and what is said about odd ones."""

from typing import Any

import pytest
from anthropic.types import Message, RedactedThinkingBlock, TextBlock, ThinkingBlock, ToolUseBlock, Usage

from keel_ref.choices import Choices, JsonResults, Unit
from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError, NotSerialisableError
from keel_ref.tokens import FAMILIES, estimate_messages, estimate_text
from keel_ref.tokens.bound import bound_tokens
from keel_ref.tokens.json_text import is_json_container

TABLE = FAMILIES["any"]


def documented(*blocks: Any, **options: Any) -> int:
    """Tokens of one user row with these blocks, by the documented rule."""
    return estimate_messages([{"role": "user", "content": list(blocks)}], method="documented", **options).tokens


def bounded(*blocks: Any) -> int:
    """The same by the bound, without what list and row add."""
    tokens = estimate_messages([{"role": "user", "content": list(blocks)}]).tokens
    return tokens - TABLE.list_tokens - TABLE.row_tokens


@clause("EST-001", "EST-002")
@pytest.mark.parametrize(("units", "tokens"), [(0, 0), (1, 0), (2, 1), (5, 1), (6, 2), (9, 2), (10, 3)])
def test_half_up(units: int, tokens: int) -> None:
    """A half of a token is one, less than a half is none."""

    assert tokens == estimate_text("x" * units, method="documented")


@clause("EST-003")
@pytest.mark.parametrize(("units", "tokens"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2)])
def test_half_up_at_two(units: int, tokens: int) -> None:
    """The same at the ratio of JSON."""

    assert tokens == estimate_text("x" * units, method="documented", kind="json")


@clause("EST-005", "EST-008")
@pytest.mark.parametrize(
    "block",
    [
        {"type": "text", "text": "123456", "citations": ["not counted"]},
        {"type": "thinking", "thinking": "123456", "signature": "not counted"},
        {"type": "redacted_thinking", "data": "123456", "text": "not counted"},
        {"type": "tool_result", "content": "123456", "tool_use_id": "not counted", "is_error": True},
        {"type": "tool_result", "content": [{"type": "text", "text": "123456"}]},
        {"type": "tool_use", "name": "1234", "id": "not counted"},
        {"type": "tool_use", "name": "1", "input": {"": 0}},
    ],
)
def test_what_counts_of_a_block(block: dict[str, Any]) -> None:
    """Each of these blocks has 6 units that count, or 7."""

    assert 2 == documented(block)


@clause("EST-007")
def test_a_call_is_rounded_once() -> None:
    """Name and input together are one text: 1 unit and 3 more make a token, though neither would by itself alone."""

    assert 1 == documented({"type": "tool_use", "name": "f", "input": 123})
    assert 2 == documented({"type": "tool_use", "name": "f", "input": "123"})  # the quotes count: 6 units
    assert 1 == documented({"type": "tool_use", "name": "abc", "input": None})  # a missing input is {}: 5 units
    assert 1 == documented({"type": "tool_use", "name": None, "input": {}})
    assert 1 == documented({"type": "tool_use", "name": 12, "input": {}})


@clause("EST-009")
def test_an_unknown_block_counts_as_a_whole() -> None:
    """Its form has 30 units, then 37; a picture inside it is part of the text."""

    assert 8 == documented({"type": "x", "a": {"b": "image"}})
    assert 9 == documented({"type": "x", "inner": {"type": "image"}})


@clause("EST-011")
@pytest.mark.parametrize("kind", ["image", "document"])
def test_nothing_of_a_picture_is_looked_at(kind: str) -> None:
    """What could not even be serialised does no harm there."""
    loop: list[Any] = []
    loop.append(loop)

    assert 2000 == documented({"type": kind, "source": loop, "text": b"x"})
    assert 2000 == documented({"type": "tool_result", "content": [{"type": kind, "text": "x" * 1_000}]})
    assert TABLE.image_tokens + TABLE.block_tokens == bounded({"type": kind, "source": loop})


@clause("EST-004")
@pytest.mark.parametrize(
    ("text", "is_json"),
    [
        ("[]", True),
        (" \t\r\n{} \n", True),
        ('{"a":1,"a":2}', True),
        ('["\\ud800"]', True),
        ("[1e999]", True),
        (f"[{'9' * 5_000}]", True),
        ("[" * 200 + "]" * 200, True),
        ("[" * 201 + "]" * 201, False),
        ('["[[["]', True),
        ("\ufeff[]", False),
        ("\xa0[]", False),
        ("[1,]", False),
        ("[NaN]", False),
        ("[-Infinity]", False),
        ("[] // x", False),
        ("[]\n[]", False),
        ('["\n"]', False),
        ("1", False),
        ('"[]"', False),
        ("", False),
        ("[01]", False),
        ("{'a':1}", False),
    ],
)
def test_json_as_a_whole(text: str, is_json: bool) -> None:
    """One object or array by the grammar, with blanks around it, and not too deep."""

    assert is_json == is_json_container(text)


@clause("EST-004")
def test_json_in_results_by_choice() -> None:
    """Only result texts are judged, each by itself, and only under value 2."""
    two = Choices(json_results=JsonResults.TWO)
    blocks: list[Any] = [
        {"type": "tool_result", "content": "[1,2,3,4]"},
        {"type": "tool_result", "content": [{"type": "text", "text": "[1,2,3,4]"}, {"type": "text", "text": "x"}]},
        {"type": "text", "text": "[1,2,3,4]"},
        {"type": "tool_use", "name": "", "input": [1, 2, 3, 4]},
    ]

    assert 2 + 2 + 0 + 2 + 2 == documented(*blocks)
    assert 5 + 5 + 0 + 2 + 2 == documented(*blocks, choices=two)


@clause("EST-012")
@pytest.mark.parametrize(
    ("role", "tokens", "reasons"),
    [
        ("user", 2, []),
        ("assistant", 2, []),
        ("attachment", 2, []),
        ("system", 0, []),
        ("progress", 0, []),
        ("tool", 2, ["unknown-role"]),
        ("User", 2, ["unknown-role"]),
        (None, 2, ["unknown-role"]),
        (7, 2, ["unknown-role"]),
    ],
)
def test_roles(role: Any, tokens: int, reasons: list[str]) -> None:
    """What is sent counts, what is unknown counts too and is reported, and what is never sent does not."""
    found = estimate_messages([{"role": role, "text": "12345678"}], method="documented")

    assert (tokens, reasons) == (found.tokens, [one.reason for one in found.reported])


@clause("EST-026")
@pytest.mark.parametrize(
    ("row", "tokens", "reasons"),
    [
        (None, 0, ["bad-row"]),
        ("ab", 1, ["bad-row"]),
        ([1, 2], 1, ["bad-row"]),
        ({"role": "user"}, 0, []),
        ({"role": "user", "content": "", "text": "not looked at"}, 0, []),
        ({"role": "user", "content": None, "text": "123456"}, 2, []),
        ({"role": "user", "content": []}, 0, []),
        ({"role": "user", "content": 1234567}, 2, ["bad-content"]),
        ({"role": "user", "content": {"a": 1}}, 2, ["bad-content"]),
        ({"role": "user", "content": [None]}, 0, ["bad-block"]),
        ({"role": "user", "content": ["abcd"]}, 2, ["bad-block"]),
        ({"role": "user", "content": [{"type": None}]}, 3, ["bad-block"]),
        ({"role": "user", "content": [[]]}, 1, ["bad-block"]),
        ({"role": "user", "content": [{"type": "text"}]}, 0, ["no-text"]),
        ({"role": "user", "content": [{"type": "text", "text": ""}]}, 0, []),
        ({"role": "user", "content": [{"type": "thinking", "thinking": [1, 2]}]}, 1, ["no-text"]),
        ({"role": "user", "content": [{"type": "redacted_thinking"}]}, 0, ["no-text"]),
        ({"role": "user", "content": [{"type": "tool_use"}]}, 1, ["no-text"]),
        ({"role": "user", "content": [{"type": "tool_result"}]}, 0, []),
        ({"role": "user", "content": [{"type": "tool_result", "content": 123456}]}, 2, ["bad-content"]),
    ],
)
def test_odd_values(row: Any, tokens: int, reasons: list[str]) -> None:
    """Each row of the table: what is missing is nothing, what is not understood counts by its form."""
    found = estimate_messages([row], method="documented")

    assert (tokens, reasons) == (found.tokens, [one.reason for one in found.reported])


@clause("EST-026")
def test_the_order_of_reports() -> None:
    """By row, then by block with those of no block first, then by reason, and each one once."""
    result = {"type": "tool_result", "content": [None, None, {"type": "text"}]}
    found = estimate_messages([{"role": "x", "content": [result, None]}, None], method="documented")

    assert [
        ("unknown-role", 0, None),
        ("bad-block", 0, 0),
        ("no-text", 0, 0),
        ("bad-block", 0, 1),
        ("bad-row", 1, None),
    ] == [(one.reason, one.row, one.block) for one in found.reported]


@clause("EST-027")
@pytest.mark.parametrize(
    ("row", "place"),
    [
        ({1: 2}, None),
        (b"x", "messages[1]"),
        ({"role": "user", "content": b"x"}, "messages[1]"),
        ({"role": "user", "content": ["ok", {"type": "x", "y": b"x"}]}, "messages[1].content[1]"),
        ({"role": "user", "content": [{"type": "text", "text": "x", "extra": b"x"}]}, None),
        ({"role": "user", "content": [{"type": "tool_use", "name": "f", "id": b"x"}]}, None),
        ({"role": "system", "content": b"x"}, None),
    ],
)
def test_what_has_no_form_is_named_by_its_place(row: Any, place: str | None) -> None:
    """Only what is counted is looked at."""
    messages: list[Any] = [{"role": "user"}, row]
    if place is None:
        estimate_messages(messages, method="documented")
        return
    with pytest.raises(NotSerialisableError) as caught:
        estimate_messages(messages, method="documented")

    assert place == caught.value.place


def results(depth: int) -> dict[str, Any]:
    """Results inside one another."""
    block: dict[str, Any] = {"type": "tool_result", "content": "1234"}
    for _ in range(depth):
        block = {"type": "tool_result", "content": [block]}
    return block


@clause("EST-027")
def test_the_levels_of_results() -> None:
    """A block and its list are one level each: level 199 holds the last block whose list may be read."""

    assert 1 == documented(results(99))
    assert 1 == documented(results(100))
    with pytest.raises(NotSerialisableError, match="more than 200 levels"):
        documented(results(101))


@clause("EST-032")
def test_the_bound_of_blocks() -> None:
    """A call is three texts, a result counts its id, and each block that is no text has its frame."""
    call = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"a": 1}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "out"}]}
    texts = [bound_tokens(text) for text in ("toolu_1", "Bash", '{"a":1}', "toolu_1", "out")]

    assert sum(texts[:3]) + TABLE.block_tokens == bounded(call)
    assert sum(texts[3:]) + TABLE.block_tokens == bounded(result)
    assert texts[4] == bounded({"type": "text", "text": "out"}, None)
    assert bound_tokens("7") + TABLE.block_tokens == bounded({"type": "tool_result", "tool_use_id": 7})


@clause("EST-032", "EST-024")
def test_frames() -> None:
    """An empty list is 0; a row that is null or never sent adds nothing but what the list adds; the rule adds none."""
    rows: list[Any] = [None, {"role": "system", "text": "x"}, {"role": "user"}, 1]

    assert 0 == estimate_messages([]).tokens
    assert TABLE.list_tokens == estimate_messages(rows[:2]).tokens
    assert TABLE.list_tokens + 2 * TABLE.row_tokens + bound_tokens("1") == estimate_messages(rows).tokens
    assert 0 == estimate_messages(rows, method="documented").tokens


@clause("EST-034")
def test_objects_of_the_client_library() -> None:
    """Only what was set counts: blocks, a whole message, and in an unknown block its fields in their order."""
    blocks: list[Any] = [
        TextBlock(type="text", text="12345678"),
        ToolUseBlock(type="tool_use", id="t", name="ls", input={}),
        ThinkingBlock(type="thinking", thinking="1234", signature="s"),
        RedactedThinkingBlock(type="redacted_thinking", data="1234"),
    ]
    usage = Usage(input_tokens=1, output_tokens=2)
    message = Message.model_construct(id="m", role="assistant", content=blocks, usage=usage)

    assert 2 + 1 + 1 + 1 == documented(*blocks)
    assert 2 + 1 + 1 + 1 == estimate_messages([message], method="documented").tokens
    assert documented({"type": "x", "text": "12345678"}) == documented(
        TextBlock.model_construct(type="x", text="12345678")
    )


@clause("EST-001")
def test_units_by_choice() -> None:
    """Four Han characters are four units and twelve bytes, a lone surrogate is one unit and three bytes."""

    assert 1 == documented({"type": "text", "text": "你好世界"})
    assert 3 == documented({"type": "text", "text": "你好世界"}, choices=Choices(unit=Unit.UTF8))
    assert (0, 1) == (
        documented({"type": "text", "text": "\ud800"}),
        documented({"type": "text", "text": "\ud800"}, choices=Choices(unit=Unit.UTF8)),
    )


@clause("EST-001", "EST-012", "EST-030")
@pytest.mark.parametrize(
    ("messages", "options", "message"),
    [
        ("text", {}, "messages: a list of rows is expected, not str"),
        (None, {}, "messages: a list of rows is expected, not NoneType"),
        ([], {"method": "Bound"}, "method: 'Bound' is neither documented nor bound"),
        ([], {"family": "gpt"}, "family: 'gpt' is none of "),
    ],
)
def test_arguments(messages: Any, options: dict[str, Any], message: str) -> None:
    """What is no list, no method and no family is named."""
    with pytest.raises(InvalidArgumentError) as caught:
        estimate_messages(messages, **options)

    assert str(caught.value).startswith(message)
