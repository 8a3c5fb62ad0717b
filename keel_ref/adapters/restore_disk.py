"""The files that a compaction puts back, as they lie on the disk. Spec: CMP-113 to CMP-116."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from keel_ref.choices import Choices, RestoreRecency
from keel_ref.compaction.disk_file import DiskFile, FileState, read_disk_file
from keel_ref.compaction.events import FilesRead
from keel_ref.constants import DEFAULT, Constants
from keel_ref.ports import Refusal, Tree

NANOSECONDS: Final = 1_000
"""Nanoseconds of a microsecond."""


def read_files(
    paths: Sequence[str], tree: Tree, *, choices: Choices | None = None, constants: Constants = DEFAULT
) -> FilesRead:
    """What the files hold now, and when each was changed. Nothing but regular files is opened. Spec: CMP-114.

    Every age is asked for. The contents are read in the order in which the files are tried, until as many texts are
    there as can be put back; a file that was not reached is not among the contents, and is not asked for either.
    """
    found = {path: tree.modified(path) for path in paths}
    modified_us = {path: at // NANOSECONDS for path, at in found.items() if not isinstance(at, Refusal)}
    order = list(paths)
    if (choices or Choices()).restore_recency is RestoreRecency.MTIME:
        order.sort(key=lambda path: _age(modified_us.get(path)))  # [CMP-113]
    contents: dict[str, DiskFile] = {}
    texts = 0
    for path in order:
        if texts == constants.restore_cap_files:
            break
        contents[path] = read_disk_file(tree, path, constants=constants)
        texts += contents[path].state is FileState.READ and not contents[path].is_binary
    return FilesRead(contents=contents, modified_us=modified_us)


def _age(modified_us: int | None) -> tuple[bool, int]:
    """The newest first, in whole milliseconds, and what is gone last. Spec: CMP-113."""
    return modified_us is None, -((modified_us or 0) // 1_000)
