"""A session file on this disk, read line by line, so that it may be larger than the memory. Spec: TRN-001, TRN-002."""

from __future__ import annotations

import gc
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, Final

from keel_ref import fast
from keel_ref.adapters.session_file import SessionFileError
from keel_ref.constants import DEFAULT
from keel_ref.transcript.log import SessionLog
from keel_ref.transcript.reader import read_log

STEP_BYTES: Final = 4 * 1024 * 1024
"""So much is read between two words about it."""
_BUFFER_BYTES: Final = 1024 * 1024


def read_session_log(path: str, *, on_bytes: Callable[[int], None] = lambda _: None) -> SessionLog:
    """What the session file says. `on_bytes` is told how many more bytes have been done. Raises `SessionFileError`."""
    try:
        with open(path, "rb", buffering=_BUFFER_BYTES, opener=_open) as file, _uncollected():
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise SessionFileError(path, "is no regular file; name the file of a session")
            return read_log(_lines(file, on_bytes), cost=_cost)
    except OSError as error:
        raise SessionFileError(path, f"cannot be read ({error.strerror or error})") from error


def _cost(row: Any) -> int:
    return fast.estimate_messages([row], method="documented")


def _lines(file: IO[bytes], on_bytes: Callable[[int], None]) -> Iterator[bytes | None]:
    """The lines; None for one that is too long, of which no more than a piece is held at a time. Spec: TRN-002."""
    cap, untold = DEFAULT.line_cap_bytes, 0
    while line := file.readline(cap + 1):
        untold += len(line)
        if len(line.removesuffix(b"\n")) > cap:
            while line and not line.endswith(b"\n"):
                line = file.readline(_BUFFER_BYTES)
                untold += len(line)
            yield None
        else:
            yield line
        if untold >= STEP_BYTES:
            on_bytes(untold)
            untold = 0
    on_bytes(untold)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Rows hold no circles; to look for some, again and again, takes a quarter of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe does not keep us waiting
