"""A tree value on a real disk, so that it can be asked there and in memory, and the answers compared."""

# Paths are bytes on the disk, since a name need not be UTF-8, whatever the locale:
# ruff: noqa: PTH103, PTH108, PTH112, PTH114, PTH120, PTH123, PTH211

from __future__ import annotations

import os
import shutil
import stat

from attrs import define, field

from keel_ref.adapters.disk import DiskTree
from keel_ref.paths import Flavour
from keel_ref.ports import Entry, EntryKind, FileContent, Refusal
from keel_ref.strategies.items import FileTree, Item, ItemKind
from keel_ref.trace import Reason

DENIED = Refusal(Reason.UNREADABLE, "Permission denied")


@define
class MountedDisk:
    """A folder of the real disk as if it were the whole disk: a `Tree` that asks `DiskTree` below the folder.

    Links are written so that they stay below the folder. What the tree value says about permissions is answered here,
    since the user who runs the tests may read everything.
    """

    root: str
    """The folder, under its real path, without a separator at the end."""
    unreadable: set[str] = field(factory=set)
    """Real paths, as seen below the folder, of files that refuse to be opened."""
    unlistable: set[str] = field(factory=set)
    """Real paths of folders that refuse to be listed."""
    disk: DiskTree = field(factory=DiskTree)
    """The adapter that is asked."""
    flavour = Flavour.POSIX

    def put(self, item: Item) -> None:
        """One more entry on the disk."""
        place = self._bytes(item.path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        match item.kind:
            case ItemKind.FILE:
                with open(place, "wb") as file:
                    file.write(item.data)
                    file.truncate(max(len(item.data), item.size_bytes))
            case ItemKind.LINK:
                os.symlink(self._bytes(item.target) if item.target.startswith("/") else _raw(item.target), place)
            case ItemKind.FOLDER:
                os.makedirs(place, exist_ok=True)
            case ItemKind.FIFO:
                os.mkfifo(place)
            case ItemKind.SOCKET:
                os.mknod(place, stat.S_IFSOCK | 0o600)
            case ItemKind.DEVICE:
                raise ValueError(f"{item.path}: a device is made in memory only")
        if item.kind is not ItemKind.LINK:
            os.utime(place, ns=(item.modified, item.modified))
        if not item.may_read:
            self.unreadable.add(item.path)
        if not item.may_list:
            self.unlistable.add(item.path)

    def remove(self, path: str) -> None:
        """Take an entry away, and all that lies below it."""
        place = self._bytes(path)
        if os.path.isdir(place) and not os.path.islink(place):
            shutil.rmtree(place)
        else:
            os.unlink(place)
        for denied in (self.unreadable, self.unlistable):
            denied.difference_update([other for other in denied if f"{other}/".startswith(f"{path}/")])

    def list_folder(self, path: str) -> tuple[Entry, ...] | Refusal:
        """See `Tree.list_folder`."""
        found = self.disk.list_folder(self._whole(path))
        return DENIED if isinstance(found, tuple) and self.real_path(path) in self.unlistable else found

    def read_file(self, path: str, cap_bytes: int) -> FileContent | Refusal:
        """See `Tree.read_file`."""
        if self.kind_of(path) is EntryKind.FILE and self.real_path(path) in self.unreadable:
            return DENIED
        return self.disk.read_file(self._whole(path), cap_bytes)

    def real_path(self, path: str) -> str | Refusal:
        """See `Tree.real_path`."""
        found = self.disk.real_path(self._whole(path))
        if isinstance(found, Refusal):
            return found
        assert found == self.root or found.startswith(f"{self.root}/"), "a link leads out of the tree"
        return found[len(self.root) :] or "/"

    def spelling(self, path: str) -> str:
        """See `Tree.spelling`."""
        return path

    def kind_of(self, path: str) -> EntryKind | Refusal:
        """See `Tree.kind_of`."""
        return self.disk.kind_of(self._whole(path))

    def modified(self, path: str) -> int | Refusal:
        """See `Tree.modified`."""
        return self.disk.modified(self._whole(path))

    def _whole(self, path: str) -> str:
        return self.root if path == "/" else self.root + path

    def _bytes(self, path: str) -> bytes:
        return _raw(self._whole(path))


def plant_on_disk(tree: FileTree, root: str) -> MountedDisk:
    """The tree on the real disk, below an empty folder given by any of its paths."""
    planted = MountedDisk(os.path.realpath(root))
    for item in tree.items:
        planted.put(item)
    return planted


def _raw(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
