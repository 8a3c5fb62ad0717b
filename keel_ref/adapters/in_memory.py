"""A file tree held in memory: what a call on the wire carries, and what the machines edit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from itertools import chain
from ntpath import splitdrive
from typing import Self

from attrs import evolve, field, frozen, mutable

from keel_ref.errors import MalformedTreeError
from keel_ref.paths import Flavour, is_absolute, join, key, name_of, parent, separator
from keel_ref.ports import Entry, EntryKind, FileContent, Refusal
from keel_ref.trace import Reason

MAX_LINKS = 40
"""Links that one path may lead through, as on Linux."""


@frozen(kw_only=True)
class Node:
    """One entry of the tree."""

    kind: EntryKind
    """What it is."""
    data: bytes = b""
    """Content of a file; NUL bytes follow up to `size_bytes`."""
    size_bytes: int = 0
    """Size of a file."""
    target: str = ""
    """Where a link leads, as written."""
    what: str = "device"
    """What an entry that is neither file, folder nor link is."""
    may_read: bool = True
    """Is opening it allowed?"""
    may_list: bool = True
    """Is listing it allowed?"""
    modified: int = 0
    """Logical time of modification."""


FOLDER = Node(kind=EntryKind.FOLDER)


def file_node(data: bytes, size_bytes: int | None = None, modified: int = 0) -> Node:
    """A regular file; a larger size than its data makes it sparse."""
    return Node(kind=EntryKind.FILE, data=data, size_bytes=max(len(data), size_bytes or 0), modified=modified)


def link_node(target: str) -> Node:
    """A symbolic link."""
    return Node(kind=EntryKind.LINK, target=target)


@mutable(kw_only=True)
class InMemoryTree:
    """Entries by their canonical path; folders above an entry exist by themselves."""

    flavour: Flavour = Flavour.POSIX
    """How paths are written."""
    is_case_sensitive: bool = True
    """Are names that differ only in case two names?"""
    nodes: dict[str, Node] = field(factory=dict)
    """Every entry, folders included, under its path (lower case where case does not count)."""
    names: dict[str, dict[str, str]] = field(factory=dict)
    """The names in each folder as they were given, under their key."""
    resolved: dict[str, str | Refusal] = field(factory=dict)
    """Paths already resolved; emptied by every change."""
    links: dict[str, int] = field(factory=dict)
    """Links on the way to a resolved path, where there are any."""

    @classmethod
    def of(cls, files: Mapping[str, str | bytes | Node], flavour: Flavour = Flavour.POSIX) -> Self:
        """A tree of files given as text or bytes, and of nodes."""
        tree = cls(flavour=flavour)
        for path, content in files.items():
            data = content.encode("utf-8") if isinstance(content, str) else content
            tree.add(path, file_node(data) if isinstance(data, bytes) else data)
        return tree

    def add(self, path: str, node: Node) -> None:
        """Put an entry in place, with the folders above it; raises `MalformedTreeError` where that cannot be."""
        place = self._key(path)
        above = parent(path, self.flavour)
        if above != path:
            self.add_folder(above)
            self.names[self._key(above)][self._key(name_of(path, self.flavour))] = name_of(path, self.flavour)
        old = self.nodes.get(place)
        if old is not None and old.kind is EntryKind.FOLDER and node.kind is not EntryKind.FOLDER:
            raise MalformedTreeError(path, "is a folder, other entries lie below it")
        self.nodes[place] = node
        if node.kind is EntryKind.FOLDER:
            self.names.setdefault(place, {})
        self._forget()

    def add_folder(self, path: str) -> None:
        """See that the folder and those above it exist; raises `MalformedTreeError` where something else does."""
        missing: list[str] = []
        while (old := self.nodes.get(self._key(path))) is None:
            missing.append(path)
            if (above := parent(path, self.flavour)) == path:
                break
            path = above
        if old is not None and old.kind is not EntryKind.FOLDER:
            raise MalformedTreeError(path, "is no folder, yet an entry lies below it")
        for folder in reversed(missing):
            place, above = self._key(folder), parent(folder, self.flavour)
            self.nodes[place] = FOLDER
            self.names.setdefault(place, {})
            if above != folder:
                name = name_of(folder, self.flavour)
                self.names[self._key(above)][self._key(name)] = name
        self._forget()

    def is_link(self, path: str) -> bool:
        """Is the entry of this very path a link?"""
        node = self.nodes.get(self._key(path))
        return node is not None and node.kind is EntryKind.LINK

    def remove(self, path: str) -> None:
        """Take an entry away, and all that lies below it."""
        above = parent(path, self.flavour)
        self.names[self._key(above)].pop(self._key(name_of(path, self.flavour)), None)
        todo = [path]
        while todo:
            place = todo.pop()
            self.nodes.pop(self._key(place), None)
            todo.extend(join(place, name, self.flavour) for name in self.names.pop(self._key(place), {}).values())
        self._forget()

    def deny(self, path: str, *, read: bool = False, listing: bool = False) -> None:
        """Refuse opening or listing of an entry from now on."""
        node = self.nodes[self._key(path)]
        self.nodes[self._key(path)] = evolve(
            node, may_read=node.may_read and not read, may_list=node.may_list and not listing
        )

    def list_folder(self, path: str) -> tuple[Entry, ...] | Refusal:
        """See `Tree.list_folder`."""
        place = self._resolve(path)
        if isinstance(place, Refusal):
            return place
        node = self.nodes[self._key(place)]
        if node.kind is not EntryKind.FOLDER:
            return Refusal(Reason.NOT_FOUND)
        if not node.may_list:
            return Refusal(Reason.UNREADABLE, "Permission denied")
        return tuple(
            Entry(name, self.nodes[self._key(join(place, name, self.flavour))].kind)
            for name in self.names[self._key(place)].values()
        )

    def read_file(self, path: str, cap_bytes: int) -> FileContent | Refusal:
        """See `Tree.read_file`."""
        place = self._resolve(path)
        if isinstance(place, Refusal):
            return place
        node = self.nodes[self._key(place)]
        if node.kind is not EntryKind.FILE:
            return Refusal(Reason.NOT_REGULAR, "folder" if node.kind is EntryKind.FOLDER else node.what)
        if not node.may_read:
            return Refusal(Reason.UNREADABLE, "Permission denied")
        if node.size_bytes > cap_bytes:
            return Refusal(Reason.TOO_LARGE, f"{node.size_bytes} bytes")
        data = node.data + bytes(node.size_bytes - len(node.data))
        return FileContent(data, self._is_link(path))

    def real_path(self, path: str) -> str | Refusal:
        """See `Tree.real_path`."""
        return self._resolve(path)

    def spelling(self, path: str) -> str:
        """See `Tree.spelling`."""
        if self.is_case_sensitive:
            return path
        spelled = ""
        root, ends = self._folders(path)
        for place in chain([root], (path[:end] for end in ends), [path]):
            folder = parent(place, self.flavour)
            above = self._resolve(folder)
            if isinstance(above, Refusal):
                return spelled + path[len(folder) :]  # the tree stores nothing from here on
            name = name_of(place, self.flavour)
            known = self.names.get(self._key(above), {})
            spelled = join(spelled, known.get(self._key(name), name), self.flavour) if spelled else place
        return spelled

    def kind_of(self, path: str) -> EntryKind | Refusal:
        """See `Tree.kind_of`."""
        place = self._resolve(path)
        if isinstance(place, Refusal):
            return place
        return self.nodes[self._key(place)].kind

    def modified(self, path: str) -> int | Refusal:
        """See `Tree.modified`."""
        place = self._resolve(path)
        return place if isinstance(place, Refusal) else self.nodes[self._key(place)].modified

    def _key(self, path: str) -> str:
        return key(path, self.flavour) if self.is_case_sensitive else path.lower()

    def _is_link(self, path: str) -> bool:
        folder = self._resolve(parent(path, self.flavour))
        assert isinstance(folder, str), "asked only of a path that was resolved"
        return self.nodes[self._key(join(folder, name_of(path, self.flavour), self.flavour))].kind is EntryKind.LINK

    def _forget(self) -> None:
        self.resolved.clear()
        self.links.clear()

    def _resolve(self, path: str) -> str | Refusal:
        """The canonical path, or why there is none; from the nearest folder that is known inwards."""
        if not any(near in self.resolved for near in self._nearest(path)):
            root, ends = self._folders(path)
            known = bisect_left(ends, 1, key=lambda end: path[:end] not in self.resolved)
            for folder in chain([root], (path[:end] for end in ends[known:])):
                if isinstance(self._step(folder), Refusal):
                    return self.resolved[folder]
        return self._step(path)

    def _nearest(self, path: str) -> tuple[str, str, str]:
        """The path and the two folders next above it."""
        above = parent(path, self.flavour)
        return path, above, parent(above, self.flavour)

    def _folders(self, path: str) -> tuple[str, list[int]]:
        """The root, and where the path of each folder above ends: a path may be too long to write all of them out."""
        sep = separator(self.flavour)
        drive = splitdrive(path)[0] if self.flavour is Flavour.WINDOWS else ""
        ends: list[int] = []
        at = len(drive)
        while (at := path.find(sep, at + 1)) >= 0:
            ends.append(at)
        return drive + sep, ends

    def _step(self, place: str) -> str | Refusal:
        """The canonical path of an entry whose folder is resolved."""
        if place not in self.resolved:
            above = parent(place, self.flavour)
            folder = self._resolve(above) if above != place else place
            names = [name_of(place, self.flavour)] if above != place else []
            if isinstance(folder, Refusal):
                self.resolved[place] = folder
            else:
                self.resolved[place], links = self._walk(folder, names, self.links.get(above, 0))
                if links:
                    self.links[place] = links
        return self.resolved[place]

    def _walk(self, place: str, names: list[str], links: int) -> tuple[str | Refusal, int]:
        """From a canonical folder down the names, through every link on the way; with the number of links so far."""
        todo = list(reversed(names))
        while todo:
            name = todo.pop()
            if self.nodes[self._key(place)].kind is not EntryKind.FOLDER:
                return Refusal(Reason.NOT_FOUND), links
            if name == "..":
                place = parent(place, self.flavour)
                continue
            step = join(place, name, self.flavour)
            node = self.nodes.get(self._key(step))
            if node is None:
                return Refusal(Reason.NOT_FOUND), links
            if node.kind is not EntryKind.LINK:
                place = step
                continue
            links += 1
            if links > MAX_LINKS:
                return Refusal(Reason.LINK_LOOP), links
            top, parts = self._split(node.target)
            place = top or place
            todo.extend(reversed(parts))
        return (place if self._key(place) in self.nodes else Refusal(Reason.NOT_FOUND)), links

    def _split(self, target: str) -> tuple[str, list[str]]:
        """The root of an absolute link, and the names on its way."""
        text = target.replace("\\", "/") if self.flavour is Flavour.WINDOWS else target
        names = [name for name in text.split("/") if name not in ("", ".")]
        if not is_absolute(target, self.flavour):
            return "", names
        if self.flavour is Flavour.WINDOWS:
            return names[0] + "\\", names[1:]
        return "/", names
