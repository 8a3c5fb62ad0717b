"""Memories that are looked up because they may bear on the prompt. Spec: CTX-050 to CTX-057."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from typing import Any, Final

from attrs import frozen

from keel_ref.constants import DEFAULT, Constants
from keel_ref.context.reminders import Injected, injected_memory
from keel_ref.messages.rows import Role, as_object, content_of
from keel_ref.messages.view import view_start
from keel_ref.text import size_utf8

ATTACHMENT: Final = "relevant_memory"
"""How a row says that it is a surfaced memory. Spec: CTX-050."""


class LeftOut(StrEnum):
    """Why a name that a selector gave is not surfaced. Spec: CTX-052 to CTX-056."""

    UNKNOWN = "unknown"
    DUPLICATE = "duplicate"
    BEYOND_FIVE = "beyond-five"
    READ = "read"
    SURFACED = "surfaced"
    BYTE_TOTAL = "byte-total"
    SELECTOR_FAILED = "selector-failed"


@frozen(kw_only=True)
class Folder:
    """One memory folder: what the scan found in it, and what its selector picked."""

    files: Mapping[str, str]
    """Path to text, in the order of the scan (MEM-130)."""
    picks: Sequence[str] | None
    """Paths that the selector names; None: it failed."""


@frozen(kw_only=True)
class Surfaced:
    """What the view shows of memories that were surfaced before. Spec: CTX-050."""

    paths: frozenset[str] = frozenset()
    size_bytes: int = 0


@frozen(kw_only=True)
class Memory:
    """A memory that is surfaced now."""

    path: str
    injected: Injected

    @property
    def size_bytes(self) -> int:
        """What it adds to the total: its text as shown, without the note. Spec: CTX-055."""
        return size_utf8(self.injected.text)


@frozen
class Dropped:
    """A name that is not surfaced, or a selector that gave none."""

    path: str | None
    why: LeftOut


@frozen(kw_only=True)
class Selection:
    """What a turn surfaces. Spec: CTX-052 to CTX-056."""

    memories: tuple[Memory, ...]
    dropped: tuple[Dropped, ...]


def surfaced_in(messages: Sequence[Any]) -> Surfaced:
    """The memories that the view shows; nothing of them is remembered beside it. Spec: CTX-050."""
    paths: set[str] = set()
    size_bytes = 0
    for row in messages[view_start(messages) :]:  # [CTX-050] a compaction begins anew
        found = as_object(row)
        if found is None or found.get("role") != Role.ATTACHMENT or found.get("attachment") != ATTACHMENT:
            continue
        path, content = found.get("path"), content_of(found)
        if isinstance(path, str):
            paths.add(path)
        size_bytes += _size(found.get("bytes"), content)
    return Surfaced(paths=frozenset(paths), size_bytes=size_bytes)


def candidates_of(folder: Folder, surfaced: Surfaced) -> tuple[str, ...]:
    """What the selector is asked about: what the view does not show already. Spec: CTX-051."""
    return tuple(path for path in folder.files if path not in surfaced.paths)  # [CTX-051] before it chooses


def select_memories(
    folders: Sequence[Folder], surfaced: Surfaced, read: AbstractSet[str], constants: Constants = DEFAULT
) -> Selection:
    """What is surfaced of what the selectors picked. Spec: CTX-052 to CTX-056."""
    dropped: list[Dropped] = []
    texts: dict[str, str] = {}
    for folder in folders:  # [CTX-053] joined in the order of the folders
        for path in _picks(folder, dropped, constants):
            if path in texts:
                dropped.append(Dropped(path, LeftOut.DUPLICATE))  # [CTX-053]
            elif path in read:
                dropped.append(Dropped(path, LeftOut.READ))  # [CTX-052]
            elif path in surfaced.paths:
                dropped.append(Dropped(path, LeftOut.SURFACED))  # [CTX-052] once more
            else:
                texts[path] = folder.files[path]
    chosen = list(texts)[: constants.surfaced_cap_files]  # [CTX-052]
    dropped += [Dropped(path, LeftOut.BEYOND_FIVE) for path in list(texts)[constants.surfaced_cap_files :]]
    memories: list[Memory] = []
    total = surfaced.size_bytes
    for path in chosen:
        memory = Memory(path=path, injected=injected_memory(path, texts[path], constants))
        if total + memory.size_bytes > constants.surfaced_cap_bytes:
            dropped.append(Dropped(path, LeftOut.BYTE_TOTAL))  # [CTX-055] a smaller one behind it may fit
            continue
        total += memory.size_bytes
        memories.append(memory)
    return Selection(memories=tuple(memories), dropped=tuple(dropped))


def can_be_used(*, is_found: bool, have_tools_run: bool, was_used: bool) -> bool:
    """Whether what a search found goes into the conversation now. Spec: CTX-057."""
    return is_found and have_tools_run and not was_used  # [CTX-057] nobody waits, and once in a turn


def _picks(folder: Folder, dropped: list[Dropped], constants: Constants) -> Iterator[str]:
    """The names of one selector that mean something, at most five. Spec: CTX-054, CTX-056."""
    if folder.picks is None:
        dropped.append(Dropped(None, LeftOut.SELECTOR_FAILED))  # [CTX-056] no retry in this turn
        return
    taken: set[str] = set()
    for path in folder.picks:
        if path not in folder.files:
            dropped.append(Dropped(path, LeftOut.UNKNOWN))  # [CTX-054]
        elif path in taken:
            dropped.append(Dropped(path, LeftOut.DUPLICATE))  # [CTX-054] it takes no second place
        elif len(taken) >= constants.surfaced_cap_files:
            dropped.append(Dropped(path, LeftOut.BEYOND_FIVE))  # [CTX-054]
        else:
            taken.add(path)
            yield path


def _size(size_bytes: object, content: object) -> int:
    """What one row adds to the total: what it says of itself, or the size of its text. Spec: CTX-050."""
    if isinstance(size_bytes, int) and not isinstance(size_bytes, bool) and size_bytes >= 0:
        return size_bytes
    return size_utf8(content) if isinstance(content, str) else 0
