"""What `keel-ref estimate` reads: files and standard input, opened, told apart, and read in pieces."""

from __future__ import annotations

import codecs
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from attrs import frozen

from keel_ref.cli.progress import Progress
from keel_ref.memory.extensions import extension_of
from keel_ref.messages.rows import BOUNDARY_SUBTYPE
from keel_ref.tokens.rough import is_json_extension
from keel_ref.tokens.transcript import BLANKS, parse_line

CHUNK_BYTES = 4 * 1024 * 1024
"""What is read at once."""
HEAD_BYTES = 1024 * 1024
"""How far into a .jsonl file a row of a session is looked for."""
HEAD_LINES = 20
"""How many lines of it are looked at."""
STDIN = "-"


class NotReadableError(Exception):
    """A file cannot be counted; the others still are."""

    def __init__(self, name: str, problem: str) -> None:
        """Say which file, and why."""
        super().__init__(f"{name}: {problem}")
        self.name = name
        self.problem = problem


@frozen(kw_only=True)
class Source:
    """One file, opened, and what it is to be taken for."""

    name: str
    """As it was given."""
    kind: str
    """`text`, `json`, `session` or `messages`."""
    file: BinaryIO
    """Where it goes on."""
    head: bytes
    """What had to be read to find the kind out."""


@contextmanager
def opened(name: str, kind: str | None) -> Iterator[Source]:
    """A file, or standard input; `kind` None is to be found out.

    Raises `NotReadableError`, also for what fails while it is read.
    """
    try:
        if name == STDIN:
            if sys.stdin is None:
                raise NotReadableError(name, "standard input is closed")
            yield _source(name, sys.stdin.buffer, kind)
            return
        if not name:
            raise NotReadableError(name, "a name is empty; perhaps a variable that is not set")
        if Path(name).is_dir():
            raise NotReadableError(name, "is a folder; name the files in it, as a shell does for FOLDER/*")
        with Path(name).open("rb") as file:
            yield _source(name, file, kind)
    except OSError as error:
        raise NotReadableError(name, f"cannot be read ({error.strerror or error})") from error


def total_bytes(names: list[str]) -> int:
    """How many bytes the files hold, as far as that is known before they are read."""
    total = 0
    for name in names:
        try:
            found = Path(name).stat()
        except OSError:  # also standard input; what it is will be found out when it is opened
            continue
        total += found.st_size if stat.S_ISREG(found.st_mode) else 0
    return total


def _source(name: str, file: BinaryIO, kind: str | None) -> Source:
    extension = None if name == STDIN else extension_of(Path(name).name)
    head = file.read(HEAD_BYTES) if kind is None and extension == "jsonl" else b""
    if kind is None:
        by_name = "json" if is_json_extension(extension) else "text"  # [EST-003]
        kind = "session" if is_session(head) else by_name
    return Source(name=name, kind=kind, file=file, head=head)


def is_session(head: bytes) -> bool:
    """Whether one of the first lines is a row of a session file. Spec: EST-033."""
    lines = [line for line in head.split(b"\n") if line.strip(BLANKS)]
    for line in lines[:HEAD_LINES]:
        row = parse_line(line) or {}
        kind = row.get("type")
        if kind in {"user", "assistant"} and isinstance(row.get("message"), dict):
            return True
        if kind == "system" and row.get("subtype") == BOUNDARY_SUBTYPE:
            return True
        if isinstance(kind, str) and isinstance(row.get("sessionId"), str):
            return True
    return False


def pieces(source: Source, progress: Progress) -> Iterator[str]:
    """The text of the file, cut between characters; broken bytes are mended as in the whole. Spec: EST-001."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for chunk in chunks(source):
        progress(len(chunk))
        yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)


def chunks(source: Source) -> Iterator[bytes]:
    """The bytes of the file, those that were read already first."""
    if source.head:
        yield source.head
    while chunk := source.file.read(CHUNK_BYTES):
        yield chunk


@contextmanager
def on_disk(source: Source) -> Iterator[Path]:
    """A path where the bytes lie: the file's own, or for a pipe that of a copy which is gone afterwards."""
    if source.name != STDIN and stat.S_ISREG(os.fstat(source.file.fileno()).st_mode):
        yield Path(source.name)
        return
    with tempfile.NamedTemporaryFile(prefix="keel-ref-", suffix=".jsonl") as copy:
        for chunk in chunks(source):
            copy.write(chunk)
        copy.flush()
        yield Path(copy.name)
