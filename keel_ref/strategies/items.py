"""File trees as values: what lies where, before anything puts it on a disk, into memory or on the wire."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Self

from attrs import field, frozen
from attrs.validators import ge

from keel_ref.paths import Flavour, ancestors, parent


class ItemKind(StrEnum):
    """What an entry is."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    FIFO = "fifo"
    SOCKET = "socket"
    DEVICE = "device"


@frozen(kw_only=True)
class Item:
    """One entry of a tree."""

    path: str
    """Where it lies: absolute, POSIX; a stray byte of a name is a lone surrogate."""
    kind: ItemKind = ItemKind.FILE
    """What it is."""
    data: bytes = b""
    """Content of a file."""
    size_bytes: int = field(default=0, validator=ge(0))
    """Size of a file, when NUL bytes follow its data."""
    target: str = ""
    """Where a link leads: absolute, or relative with its `..` at the head and never above the root."""
    modified: int = field(default=0, validator=ge(0))
    """Logical time of modification; larger is newer."""
    may_read: bool = True
    """Is opening it allowed?"""
    may_list: bool = True
    """Is listing it allowed?"""


@frozen
class FileTree:
    """Entries that fit together: nothing stands twice, and nothing lies below what is no folder."""

    items: tuple[Item, ...]
    """The entries, in the order in which they are made; folders above an entry exist by themselves."""

    @classmethod
    def grown(cls, items: Iterable[Item]) -> Self:
        """The entries that fit, the first of each place; the others are left out."""
        kinds: dict[str, ItemKind] = {"/": ItemKind.FOLDER}
        kept: list[Item] = []
        for item in items:
            above = ancestors(parent(item.path, Flavour.POSIX), Flavour.POSIX)
            if item.path in kinds or any(kinds.get(folder, ItemKind.FOLDER) is not ItemKind.FOLDER for folder in above):
                continue
            kinds |= dict.fromkeys(above, ItemKind.FOLDER) | {item.path: item.kind}
            kept.append(item)
        return cls(tuple(kept))

    @property
    def has_links(self) -> bool:
        """Is one of the entries a link?"""
        return any(item.kind is ItemKind.LINK for item in self.items)

    @property
    def is_open(self) -> bool:
        """Is reading and listing allowed everywhere?"""
        return all(item.may_read and item.may_list for item in self.items)
