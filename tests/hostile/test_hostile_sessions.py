"""Session files that somebody made to stop a reader: each is refused with a reason, or read past."""

import os
import tracemalloc
from pathlib import Path

import pytest

from keel_ref.adapters.session_file import SessionFileError
from keel_ref.adapters.session_stream import read_session_log
from keel_ref.transcript.log import SessionLog

pytestmark = pytest.mark.usefixtures("within_time")

ROW = b'{"type":"user","uuid":"a","parentUuid":null,"message":{"content":"x"}}\n'
LAST = b'{"type":"assistant","uuid":"b","parentUuid":"a","message":{"content":"y"}}\n'
LONG_BYTES = 200_000_000
MEMORY_BYTES = 160 << 20
"""Twice the longest line that is read, and a little."""


def told(log: SessionLog) -> list[tuple[int, str]]:
    """What was found, by line."""
    return [(problem.line, problem.reason.value) for problem in log.problems]


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    """Nobody will ever write to it."""
    os.mkfifo(tmp_path / "s.jsonl")

    with pytest.raises(SessionFileError, match="no regular file"):
        read_session_log(str(tmp_path / "s.jsonl"))


@pytest.mark.parametrize("name", [".", "none", "loop"])
def test_what_is_no_file_is_refused(tmp_path: Path, name: str) -> None:
    """A folder, nothing, a link to itself."""
    (tmp_path / "loop").symlink_to("loop")

    with pytest.raises(SessionFileError):
        read_session_log(str(tmp_path / name))


def test_a_line_without_end_takes_bounded_memory(tmp_path: Path) -> None:
    """Only a piece of it is held at a time, and the lines beside it are read."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(ROW)
    os.truncate(path, LONG_BYTES)  # a hole, which takes no room on the disk
    with path.open("ab") as file:
        file.write(b"\n" + LAST)
    tracemalloc.start()
    try:
        log = read_session_log(str(path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert [(2, "long-line")] == told(log)
    assert (0, 1) == log.conversation
    assert MEMORY_BYTES > peak


def test_a_line_without_end_at_the_end_is_told(tmp_path: Path) -> None:
    """The same where the file stops in the middle of it."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(ROW)
    os.truncate(path, LONG_BYTES)

    assert [(2, "long-line")] == told(read_session_log(str(path)))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"x":' + b"[" * 1_000_000 + b"\n", "deep-line"),
        (b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n", "deep-line"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n", "deep-line"),
        (b"\0" * 1_000_000 + b"\n", "broken-line"),
        (b'{"x":"\xed\xa0\x80"}\n', "broken-line"),
        (b"\xef\xbb\xbf" + LAST, "broken-line"),
        (b'{"x":' + b"9" * 100_000 + b"}\n", "no-kind"),
    ],
    ids=["open brackets", "lists", "objects", "NUL", "surrogate in bytes", "byte order mark", "long number"],
)
def test_a_line_made_to_be_hard_is_told(tmp_path: Path, line: bytes, reason: str) -> None:
    """Its neighbours are read."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(ROW + line + LAST)
    log = read_session_log(str(path))

    assert [(2, reason)] == told(log)
    assert (0, 1) == log.conversation
