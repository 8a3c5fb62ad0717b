"""Session files on the disk: read as a whole, and written as new files. Spec: EST-033."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from itertools import chain

from attrs import evolve, frozen

from keel_ref.adapters.new_file import NewFileError, check_new_file, write_new_file
from keel_ref.compaction.read_state import ReadEntry, ReadState
from keel_ref.errors import KeelError
from keel_ref.transcript.reads import read_state_of
from keel_ref.transcript.session_rows import SessionRows, find_model, find_view, read_rows

CAP_BYTES = 1024**3
"""A session is held in memory as a whole; a larger one is refused."""


class SessionFileError(KeelError):
    """A session file cannot be read, holds no session, or cannot be written."""

    def __init__(self, path: str, problem: str) -> None:
        """Say which file, and what to do."""
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


@frozen(kw_only=True)
class SessionFile:
    """A session file as it was when it was read."""

    path: str
    data: bytes
    """All of it."""
    view: SessionRows
    """What it says from the last boundary on."""
    first_line: int
    """The line with which that begins, counted from 1."""

    @property
    def model(self) -> str | None:
        """The model that answered last, before the boundary too; None: none did."""
        return self.view.model or find_model(self.data)

    @property
    def reads(self) -> ReadState:
        """The files that the session has read since the boundary. Spec: CMP-110."""
        return read_state_of(self.view.rows)


def read_session(path: str) -> SessionFile:
    """The session, of which only the part from the last boundary on is parsed. Raises `SessionFileError`."""
    data = _read(path)
    start, line = find_view(data)
    view = read_rows(data[start:].split(b"\n") if data[start:] else (), first_line=line)
    if not view.rows:
        raise SessionFileError(path, "holds no row of a session; name a .jsonl file that such a session wrote")
    return SessionFile(path=path, data=data, view=view, first_line=line)


def absolute(path: str) -> str:
    """The path from the root on, as it is written: no link is followed."""
    return os.path.abspath(path)


def absolute_reads(reads: ReadState, folder: str) -> ReadState:
    """The read-state with relative paths taken from a folder."""
    folder = absolute(folder)
    named: dict[str, ReadEntry] = {}
    for one in reads.entries:
        named.setdefault(os.path.normpath(os.path.join(folder, one.path)), one)
    return evolve(reads, entries=tuple(evolve(one, path=path) for path, one in named.items()))


def check_place(path: str, session: str, *, replaces: bool) -> None:
    """What can be known of a new file before it is written. Raises `SessionFileError`."""
    try:
        check_new_file(path, session, what="the session itself", replaces=replaces)
    except NewFileError as error:
        raise SessionFileError(path, error.problem) from error


def write_session(path: str, old: bytes, lines: Iterable[bytes], *, replaces: bool) -> None:
    """A new file: what the old one held, byte for byte, and the lines behind it. Raises `SessionFileError`.

    It is written under another name first and is there all at once; without `replaces` nothing there is touched.
    """
    end = b"" if not old or old.endswith(b"\n") else b"\n"
    try:
        write_new_file(path, chain((old, end), lines), replaces=replaces)
    except NewFileError as error:
        raise SessionFileError(path, error.problem) from error


def _read(path: str) -> bytes:
    try:
        with open(path, "rb", opener=_open) as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise SessionFileError(path, "is no regular file; name the file of a session")
            if found.st_size > CAP_BYTES:
                raise SessionFileError(path, f"holds more than {CAP_BYTES:,} bytes")
            return file.read(CAP_BYTES)
    except OSError as error:
        raise SessionFileError(path, f"cannot be read ({error.strerror or error})") from error


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe does not keep us waiting
