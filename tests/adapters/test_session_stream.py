"""Session files on this disk, read line by line."""

import os
from pathlib import Path

import pytest

from keel_ref.adapters.session_file import SessionFileError
from keel_ref.adapters.session_stream import STEP_BYTES, read_session_log
from keel_ref.constants import DEFAULT
from keel_ref.transcript.log import Reason

ROW = b'{"type":"user","uuid":"%d","message":{"content":"%s"}}\n'


@pytest.mark.parametrize("kind", ["folder", "fifo", "nothing"])
def test_what_is_no_regular_file_is_refused(kind: str, tmp_path: Path) -> None:
    """With a word that says so, and at once: a pipe on which nobody writes does not keep anybody waiting."""
    place = tmp_path / "s.jsonl"
    if kind == "folder":
        place.mkdir()
    elif kind == "fifo":
        os.mkfifo(place)

    with pytest.raises(SessionFileError, match=r"regular|cannot be read"):
        read_session_log(str(place))


def test_a_line_beyond_the_bound_is_told_and_its_neighbours_are_read(tmp_path: Path) -> None:
    """It is passed over in pieces; the one before it and the one behind it stand. Spec: TRN-002."""
    place = tmp_path / "s.jsonl"
    with place.open("wb") as file:
        file.write(ROW % (1, b""))
        file.truncate(file.tell() + DEFAULT.line_cap_bytes + 1)  # a hole of NUL bytes
        file.seek(0, os.SEEK_END)
        file.write(b"\n" + ROW % (2, b""))
    log = read_session_log(str(place))

    assert (3, ["1", "2"]) == (log.lines, [row.uuid for row in log.rows])
    assert [(2, Reason.LONG_LINE)] == [(one.line, one.reason) for one in log.problems if one.line == 2]


def test_somebody_who_waits_is_told_how_far_it_is(tmp_path: Path) -> None:
    """The amounts add up to the file, and come before its end."""
    place = tmp_path / "s.jsonl"
    place.write_bytes(b"".join(ROW % (n, b"x" * 1_000_000) for n in range(6)))
    told: list[int] = []
    read_session_log(str(place), on_bytes=told.append)

    assert place.stat().st_size == sum(told)
    assert len(told) > 1
    assert told[0] >= STEP_BYTES
