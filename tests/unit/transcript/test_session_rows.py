"""The rows of a session file, and the lines that a compaction adds."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keel_ref.compaction.attachments import attachment_row
from keel_ref.compaction.read_state import ReadState
from keel_ref.compaction.rebuild import BoundaryFacts, Summary, Trigger, rebuilt_list
from keel_ref.compaction.restore import file_row
from keel_ref.compaction.trace import Why
from keel_ref.messages.rows import is_boundary
from keel_ref.messages.view import view_start
from keel_ref.strategies.session_lines import session_files
from keel_ref.tokens.transcript import count_lines
from keel_ref.transcript.new_lines import Writer, as_line, new_lines
from keel_ref.transcript.reads import read_state_of
from keel_ref.transcript.session_rows import SessionRows, find_model, find_view, read_rows
from keel_ref.transcript.timestamps import read_timestamp, write_timestamp

SESSIONS = sorted((Path(__file__).parents[2] / "fixtures" / "sessions").glob("*.jsonl"))


def line(kind: str, **more: Any) -> bytes:
    """A line of a session file."""
    return json.dumps({"type": kind, **more}).encode() + b"\n"


def said(kind: str, content: Any, uuid: str | None = None, **more: Any) -> bytes:
    """A line that somebody said."""
    message = {"role": kind, "content": content, **more.pop("message", {})}
    return line(kind, message=message, **({} if uuid is None else {"uuid": uuid}), **more)


def boundary(uuid: str = "b", **about: Any) -> bytes:
    """The line of a boundary."""
    return line("system", subtype="compact_boundary", uuid=uuid, compactMetadata=about)


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_a_file_of_the_released_client_is_read(path: Path) -> None:
    """No line is broken; every row has its name and time."""
    found = read_rows(path.read_bytes().splitlines(keepends=True))

    assert (0, 0, ()) == (found.sidechain_rows, found.attachments, found.broken)
    assert all(row["uuid"] and row["at"] > 1_790_000_000_000 for row in found.rows)
    assert "/home/u/proj" == found.header["cwd"]
    assert "claude-sonnet-4-6" == found.model


def test_a_row_holds_what_the_chapters_speak_of() -> None:
    """Role, content, id, usage, name, time and marks, and nothing else."""
    usage = {"input_tokens": 5}
    found = read_rows(
        [
            said("user", "hi", "u1", timestamp="1970-01-01T00:00:01.5Z"),
            said("assistant", [], "u2", message={"id": "m", "usage": usage, "model": "a"}, requestId="r"),
            said("assistant", "no", message={"model": "<synthetic>"}, isApiErrorMessage=True),
            said("user", "short", isCompactSummary=True, isVisibleInTranscriptOnly=True),
            line("progress", uuid="p"),
        ]
    )

    assert (
        {"role": "user", "content": "hi", "uuid": "u1", "at": 1_500},
        {"role": "assistant", "content": [], "id": "m", "usage": usage, "uuid": "u2"},
        {"role": "assistant", "content": "no", "error": True},
        {"role": "user", "content": "short", "summary": True},
        {"role": "progress", "uuid": "p"},
    ) == found.rows
    assert ("a", "p", (1, 2, 3, 4, 5)) == (found.model, found.last_uuid, found.lines)


def test_what_is_no_row_of_the_conversation_is_left_out_and_counted() -> None:
    """Rows of the screen, of side chains and of the program; broken lines by their numbers."""
    found = read_rows(
        [
            b"{torn\n",
            b"\n",
            b"[1]",
            b"\xff",
            said("user", "seen only", isVisibleInTranscriptOnly=True),
            said("user", "of an agent", isSidechain=True),
            line("queue-operation", uuid="q"),
            line("attachment", attachment={"type": "skill_listing"}),
            line("attachment"),
            b"[" * 300 + b"]" * 300,
            b'{"type": ["user"], "uuid": {}}',
            said("user", "hi"),
        ],
        first_line=7,
    )

    assert ({"role": "user", "content": "hi"},) == found.rows
    assert ((7, 9, 10, 16), 2, 1, (18,)) == (found.broken, found.attachments, found.sidechain_rows, found.lines)


def test_a_row_that_is_written_twice_counts_once() -> None:
    """The first time decides; a row without a name is itself each time."""
    found = read_rows([said("user", "a", "u"), said("user", "b", "u"), said("user", "c"), said("user", "c")])

    assert ["a", "c", "c"] == [row["content"] for row in found.rows]
    assert 1 == found.repeated


def test_a_boundary_says_what_it_knows() -> None:
    """In the words of CMP-150; without metadata it still is one."""
    segment = {"headUuid": "h", "anchorUuid": "a", "tailUuid": "t"}
    found = read_rows([boundary("b1", trigger="auto", preTokens=7, preservedSegment=segment), boundary("b2")])

    full, bare = found.rows
    assert ("auto", 7, {"head": "h", "anchor": "a", "tail": "t"}) == (
        full["trigger"],
        full["tokens_before"],
        full["kept_segment"],
    )
    assert {"role": "system", "subtype": "compact_boundary", "uuid": "b2"} == bare
    assert all(map(is_boundary, found.rows))


def test_the_view_begins_at_the_last_boundary() -> None:
    """Also where a text speaks of one, where a side chain has one, and where one was written twice."""
    lines = [
        said("user", "x"),
        boundary("b1"),
        boundary("b2"),
        said("user", 'a "compact_boundary" of "type":"system"'),
        line("system", subtype="compact_boundary", isSidechain=True),
        boundary("b2"),
        said("user", "y"),
    ]

    start, number = find_view(b"".join(lines))

    assert (len(b"".join(lines[:2])), 3) == (start, number)
    assert (0, 1) == find_view(b"".join(lines[:1]))
    assert (0, 1) == find_view(b"")


def test_the_model_of_the_last_answer_is_found() -> None:
    """Also from below a boundary; an error and a text that speaks of a model name none."""
    answers = [said("assistant", "x", message={"model": name}) for name in ("first", "last")]
    others = [said("user", 'the "model"'), said("assistant", "x", message={"model": "y"}, isApiErrorMessage=True)]

    assert "last" == find_model(b"".join([*answers, *others]))
    assert None is find_model(b"".join(others))
    assert None is find_model(b"")


@settings(max_examples=settings().max_examples // 4)  # a whole file is dear to draw
@given(session_files())
def test_reading_never_fails_and_agrees_with_the_count(data: bytes) -> None:
    """Any bytes give rows; what is broken agrees with the estimate, and the view is the same read by itself."""
    lines = data.split(b"\n")
    found = read_rows(lines)
    start, number = find_view(data)
    cut = read_rows(data[start:].split(b"\n"), first_line=number)

    assert count_lines(lines).broken == len(found.broken)
    assert len(found.rows) == len(found.lines)
    if not found.repeated:
        assert found.rows[view_start(found.rows) :] == cut.rows[view_start(cut.rows) :]
        assert found.lines[view_start(found.rows) :] == cut.lines[view_start(cut.rows) :]


@pytest.mark.parametrize(
    ("text", "at_ms"),
    [
        ("1970-01-01T00:00:00.000Z", 0),
        ("1970-01-01T00:00:00Z", 0),
        ("2026-11-30T10:52:35.126Z", 1_796_035_955_126),
        ("2026-11-30T10:52:35.126999Z", 1_796_035_955_126),
        ("2024-02-29T23:59:59.999Z", 1_709_251_199_999),
        ("2026-11-30T12:52:35.126+02:00", 1_796_035_955_126),
        ("2026-11-30T05:22:35.126-0530", 1_796_035_955_126),
        ("1969-12-31T23:59:59.999Z", -1),
        ("2026-02-29T00:00:00Z", None),
        ("2026-13-01T00:00:00Z", None),
        ("2026-01-01T24:00:00Z", None),
        ("2026-01-01T00:00:60Z", None),
        ("2026-01-01T00:00:00", None),
        ("yesterday", None),
        (5, None),
        (None, None),
    ],
)
def test_times_are_read(text: object, at_ms: int | None) -> None:
    """As session files write them, and with another zone."""

    assert at_ms == read_timestamp(text)


@given(st.integers(0, 4_000_000_000_000))
def test_a_time_that_is_written_reads_the_same(at_ms: int) -> None:
    """To the millisecond."""

    assert at_ms == read_timestamp(write_timestamp(at_ms))


def reads(*steps: tuple[str, str, str] | str) -> ReadState:
    """The read-state behind some responses; each is a tool with its path and result, or a plain word."""
    rows: list[dict[str, Any]] = []
    for number, one in enumerate(steps):
        if isinstance(one, str):
            rows.append({"role": "assistant", "id": f"m{number}", "content": one})
            continue
        tool, path, result = one
        block = {"type": "tool_use", "id": f"t{number}", "name": tool, "input": {"file_path": path}}
        answer = {"type": "tool_result", "tool_use_id": f"t{number}", "content": result, "is_error": result == "error"}
        rows += [
            {"role": "assistant", "id": f"m{number}", "content": [block]},
            {"role": "user", "content": [answer]},
        ]
    return read_state_of(rows)


def test_each_response_turns_the_order_round() -> None:
    """Seven files read one by one, then a shell: the order that was observed, less the pass of the compaction."""
    state = reads(*(("Read", f"f{number}", "x") for number in range(7)), "shell")

    assert ["f6", "f4", "f2", "f0", "f1", "f3", "f5"] == list(state.pass_begun().paths)


def test_what_counts_as_read() -> None:
    """Reading, editing and writing; not what failed, and not other tools."""
    state = reads(
        ("Read", "/a", "x"), ("Edit", "/b", "y"), ("Write", "/c", "z"), ("Read", "/d", "error"), ("Grep", "/e", "x")
    )

    assert {"/a", "/b", "/c"} == {*state.paths}


def test_a_boundary_empties_it_and_what_is_put_back_counts() -> None:
    """Files behind a boundary are those that the list shows whole."""
    block = {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "/old"}}
    rows = [
        {"role": "assistant", "content": [block]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "x"}]},
        {"role": "system", "subtype": "compact_boundary"},
        file_row(Why.FILE_RESTORED, "/new", "text"),
        file_row(Why.FILE_NAMED, "/named", None),
    ]

    assert ["/new"] == list(read_state_of(rows).paths)


def compacted(before: SessionRows, *, keep: int = 0) -> list[bytes]:
    """The lines of a compaction of these rows."""
    rows = before.rows
    new = rebuilt_list(
        rows,
        BoundaryFacts(trigger=Trigger.MANUAL, tokens_before=17, at_ms=5),
        [Summary(text="what was \ud800 said")],
        kept_from=len(rows) - keep if keep else None,
        attachments=(
            file_row(Why.FILE_RESTORED, "/a", "one\ntwo"),
            file_row(Why.FILE_CUT, "/b", "part"),
            file_row(Why.FILE_NAMED, "/c", None),
            attachment_row("plan_mode", "plan"),
        ),
        hook_results=[{"role": "user", "content": "from a hook"}],
    )
    numbers = itertools.count()
    writer = Writer(
        header=before.header, after=before.last_uuid, at_ms=1_796_035_955_126, new_uuid=lambda: f"new-{next(numbers)}"
    )
    return list(new_lines(new.messages, writer))


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
@pytest.mark.parametrize("keep", [0, 2])
def test_a_compaction_reads_back(path: Path, keep: int) -> None:
    """Boundary, summary, kept rows, files and what hooks said, as a chain of the same session."""
    old = path.read_bytes().splitlines(keepends=True)
    before = read_rows(old)
    lines = compacted(before, keep=keep)
    after = read_rows([*old, *lines])

    view = after.rows[view_start(after.rows) :]
    assert ("manual", 17, before.last_uuid) == (view[0]["trigger"], view[0]["tokens_before"], view[0]["last_before"])
    assert ["system", "user", *["user", "assistant"][:keep]][:2] == [row["role"] for row in view][:2]
    assert view[1]["summary"] is True
    assert [row["content"] for row in before.rows[len(before.rows) - keep :]] == [
        row["content"] for row in view[2 : 2 + keep]
    ]
    assert keep == sum(row.get("kept") is True for row in view)
    assert ["/a", "/b", "/c"] == [row["path"] for row in view if row["role"] == "attachment"]
    assert "one\ntwo" == view[2 + keep]["content"][1]["text"]
    assert (1, "from a hook") == (after.attachments, view[-1]["content"])
    parsed = [json.loads(one) for one in lines]
    assert [None, *(row["uuid"] for row in parsed[:-1])] == [row["parentUuid"] for row in parsed]
    assert {before.header["sessionId"]} == {row["sessionId"] for row in parsed}
    assert {"2026-11-30T10:52:35.126Z"} == {row["timestamp"] for row in parsed}
    assert count_lines([*old, *lines]).boundaries == count_lines(old).boundaries + 1
    assert 0 == count_lines([*old, *lines]).broken


def test_a_line_is_utf8_whatever_stands_in_it() -> None:
    """A lone surrogate is escaped; other text stands as it is."""

    assert (b'{"a":"\xc3\xa9"}\n', b'{"a":"\\ud800"}\n') == (as_line({"a": "é"}), as_line({"a": "\ud800"}))


@settings(max_examples=settings().max_examples // 4)  # a whole file is dear to draw
@given(session_files(), st.integers(0, 4))
def test_a_compaction_of_any_session_can_be_written_and_read(data: bytes, keep: int) -> None:
    """Whatever stands in the rows that are kept."""
    before = read_rows(data.split(b"\n"))
    lines = compacted(before, keep=min(keep, len(before.rows)))
    after = read_rows(lines)

    assert () == after.broken
    assert is_boundary(after.rows[0])
    assert all(one.endswith(b"\n") and one.count(b"\n") == 1 for one in lines)
