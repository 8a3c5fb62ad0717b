"""What a session file counts: its lines, its rows, and what stands in the way of both."""

import json
from pathlib import Path

import pytest

from keel_ref.tokens.transcript import TranscriptEstimate, count_lines

FIXTURES = Path(__file__).parents[2] / "fixtures" / "sessions"
LEVELS = 200


def row(content: object = "12345678", **keys: object) -> bytes:
    """A line of a user row with this content and these keys; two tokens by default."""
    return json.dumps({"type": "user", "message": {"role": "user", "content": content}, **keys}).encode()


def count(*lines: bytes, method: str = "documented") -> TranscriptEstimate:
    """The figures of these lines."""
    return count_lines([line + b"\n" for line in lines], method=method)


@pytest.mark.clause("EST-033")
@pytest.mark.parametrize("line", [b"", b" ", b"\t \t", b"\r"])
def test_a_blank_line_is_a_line_and_nothing_else(line: bytes) -> None:
    """Blanks, tabs and CR alone are passed over."""

    assert TranscriptEstimate(
        lines=1,
        broken=0,
        boundaries=0,
        attachments=0,
        rows=0,
        tokens=0,
        since_boundary=0,
        sidechain_rows=0,
        sidechain_tokens=0,
    ) == count(line)


@pytest.mark.clause("EST-033")
@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b"3",
        b"{",
        b"{}{}",
        b"{}\0",
        b'{"a":NaN}',
        b'{"a":01}',
        b'{"a":"\t"}',
        b'{"a":"\\x"}',
        b'{"a":"\xff"}',
        b'{"a":"\xed\xa0\x80"}',
        b"\xef\xbb\xbf{}",
        b'{"a":' + b"[" * LEVELS + b"]" * LEVELS + b"}",
    ],
)
def test_a_broken_line_hides_no_other(line: bytes) -> None:
    """It is counted as broken, and the rows around it as ever."""
    found = count(row(), line, row())

    assert (3, 1, 2, 4) == (found.lines, found.broken, found.rows, found.tokens)


@pytest.mark.clause("EST-033")
def test_the_deepest_line_counts() -> None:
    """200 levels are no fault."""
    inner = LEVELS - 1

    assert 0 == count(b'{"a":' + b"[" * inner + b"]" * inner + b"}").broken


@pytest.mark.clause("EST-033")
def test_a_key_that_stands_twice_has_its_last_value() -> None:
    """However it is written."""
    line = b'{"type":"user","message":{"content":"12345678"},"mess\\u0061ge":{"content":"1234"}}'

    assert 1 == count(line).tokens


@pytest.mark.clause("EST-033")
def test_a_lone_surrogate_that_is_escaped_is_text() -> None:
    """It is one unit."""

    assert 2 == count(row("\ud83d" * 8)).tokens


@pytest.mark.clause("EST-033")
@pytest.mark.parametrize(
    ("keys", "rows"),
    [
        ({"isVisibleInTranscriptOnly": True}, 0),
        ({"isVisibleInTranscriptOnly": True, "isCompactSummary": True}, 1),
        ({"isVisibleInTranscriptOnly": 1}, 1),
        ({"isVisibleInTranscriptOnly": True, "isCompactSummary": "true"}, 0),
        ({"type": "progress"}, 0),
        ({"type": "assistant"}, 1),
        ({"type": ["user"]}, 0),
    ],
)
def test_which_rows_count(keys: dict[str, object], rows: int) -> None:
    """Those of users and assistants, unless only the screen shows them; a summary is for the model."""

    assert rows == count(row(**keys)).rows


@pytest.mark.clause("EST-033")
def test_what_stands_behind_the_last_boundary() -> None:
    """The sum starts again at each boundary, and a boundary is no row."""
    boundary = b'{"type":"system","subtype":"compact_boundary"}'
    found = count(row(), boundary, row(), boundary, row("1234"))

    assert (2, 5, 1) == (found.boundaries, found.tokens, found.since_boundary)


@pytest.mark.clause("EST-033")
def test_side_chains_are_kept_apart() -> None:
    """Their rows and tokens have figures of their own."""
    found = count(row(), row("1234", isSidechain=True))

    assert (1, 2, 1, 1) == (found.rows, found.tokens, found.sidechain_rows, found.sidechain_tokens)


@pytest.mark.clause("EST-033")
@pytest.mark.parametrize("message", ["text", None, [1], {"content": None}])
def test_a_row_without_content_is_a_row(message: object) -> None:
    """A message that is no object has none; a row costs its frame by the bound."""

    assert (1, 0) == (count(row(message=message)).rows, count(row(message=message)).tokens)
    assert 8 == count(row(message=message), method="bound").tokens


@pytest.mark.clause("EST-033")
def test_attachments_cost_nothing() -> None:
    """The file does not say how they are rendered."""
    found = count(row(type="attachment"))

    assert (1, 0, 0) == (found.attachments, found.rows, found.tokens)


@pytest.mark.clause("EST-033")
@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_files_of_the_client_are_sound(path: Path) -> None:
    """No line of them is broken, and they hold rows."""
    with path.open("rb") as file:
        found = count_lines(file, method="documented")

    assert 0 == found.broken
    assert 0 < found.rows
