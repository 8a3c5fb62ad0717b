"""What `keel-ref estimate` reads: files and standard input, opened, told apart, and read in pieces."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from attrs import frozen

from keel_ref.cli.estimate_sniff import is_session
from keel_ref.cli.progress import Progress
from keel_ref.cli.utf8_pieces import Utf8Pieces
from keel_ref.memory.extensions import extension_of
from keel_ref.tokens.rough import is_json_extension

CHUNK_BYTES = 4 * 1024 * 1024
"""What is read at once."""
HEAD_BYTES = 1024 * 1024
"""How far into a .jsonl file, or into a pipe, a row of a session is looked for."""
NO_SESSION = "none of its first lines is a row of a session, so it counts as a text of JSON; --as session counts rows"
"""Said of a .jsonl file."""
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
    head: bytes = b""
    """What had to be read to find the kind out."""
    is_whole: bool = False
    """Whether that is all there is; then a terminal is not asked again."""
    remarks: Sequence[str] = ()
    """What a person should know of how the kind was found."""


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
    if kind is not None:
        return Source(name=name, kind=kind, file=file)
    extension = None if name == STDIN else extension_of(Path(name).name)
    by_name = "json" if is_json_extension(extension) else "text"  # [EST-003]
    if extension != "jsonl" and name != STDIN and stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return Source(name=name, kind=by_name, file=file)
    head = file.read(HEAD_BYTES)
    is_whole = len(head) < HEAD_BYTES
    if is_session(head, is_whole=is_whole):
        return Source(name=name, kind="session", file=file, head=head, is_whole=is_whole)
    remarks = (NO_SESSION,) if extension == "jsonl" and head.strip() else ()
    return Source(name=name, kind=by_name, file=file, head=head, is_whole=is_whole, remarks=remarks)


def pieces(source: Source, text: Utf8Pieces, progress: Progress) -> Iterator[str]:
    """The text of the file, cut between characters; broken bytes are mended as in the whole. Spec: EST-001."""
    for chunk in chunks(source):
        progress(len(chunk))
        yield text.add(chunk)
    yield text.add(b"", is_last=True)


def chunks(source: Source) -> Iterator[bytes]:
    """The bytes of the file, those that were read already first."""
    if source.head:
        yield source.head
    while not source.is_whole and (chunk := source.file.read(CHUNK_BYTES)):
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
