"""A file as somebody found it on the disk when it was asked for. Spec: CMP-114."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from attrs import frozen

from keel_ref.constants import DEFAULT, Constants
from keel_ref.paths import is_absolute, normalise
from keel_ref.ports import Refusal, Tree
from keel_ref.trace import Reason


class FileState(StrEnum):
    """Whether a file could be read, and if not, why."""

    READ = "read"
    GONE = "gone"
    UNREADABLE = "unreadable"
    NOT_REGULAR = "not-regular"
    TOO_LARGE = "too-large"


@frozen(kw_only=True)
class DiskFile:
    """What came of reading one file."""

    state: FileState = FileState.READ
    """Whether it could be read."""
    text: str = ""
    """What it holds, decoded as MEM-106 says; empty where it could not be read."""
    is_binary: bool = False
    """Whether a byte of it is 0."""

    @classmethod
    def of(cls, data: str | bytes) -> DiskFile:
        """A file that was read."""
        text = data if isinstance(data, str) else data.decode("utf-8", "replace")
        return cls(text=text, is_binary="\0" in text)  # [CMP-115]


GONE = DiskFile(state=FileState.GONE)
"""A file that is not there."""

_STATES = {
    Reason.NOT_FOUND: FileState.GONE,
    Reason.NOT_REGULAR: FileState.NOT_REGULAR,
    Reason.TOO_LARGE: FileState.TOO_LARGE,
}


def read_disk_file(tree: Tree, path: str, *, constants: Constants = DEFAULT) -> DiskFile:
    """What comes of reading the file now; nothing but a regular file is opened. Spec: CMP-114, CMP-139."""
    found = tree.read_file(path, constants.max_file_bytes)
    if isinstance(found, Refusal):
        return DiskFile(state=_STATES.get(found.reason, FileState.UNREADABLE))
    return DiskFile.of(found.data)


class Files(Protocol):
    """What came of reading files: a dictionary of them, or a tree that is read when somebody asks."""

    def get(self, path: str, default: DiskFile, /) -> DiskFile:
        """The file, or the default where nothing is known of it."""


@frozen
class TreeFiles:
    """The files of a tree, each read when it is asked for. Spec: CMP-114."""

    tree: Tree
    """Where they lie."""
    constants: Constants = DEFAULT

    def get(self, path: str, default: DiskFile, /) -> DiskFile:
        """See `Files.get`; a relative path, of which a tree knows nothing, gives the default."""
        if not is_absolute(path, self.tree.flavour):
            return default
        return read_disk_file(self.tree, normalise(path, self.tree.flavour), constants=self.constants)
