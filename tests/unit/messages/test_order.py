"""What is put in front of what, and what is not: attachments, the user context, pages of files."""

from typing import Any

from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.messages import prepare_messages
from keel_ref.tokens import estimate_messages, estimate_text


def texts(rows: list[Any]) -> list[str]:
    """Every text of the prepared messages, in the order sent."""
    return [block["text"] for message in prepare_messages(rows).messages for block in message["content"]]


@clause("MSG-004")
def test_attachments_follow_the_step_that_caused_them() -> None:
    """Behind the last answer, or in front of everything; in the order in which they came."""
    rows = [
        {"role": "attachment", "text": "a"},
        {"role": "user", "text": "1"},
        {"role": "attachment", "text": "b"},
        {"role": "assistant", "id": "m1", "text": "2"},
        {"role": "user", "text": "3"},
        {"role": "attachment", "text": "c"},
        {"role": "attachment", "text": "d"},
    ]

    assert ["a", "b", "1", "2", "c", "d", "3"] == texts(rows)


@clause("MSG-003")
def test_nothing_is_put_in_front() -> None:
    """A list that begins with an answer is sent so; the user context is the business of the request."""
    rows = [{"role": "assistant", "id": "m1", "text": "hello"}]

    assert [{"role": "assistant", "content": [{"type": "text", "text": "hello"}]}] == list(
        prepare_messages(rows).messages
    )


@clause("EST-006")
def test_a_result_costs_its_content_alone() -> None:
    """A string or a list of blocks; neither its id nor its mark."""
    string = {"type": "tool_result", "tool_use_id": "x" * 400, "is_error": True, "content": "12345678"}
    blocks = [{"type": "text", "text": "1234"}, {"type": "text", "text": "1234"}]

    assert 2 == estimate_messages([{"role": "user", "content": [string]}], method="documented").tokens
    assert (
        2
        == estimate_messages([{"role": "user", "content": [string | {"content": blocks}]}], method="documented").tokens
    )


@clause("MSG-021")
def test_a_page_costs_its_line_numbers() -> None:
    """The longest page of lines of one character costs three times what its raw lines cost."""
    page = "".join(f"{number}\tx\n" for number in range(1, DEFAULT.read_default_lines + 1))

    assert 3_223 == estimate_text(page, method="documented")
    assert 1_000 == estimate_text("x\n" * DEFAULT.read_default_lines, method="documented")
