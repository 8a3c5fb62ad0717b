"""Views and rounds of small lists."""

from typing import Any

import pytest
from anthropic.types import Message

from keel_ref import fast
from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.rounds import api_rounds
from keel_ref.messages.view import view_start

BOUNDARY = {"role": "system", "subtype": "compact_boundary"}


def listed(letters: str) -> list[Any]:
    """A list by letters: a capital is an assistant row with that id, `-` one without, `u` a prompt, `0` no row."""
    return [
        None
        if letter == "0"
        else {"role": "user"}
        if letter == "u"
        else {"role": "assistant"}
        if letter == "-"
        else {"role": "assistant", "id": letter}
        for letter in letters
    ]


@clause("MSG-010", "MSG-011", "MSG-012", "MSG-013", "MSG-014")
@pytest.mark.parametrize(
    ("letters", "starts"),
    [
        ("", []),
        ("u", [0]),
        ("uuu", [0]),
        ("0", [0]),
        ("A", [0]),
        ("uA", [0, 1]),
        ("Au", [0]),
        ("AuA", [0]),
        ("AB", [0, 1]),
        ("ABA", [0, 1, 2]),
        ("AuuBuB", [0, 3]),
        ("--", [0, 1]),
        ("A-A", [0, 1, 2]),
        ("u-uA", [0, 1, 3]),
        ("00A0B", [0, 2, 4]),
    ],
)
def test_where_rounds_open(letters: str, starts: list[int]) -> None:
    """At each new response, compared with the one before alone, and at the start."""
    rows = listed(letters)
    expected = list(zip(starts, [*starts[1:], len(rows)], strict=True)) if starts else []

    assert expected == api_rounds(rows) == fast.api_rounds(rows)


@clause("MSG-012")
@pytest.mark.parametrize("name", ["", None, 7, ["A"], True])
def test_what_is_no_id(name: Any) -> None:
    """Two rows whose ids are empty or no texts are two responses."""

    assert [(0, 1), (1, 2)] == fast.api_rounds([{"role": "assistant", "id": name}] * 2)


@clause("MSG-010", "EST-034")
def test_messages_of_the_client_library() -> None:
    """They carry role and id as plain rows do."""
    rows = [Message.model_construct(id=name, role="assistant", content=[]) for name in ("a", "a", "b")]

    assert [(0, 2), (2, 3)] == api_rounds(rows) == fast.api_rounds(rows)


@clause("MSG-002")
@pytest.mark.parametrize(
    ("rows", "start"),
    [
        ([], 0),
        ([{"role": "user"}], 0),
        ([BOUNDARY], 0),
        ([{}, BOUNDARY], 1),
        ([BOUNDARY, {}, BOUNDARY, {}], 2),
        ([{}, {**BOUNDARY, "role": "user"}], 0),
        ([{}, {"role": "system", "subtype": "informational"}], 0),
        ([{}, {"role": "system", "content": "compact_boundary"}, None], 0),
        ([{}, {"role": "System", "subtype": "compact_boundary"}], 0),
    ],
)
def test_where_the_view_begins(rows: list[Any], start: int) -> None:
    """At the last boundary, which is a system row of that subtype and nothing else."""

    assert start == view_start(rows)


@clause("MSG-001", "MSG-002", "MSG-010")
@pytest.mark.parametrize("function", [api_rounds, fast.api_rounds, view_start])
def test_what_is_no_list_is_refused(function: Any) -> None:
    """The argument is named."""
    with pytest.raises(InvalidArgumentError, match="messages: a list of rows is expected, not str"):
        function("rows")
