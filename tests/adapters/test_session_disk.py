"""Session files, saved results and restored files on a real disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from keel_ref.adapters.api_errors import Refused, one_line, why_refused
from keel_ref.adapters.clock import SetClock, SystemClock
from keel_ref.adapters.disk import DiskTree
from keel_ref.adapters.restore_disk import read_files
from keel_ref.adapters.result_store import save_results
from keel_ref.adapters.session_file import (
    SessionFileError,
    absolute_reads,
    check_place,
    read_session,
    write_session,
)
from keel_ref.choices import Choices
from keel_ref.compaction.disk_file import FileState
from keel_ref.compaction.read_state import ReadState
from keel_ref.compaction.result_select import Save
from keel_ref.compaction.trace import Why
from keel_ref.conformance.marks import clause
from keel_ref.ports import Clock

ROW = b'{"type":"user","message":{"role":"user","content":"hi"}}\n'


def save_at(path: Path, text: str = "whole") -> Save:
    """A result that is to be saved there."""
    return Save(id="t", row=0, path=str(path), file_text=text, preview="w", text=text, why=Why.SAVED_FOR_LIMIT)


@clause("CMP-028")
def test_a_result_is_written_once(tmp_path: Path) -> None:
    """Folders are made; a file that is there stays as it is and counts as written."""
    path = tmp_path / "a" / "b" / "t.txt"

    first, second = save_results([save_at(path)]), save_results([save_at(path, "other")])

    assert ({"t": True}, {"t": True}, ()) == (first.event.outcomes, second.event.outcomes, second.problems)
    assert "whole" == path.read_text()


@clause("CMP-028")
@pytest.mark.parametrize("kind", ["folder", "link", "dangling", "fifo", "file-above", "null"])
def test_what_is_in_the_way_is_a_failed_save(tmp_path: Path, kind: str) -> None:
    """Nothing is followed, opened or replaced; the reason is told."""
    path = tmp_path / "t.txt"
    (tmp_path / "target").write_text("mine")
    match kind:
        case "folder":
            path.mkdir()
        case "link" | "dangling":
            path.symlink_to(tmp_path / ("target" if kind == "link" else "nowhere"))
        case "fifo":
            os.mkfifo(path)
        case "file-above":
            path = tmp_path / "target" / "t.txt"
        case _:
            path = tmp_path / "a\0b"

    saved = save_results([save_at(path)])

    assert {"t": False} == saved.event.outcomes
    assert "the result stays whole" in saved.problems[0]
    assert "mine" == (tmp_path / "target").read_text()
    assert not (tmp_path / "nowhere").exists()


@clause("CMP-028")
def test_no_part_is_left_where_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full; what stands there later would be taken for the whole."""

    def full(handle: int, _: str) -> None:
        os.close(handle)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    saved = save_results([save_at(tmp_path / "t.txt")])

    assert {"t": False} == saved.event.outcomes
    assert "No space left on device" in saved.problems[0]
    assert [] == list(tmp_path.iterdir())


def test_a_lone_surrogate_can_be_saved(tmp_path: Path) -> None:
    """As its three bytes."""
    assert {"t": True} == save_results([save_at(tmp_path / "t.txt", "\ud800")]).event.outcomes

    assert b"\xed\xa0\x80" == (tmp_path / "t.txt").read_bytes()


@clause("CMP-113", "CMP-114")
def test_files_are_read_in_the_order_in_which_they_are_tried(tmp_path: Path) -> None:
    """By age, or as they were given; a file that is gone or no text takes no place."""
    names = [str(tmp_path / f"f{number}") for number in range(9)]
    for number, name in enumerate(names):
        Path(name).write_bytes(b"\0" if number == 8 else b"x")
        os.utime(name, (number, number))
    os.unlink(names[7])

    newest = read_files(names, DiskTree())
    given = read_files(names, DiskTree(), choices=Choices.of({"compaction.restore_recency": "read"}))

    assert [8, 6, 5, 4, 3, 2] == [int(path[-1]) for path in newest.contents]
    assert [0, 1, 2, 3, 4] == [int(path[-1]) for path in given.contents]
    assert 1_000_000 == newest.modified_us[names[1]]
    assert FileState.GONE is read_files([names[7]], DiskTree()).contents[names[7]].state


