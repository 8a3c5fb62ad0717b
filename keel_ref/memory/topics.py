"""Topic files of the automatic memory: the bodies that the index points to. Spec: MEM-129, MEM-130."""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen

from keel_ref.constants import DEFAULT, Constants
from keel_ref.memory.frontmatter import split_frontmatter
from keel_ref.memory.index import INDEX_NAME
from keel_ref.paths import join, order_key
from keel_ref.ports import EntryKind, FileContent, Refusal, Tree


class MemoryType(StrEnum):
    """What a memory is about; there is no other type. Spec: MEM-129."""

    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    REFERENCE = "reference"


MEMORY_TYPES = tuple(MemoryType)
"""The closed set. Spec: MEM-129."""


@frozen(kw_only=True)
class Topic:
    """One topic file."""

    path: str
    """Where it lies."""
    modified: int
    """When it was last changed; larger is newer."""
    head: str | None
    """Its frontmatter, if it closes within the lines that are searched."""


def scan_topics(tree: Tree, folder: str, *, constants: Constants = DEFAULT) -> tuple[Topic, ...]:
    """Every topic file below the memory folder, newest first, within the cap on results. Spec: MEM-130."""
    paths: list[str] = []
    visited: set[str] = set()
    todo = [folder]
    while todo:
        place = todo.pop()
        real = tree.real_path(place)
        entries = tree.list_folder(place)
        if isinstance(real, Refusal) or isinstance(entries, Refusal) or real in visited:
            continue
        visited.add(real)
        for entry in sorted(entries, key=lambda e: order_key(e.name), reverse=True):
            path = join(place, entry.name, tree.flavour)
            kind = tree.kind_of(path)
            if kind is EntryKind.FOLDER:
                todo.append(path)
            elif kind is EntryKind.FILE and entry.name.endswith(".md") and entry.name != INDEX_NAME:
                paths.append(path)
    topics = [topic for path in paths if (topic := _topic(tree, path, constants)) is not None]
    topics.sort(key=lambda t: (-t.modified, order_key(t.path)))
    return tuple(topics[: constants.topic_cap_files])  # [MEM-130] a cap on results, not on scanning


def _topic(tree: Tree, path: str, constants: Constants) -> Topic | None:
    content = tree.read_file(path, constants.max_file_bytes)
    modified = tree.modified(path)
    if not isinstance(content, FileContent) or isinstance(modified, Refusal):
        return None
    lines = content.data.decode("utf-8", "replace").split("\n")[: constants.topic_head_lines]
    return Topic(path=path, modified=modified, head=split_frontmatter("\n".join(lines)).block)
