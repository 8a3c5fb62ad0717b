"""What `keel-ref context` is given: a folder, a session file or a request, told apart by what it holds."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path
from typing import IO

from keel_ref.cli.context_folder import look_at_folder
from keel_ref.cli.context_found import Asked, Found
from keel_ref.cli.context_request import look_at_request
from keel_ref.cli.context_session import look_at_session
from keel_ref.cli.estimate_sniff import is_session
from keel_ref.cli.terminal_text import clipped, visible
from keel_ref.conformance.exits import UsageError

HEAD_BYTES = 1024 * 1024
"""How far into a file a row of a session is looked for."""
CAP_BYTES = 1024**3
"""A request is held in memory as a whole, and standard input is kept on the disk; a larger one is refused."""
STDIN = "-"


def look_at(asked: Asked) -> Found:
    """What the source holds. Raises `UsageError` or `KeelError` for what is neither of the three."""
    if asked.source == STDIN:
        return _look_at_stdin(asked)
    if not asked.source:
        raise UsageError("the name is empty; perhaps a variable that is not set")
    try:
        if Path(asked.source).is_dir():
            return look_at_folder(asked)
        with open(asked.source, "rb", opener=_open) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UsageError(f"{_name(asked)}: is no regular file; name a file, or give - and send it there")
            return _look_at_file(asked, file, asked.source)
    except OSError as error:
        problem = f"cannot be read ({error.strerror or error})"
        raise UsageError(f"{_name(asked)}: {problem}; name a session, a request or a folder") from error


def _look_at_stdin(asked: Asked) -> Found:
    """On the disk, since a session is read in pieces and perhaps twice."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("- is standard input, and nothing is sent there; name a file, or send one")
    with tempfile.NamedTemporaryFile(prefix="keel-ref-", suffix=".jsonl") as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy, HEAD_BYTES)
        copy.flush()
        copy.seek(0)
        return _look_at_file(asked, copy, copy.name)


def _look_at_file(asked: Asked, file: IO[bytes], path: str) -> Found:
    head = file.read(HEAD_BYTES)
    is_whole = len(head) < HEAD_BYTES
    if not head.strip():
        raise UsageError(f"{_name(asked)}: holds nothing; name a session, a request or a folder")
    if is_session(head, is_whole=is_whole):
        return look_at_session(asked, path)
    data = head if is_whole else head + file.read(CAP_BYTES)
    if len(data) > CAP_BYTES:
        raise UsageError(f"{_name(asked)}: is no session, and for a request it holds too much ({CAP_BYTES:,} bytes)")
    return look_at_request(asked, data)


def _name(asked: Asked) -> str:
    return clipped(visible(asked.source))


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe does not keep us waiting
