"""Session files as the client wrote them, and what the reader keeps of a row."""

import json
from pathlib import Path
from typing import Any

import pytest

from keel_ref.adapters.session_stream import read_session_log
from keel_ref.constants import DEFAULT
from keel_ref.transcript.context import context_of
from keel_ref.transcript.lines import read_line
from keel_ref.transcript.log import Kind, Reason, SessionLog
from keel_ref.transcript.reader import read_log

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"
NAMES = sorted(path.name for path in SESSIONS.glob("*.jsonl"))


def lines_of(name: str) -> list[bytes]:
    """The lines of a recorded session."""
    return (SESSIONS / name).read_bytes().splitlines(keepends=True)


def log_of(*rows: dict[str, Any]) -> SessionLog:
    """The log of a file of these rows."""
    return read_log(json.dumps(row).encode() + b"\n" for row in rows)


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_session_gives_no_cause_for_complaint(name: str) -> None:
    """Ten files of the client, of which every row is in the conversation. Spec: TRN-001, TRN-010, TRN-016."""
    log = read_session_log(str(SESSIONS / name))

    assert () == log.complaints
    assert set(range(len(log.rows))) == set(log.conversation)


@pytest.mark.parametrize("name", NAMES)
def test_from_the_disk_and_from_lines_is_the_same(name: str) -> None:
    """The reader of files and the one of lines agree, with and without line ends. Spec: TRN-001, TRN-002."""
    lines = lines_of(name)

    assert read_log(lines) == read_session_log(str(SESSIONS / name))
    assert read_log(lines) == read_log(line.rstrip(b"\n") for line in lines)


@pytest.mark.parametrize("name", NAMES)
def test_a_boundary_says_the_size_of_the_context_before_it(name: str) -> None:
    """What the client recorded is what the counter gives for the rows above. Spec: TRN-020, TRN-033."""
    lines, log = lines_of(name), read_log(lines_of(name))
    boundaries = [(row.line, row.boundary.pre_tokens) for row in log.rows if row.boundary is not None]

    assert [pre for _, pre in boundaries] == [context_of(read_log(lines[: line - 1])).tokens for line, _ in boundaries]


def test_there_are_ten_of_them() -> None:
    """None was lost on the way, and some hold boundaries. Spec: TRN-020."""
    logs = [read_log(lines_of(name)) for name in NAMES]

    assert 10 == len(logs)
    assert 7 == sum(row.boundary is not None for log in logs for row in log.rows)


def test_rows_of_one_response_are_written_apart_and_counted_once() -> None:
    """Eight calls at once: one input of many. Spec: TRN-011, TRN-030, TRN-031."""
    log = read_log(lines_of("eight-parallel-results.jsonl"))
    kinds = [log.rows[place].kind for place in log.conversation]

    assert [Kind.USER, *[Kind.ASSISTANT] * 8, *[Kind.USER] * 8, Kind.ASSISTANT] == kinds
    assert (2, 9) == (log.totals.responses, log.naive.responses)
    assert (1_100, 8_100) == (log.totals.input_total, log.naive.input_total)


@pytest.mark.parametrize("name", ["auto-compact-thrice.jsonl", "seven-files-read-then-compact.jsonl"])
def test_the_view_is_that_of_the_file_cut_at_its_last_boundary(name: str) -> None:
    """What stands above has no influence. Spec: TRN-022."""
    lines, log = lines_of(name), read_log(lines_of(name))
    first = log.rows[log.view[0]].line
    cut = read_log(lines[first - 1 :])

    assert [log.rows[place].line - first + 1 for place in log.view] == [cut.rows[place].line for place in cut.view]


def test_a_line_is_read_up_to_its_bound() -> None:
    """64 MiB are a line, and one byte more is not. Spec: TRN-002."""
    cap = DEFAULT.line_cap_bytes
    line = b" " * (cap + 1)

    assert None is read_line(line[:cap] + b"\n")
    assert Reason.LONG_LINE is read_line(line)
    assert [Reason.LONG_LINE] == [one.reason for one in read_log([None]).problems]


