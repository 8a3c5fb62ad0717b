"""File trees as they travel on the wire: entries to a tree in memory. Spec: protocol.md, Trees."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve

from keel_ref.adapters.in_memory import FOLDER, InMemoryTree, Node, file_node, link_node
from keel_ref.errors import InvalidArgumentError, MalformedTreeError
from keel_ref.paths import Flavour, is_absolute, normalise
from keel_ref.ports import EntryKind

KEYS = frozenset({"p", "t", "b64", "link", "kind", "deny", "size", "mtime"})
CONTENTS = ("t", "b64", "link", "kind")
KINDS = ("dir", "fifo", "socket", "device")


def read_tree(entries: Sequence[Any], flavour: Flavour, *, is_case_sensitive: bool) -> InMemoryTree:
    """The tree that the entries describe; raises `MalformedTreeError`, naming the entry that cannot be."""
    tree = InMemoryTree(flavour=flavour, is_case_sensitive=is_case_sensitive)
    seen: set[str] = set()
    for entry in entries:
        if not isinstance(entry, Mapping):
            raise MalformedTreeError(repr(entry)[:80], "is no object")
        path = _path(entry, flavour)
        if path in seen:
            raise MalformedTreeError(path, "stands twice")
        seen.add(path)
        node = _node(entry, path)
        if node is FOLDER:
            tree.add_folder(path)
        else:
            tree.add(path, node)
    for entry in entries:
        _deny(tree, entry, _path(entry, flavour))
    return tree


def path_of(name: str, value: object) -> str:
    """A path as text, or as `{"b64"}`; bytes that are not UTF-8 become lone surrogates."""
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise InvalidArgumentError(name, "holds a lone surrogate; write such a path as b64") from None
        return value
    if isinstance(value, Mapping) and set(value) == {"b64"} and isinstance(value["b64"], str):
        try:
            return base64.b64decode(value["b64"], validate=True).decode("utf-8", "surrogateescape")
        except ValueError as error:
            raise InvalidArgumentError(name, f"is no base64 ({error})") from error
    raise InvalidArgumentError(name, "is neither a path nor its bytes as b64")


def _path(entry: Mapping[str, Any], flavour: Flavour) -> str:
    try:
        path = path_of("p", entry.get("p"))
    except InvalidArgumentError as error:
        raise MalformedTreeError(repr(entry)[:80], str(error)) from error
    if not is_absolute(path, flavour):
        raise MalformedTreeError(path, "the path is not absolute")
    return normalise(path, flavour)


def _node(entry: Mapping[str, Any], path: str) -> Node:
    unknown = set(entry) - KEYS
    contents = [name for name in CONTENTS if name in entry]
    if unknown or len(contents) != 1:
        problem = f"unknown key {min(unknown)}" if unknown else f"give one of {', '.join(CONTENTS)}"
        raise MalformedTreeError(path, problem)
    modified = _whole_number(entry, "mtime", path)
    size = _whole_number(entry, "size", path)
    match contents[0]:
        case "t" | "b64":
            return file_node(_data(entry, path), size, modified)
        case "link":
            return evolve(link_node(_target(entry, path)), modified=modified)
        case _:
            kind = entry["kind"]
            if kind not in KINDS:
                raise MalformedTreeError(path, f"kind is one of {', '.join(KINDS)}")
            return FOLDER if kind == "dir" else Node(kind=EntryKind.OTHER, what=kind, modified=modified)


def _data(entry: Mapping[str, Any], path: str) -> bytes:
    try:
        if "t" in entry:
            return bytes(entry["t"].encode("utf-8"))
        return base64.b64decode(entry["b64"], validate=True)
    except UnicodeEncodeError as error:
        raise MalformedTreeError(path, "the text holds a lone surrogate; write it as b64") from error
    except (AttributeError, TypeError, ValueError) as error:
        raise MalformedTreeError(path, "the content is no text, or no base64") from error


def _target(entry: Mapping[str, Any], path: str) -> str:
    try:
        return path_of("link", entry["link"])
    except InvalidArgumentError as error:
        raise MalformedTreeError(path, str(error)) from error


def _whole_number(entry: Mapping[str, Any], name: str, path: str) -> int:
    value = entry.get(name, 0)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise MalformedTreeError(path, f"{name} is no whole number")
    return value


def _deny(tree: InMemoryTree, entry: Mapping[str, Any], path: str) -> None:
    denied = entry.get("deny")
    if denied is None:
        return
    if denied not in ("read", "list"):
        raise MalformedTreeError(path, "deny is read or list")
    tree.deny(path, read=denied == "read", listing=denied == "list")
