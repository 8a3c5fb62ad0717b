"""A tree value put into memory and on the wire; on a real disk: `mounted_disk`."""

from __future__ import annotations

import base64
from typing import Any

from attrs import evolve

from keel_ref.adapters.in_memory import FOLDER, InMemoryTree, Node, file_node, link_node
from keel_ref.ports import EntryKind
from keel_ref.strategies.items import FileTree, Item, ItemKind


def plant_in_memory(tree: FileTree) -> InMemoryTree:
    """The tree in memory."""
    planted = InMemoryTree()
    planted.add_folder("/")
    for item in tree.items:
        put_in_memory(planted, item)
    return planted


def put_in_memory(tree: InMemoryTree, item: Item) -> None:
    """One more entry."""
    if item.kind is ItemKind.FOLDER:
        tree.add_folder(item.path)
    else:
        tree.add(item.path, _node(item))
    tree.deny(item.path, read=not item.may_read, listing=not item.may_list)


def _node(item: Item) -> Node:
    match item.kind:
        case ItemKind.FILE:
            return file_node(item.data, item.size_bytes, item.modified)
        case ItemKind.LINK:
            return evolve(link_node(item.target), modified=item.modified)
        case ItemKind.FOLDER:
            return FOLDER
        case ItemKind.FIFO | ItemKind.SOCKET | ItemKind.DEVICE:
            return Node(kind=EntryKind.OTHER, what=item.kind.value, modified=item.modified)


def wire_entries(tree: FileTree) -> list[dict[str, Any]]:
    """The tree as the entries of a call. Spec: protocol.md, Trees."""
    return [_entry(item) for item in tree.items]


def _entry(item: Item) -> dict[str, Any]:
    entry: dict[str, Any] = {"p": _text_or_bytes(item.path)}
    match item.kind:
        case ItemKind.FILE:
            entry["b64"] = base64.b64encode(item.data).decode("ascii")
        case ItemKind.LINK:
            entry["link"] = _text_or_bytes(item.target)
        case ItemKind.FOLDER:
            entry["kind"] = "dir"
        case _:
            entry["kind"] = item.kind.value
    optional = {"size": item.size_bytes, "mtime": item.modified}
    entry |= {name: value for name, value in optional.items() if value}
    denied = [name for name, may in (("read", item.may_read), ("list", item.may_list)) if not may]
    return entry | ({"deny": denied[0]} if denied else {})


def _text_or_bytes(path: str) -> str | dict[str, str]:
    raw = path.encode("utf-8", "surrogateescape")
    is_text = not any("\udc80" <= char <= "\udcff" for char in path)
    return path if is_text else {"b64": base64.b64encode(raw).decode("ascii")}
