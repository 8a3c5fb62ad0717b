"""A tree that keeps count of what it is asked, and may list its folders in an order of its own."""

from __future__ import annotations

import zlib
from collections import Counter

from attrs import field, frozen

from keel_ref.paths import Flavour, order_key
from keel_ref.ports import Entry, EntryKind, FileContent, Refusal, Tree


@frozen
class WatchedTree:
    """Another tree, watched."""

    tree: Tree
    """The tree that knows the answers."""
    salt: int | None = None
    """What makes the order of its listings; None for the order of the other tree."""
    listed: Counter[str] = field(factory=Counter)
    """How often each folder was listed, under its real path."""
    read: Counter[str] = field(factory=Counter)
    """How often each file was read, under its real path."""

    @property
    def flavour(self) -> Flavour:
        """How paths are written."""
        return self.tree.flavour

    def list_folder(self, path: str) -> tuple[Entry, ...] | Refusal:
        """See `Tree.list_folder`."""
        self.listed[self._real(path)] += 1
        found = self.tree.list_folder(path)
        salt = self.salt
        if isinstance(found, Refusal) or salt is None:
            return found
        return tuple(sorted(found, key=lambda entry: zlib.crc32(order_key(entry.name), salt)))

    def read_file(self, path: str, cap_bytes: int) -> FileContent | Refusal:
        """See `Tree.read_file`."""
        self.read[self._real(path)] += 1
        return self.tree.read_file(path, cap_bytes)

    def real_path(self, path: str) -> str | Refusal:
        """See `Tree.real_path`."""
        return self.tree.real_path(path)

    def spelling(self, path: str) -> str:
        """See `Tree.spelling`."""
        return self.tree.spelling(path)

    def kind_of(self, path: str) -> EntryKind | Refusal:
        """See `Tree.kind_of`."""
        return self.tree.kind_of(path)

    def modified(self, path: str) -> int | Refusal:
        """See `Tree.modified`."""
        return self.tree.modified(path)

    def _real(self, path: str) -> str:
        real = self.tree.real_path(path)
        return path if isinstance(real, Refusal) else real