@pytest.mark.parametrize("tail", [b"", b"\n", b"\r\n", b"\t \n"])
def test_a_line_may_end_in_several_ways(tail: bytes) -> None:
    """The end of a line is no part of its object. Spec: TRN-002."""

    assert {"type": "user"} == read_line(b'{"type":"user"}' + tail)


def test_reading_on_finds_the_line_that_was_not_finished() -> None:
    """A session that still runs loses nothing. Spec: TRN-002."""
    whole = b'{"type":"user","uuid":"a"}\n{"type":"user","uuid":"b","parentUuid":"a"}\n'

    assert [Reason.INCOMPLETE_LINE] == [one.reason for one in read_log(whole[:-5].splitlines(keepends=True)).problems]
    assert (0, 1) == read_log(whole.splitlines(keepends=True)).conversation


def test_a_row_keeps_no_text() -> None:
    """What stays of a long result is its size, its beginning and what tells it apart. Spec: TRN-001, TRN-003."""
    result = {"type": "tool_result", "tool_use_id": "t", "content": "x" * 5_000, "is_error": True}
    log = log_of({"type": "user", "uuid": "a", "agentId": "x", "isSidechain": True, "message": {"content": [result]}})
    row = log.rows[0]
    (block,) = row.blocks

    assert ("x", "t", 5_000, 100, True) == (row.agent, block.id, block.units, len(block.head), block.is_error)
    assert row.tokens == block.tokens == 1_250


def test_equal_texts_are_known_again() -> None:
    """The digest is of the text and of nothing else; an empty text has none. Spec: TRN-003."""
    rows = [
        {"type": "user", "uuid": str(n), "message": {"content": text}} for n, text in enumerate(["a", "b", "a", ""])
    ]
    digests = [row.blocks[0].digest for row in log_of(*rows).rows]

    assert digests[0] == digests[2] != digests[1]
    assert 0 == digests[3]


def test_an_attachment_names_its_files() -> None:
    """Path, type and estimate of each. Spec: TRN-005."""
    files = [
        {"type": "Project", "path": "/r/CLAUDE.md", "content": "12345678"},
        {"filename": "/r/b.md", "content": None},
    ]
    log = log_of({"type": "attachment", "uuid": "a", "attachment": {"type": "instructions", "files": files}})
    row = log.rows[0]

    assert (Kind.ATTACHMENT, "instructions") == (row.kind, row.subtype)
    assert [("Project", "/r/CLAUDE.md", 2), ("file", "/r/b.md", 0)] == [
        (block.kind, block.path, block.tokens) for block in row.blocks
    ]


def test_what_is_shown_alone_and_what_copies_say() -> None:
    """A row for the screen costs nothing; a copy is a note, and changed it is a complaint. Spec: TRN-004."""
    shown = {"type": "user", "uuid": "a", "message": {"content": "12345678"}, "isVisibleInTranscriptOnly": True}
    log = log_of(shown, shown, {**shown, "isMeta": True})

    assert [0] == [row.tokens for row in log.rows]
    assert [Reason.DUPLICATE_UUID, Reason.CHANGED_DUPLICATE] == [one.reason for one in log.problems]
    assert [Reason.CHANGED_DUPLICATE] == [one.reason for one in log.complaints]


def test_the_model_is_that_of_the_last_answer_of_a_model() -> None:
    """Rows that a client wrote itself name none. Spec: TRN-032."""
    rows = [
        {"type": "assistant", "uuid": "a", "message": {"model": "m", "usage": {"input_tokens": 1}}},
        {"type": "assistant", "uuid": "b", "parentUuid": "a", "message": {"model": "<synthetic>"}},
    ]
    log = log_of(*rows)

    assert "m" == log.model
    assert [1] == [response.usage.input_tokens for response in log.responses]