def test_a_session_is_read_from_its_last_boundary_on(tmp_path: Path) -> None:
    """Lines above it are no part of the view; their numbers count."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(ROW * 3 + b'{"type":"system","subtype":"compact_boundary","uuid":"b"}\n' + b"{torn\n" + ROW)

    session = read_session(str(path))

    assert (4, (5,), 2) == (session.first_line, session.view.broken, len(session.view.rows))
    assert None is session.model


@pytest.mark.parametrize("data", [b"", b"\n\n", b"text\n", b'{"type":"summary"}\n'])
def test_what_is_no_session_is_refused(tmp_path: Path, data: bytes) -> None:
    """With what to do."""
    (tmp_path / "s").write_bytes(data)

    with pytest.raises(SessionFileError, match=r"holds no row of a session; name a \.jsonl file"):
        read_session(str(tmp_path / "s"))


def test_a_new_session_is_there_at_once_or_not_at_all(tmp_path: Path) -> None:
    """A line that fails in the middle leaves nothing, neither under its own name nor under another."""

    def lines() -> object:
        yield ROW
        raise OSError(28, "No space left on device")

    with pytest.raises(SessionFileError, match="No space left"):
        write_session(str(tmp_path / "new"), b"old", lines(), replaces=False)  # type: ignore[arg-type]

    assert [] == list(tmp_path.iterdir())
    write_session(str(tmp_path / "new"), b"old", [ROW], replaces=False)
    assert b"old\n" + ROW == (tmp_path / "new").read_bytes()
    with pytest.raises(SessionFileError, match="is there already"):
        write_session(str(tmp_path / "new"), b"", [ROW], replaces=False)
    write_session(str(tmp_path / "new"), b"", [ROW], replaces=True)
    assert ROW == (tmp_path / "new").read_bytes()


def test_a_link_to_the_session_is_the_session(tmp_path: Path) -> None:
    """Hard or soft."""
    session = tmp_path / "s"
    session.write_bytes(ROW)
    os.link(session, tmp_path / "hard")

    with pytest.raises(SessionFileError, match="never changed"):
        check_place(str(tmp_path / "hard"), str(session), replaces=True)


def test_relative_reads_are_taken_from_the_folder() -> None:
    """Two names of one file are one; the later read decides its place."""
    state = ReadState()
    for path in ("a", "/r/b", "./a", "../c"):
        state, _ = state.after_read(path)

    assert ["/c", "/r/a", "/r/b"] == list(absolute_reads(state, "/r").paths)


class Error:
    """An error as the package has it."""

    def __init__(self, status: int | None, text: str) -> None:
        """With the body of the server."""
        self.status_code = status
        self.body = {"type": "error", "error": {"type": "x", "message": text}}


@clause("CMP-092", "CMP-170")
@pytest.mark.parametrize(
    ("status", "text", "why"),
    [
        (400, "prompt is too long: 211539 tokens > 200000 maximum", Refused.TOO_LONG),
        (400, "Prompt is too long", Refused.TOO_LONG),
        (400, "input length and `max_tokens` exceed context limit: 1 + 2 > 2", Refused.TOO_LONG),
        (413, "", Refused.TOO_LARGE),
        (400, "image exceeds 5 MB maximum: 6 bytes > 5 bytes", Refused.TOO_LARGE),
        (400, "A maximum of 100 PDF pages may be provided", Refused.TOO_LARGE),
        (400, "max_tokens: 1 > 0, which is the maximum allowed", Refused.OTHER),
        (401, "prompt is too long", Refused.OTHER),
        (500, "prompt is too long", Refused.OTHER),
        (None, "prompt is too long", Refused.OTHER),
    ],
)
def test_why_a_request_was_refused(status: int | None, text: str, why: Refused) -> None:
    """By the status first; a word in an error of another kind means nothing."""

    assert why is why_refused(Error(status, text))


def test_a_line_is_a_line() -> None:
    """However long the answer of a server is."""

    assert "a b" == one_line(" a\n b ")
    assert 201 == len(one_line("x" * 1_000))


@pytest.mark.parametrize("clock", [SystemClock(), SetClock(at_ms=1_800_000_000_000)])
def test_a_clock_says_milliseconds(clock: Clock) -> None:
    """Since 1970."""

    assert 1_700_000_000_000 < clock.now_ms() < 10**13
