"""Which files a recorded session had read, and what is known of their texts. Spec: CMP-110, CMP-124."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import define, field, frozen

from keel_ref.compaction.disk_file import DiskFile
from keel_ref.compaction.read_state import ReadState
from keel_ref.compaction.restore import restore_candidates, restore_files
from keel_ref.compaction.shown import blocks_of
from keel_ref.messages.rows import as_object
from keel_ref.recording.record import MEMORY, Detail
from keel_ref.text import size_utf8
from keel_ref.transcript.reads import PATH_KEYS

MEMORY_NAMES: Final = frozenset({"CLAUDE.md", "CLAUDE.local.md", "MEMORY.md"})
"""Names that instruction files have. Whether such a file was one, the record has to say."""
MICROSECONDS: Final = 1_000
"""Microseconds of a millisecond."""


@frozen(kw_only=True)
class FilesKnown:
    """What is known of the files that were read, at one boundary."""

    texts: Mapping[str, str]
    """What a file held when it was seen whole last."""
    unsure: Collection[str]
    """Files of whose text, or of whose part in it, the record does not tell enough."""
    memory: Collection[str]
    """Instruction files. Spec: CMP-111."""


@define
class Reads:
    """Follows the rows of a session."""

    modified_us: Mapping[str, int] | None
    """When each file was changed last; None: nobody says."""
    state: ReadState = field(factory=ReadState)
    texts: dict[str, str] = field(factory=dict)
    unsure: set[str] = field(factory=set)
    memory: set[str] = field(factory=set)
    calls: dict[str, str] = field(factory=dict)

    def pass_begun(self) -> None:
        """A request is about to be made. Spec: CMP-110."""
        self.state = self.state.pass_begun()

    def add(self, row: Any, detail: Detail) -> None:
        """Take in the next row that is neither a boundary nor a summary."""
        self.memory.update(one.path for one in row.get(MEMORY, ()))
        match row.get("role"):
            case "assistant":
                self.calls.update(_calls(row))
            case "user":
                for block in blocks_of(row):
                    self._heard(block, row, detail)
            case "attachment" if row.get("attachment") == "file":
                self._shown(row)
            case _:
                pass

    def known(self) -> FilesKnown:
        """What is known now."""
        named = {
            path for path in self.state.paths if path.replace("\\", "/").rpartition("/")[2] in MEMORY_NAMES
        } - self.memory
        unsure = {path for path in self.state.paths if path not in self.texts or path in self.unsure}
        return FilesKnown(texts=dict(self.texts), unsure=frozenset(unsure | named), memory=frozenset(self.memory))

    def compacted(self, *, is_recorded: bool) -> None:
        """What counts as read behind a boundary: what comes back whole. Spec: CMP-124."""
        if is_recorded:  # then the rows that follow say it
            self.state = ReadState(reads=self.state.reads)
            return
        found = restore_candidates(self.state, self.modified_us or {}, memory_files=self.memory)
        contents = {path: DiskFile.of(self.texts.get(path, "")) for path in found.paths}
        self.state = restore_files(found.paths, contents).state

    def _heard(self, block: Mapping[str, Any], row: Mapping[str, Any], detail: Detail) -> None:
        """A result: that of a tool behind which the session knows a file counts as a read."""
        name = block.get("tool_use_id")
        is_sound = block.get("type") == "tool_result" and block.get("is_error") is not True
        if not (is_sound and isinstance(name, str) and name in self.calls):
            return
        path, seen = self.calls[name], detail.file
        self._seen(path, seen.text if seen is not None and seen.path == path else None, row)
        if seen is not None and seen.is_unchanged:
            return
        if seen is None or seen.text is None or seen.path != path:
            self.unsure.add(path)

    def _seen(self, path: str, text: str | None, row: Mapping[str, Any]) -> None:
        if text is not None:
            self.texts[path] = text
            self.unsure.discard(path)
        self.state, _ = self.state.after_read(path, size_bytes=size_utf8(self.texts.get(path, "")))
        at, changed = row.get("at"), (self.modified_us or {}).get(path)
        if isinstance(at, int) and changed is not None and changed > (at + 1) * MICROSECONDS:
            self.unsure.add(path)  # it was changed after it was seen

    def _shown(self, row: Mapping[str, Any]) -> None:
        """A file that was put back, or that somebody attached. Spec: CMP-124."""
        path = row.get("path")
        if isinstance(path, str):
            texts = [block.get("text") for block in blocks_of(row)]
            self._seen(path, next((one for one in reversed(texts) if isinstance(one, str)), None), row)


def touched_paths(rows: Iterable[object]) -> tuple[str, ...]:
    """The files that the session called a tool for, in order, each as often as it did. Spec: MEM-140."""
    return tuple(path for row in rows for _, path in _calls(row))


def _calls(row: object) -> Iterator[tuple[str, str]]:
    for block in blocks_of(row):
        name, tool = block.get("id"), block.get("name")
        key = PATH_KEYS.get(tool) if isinstance(tool, str) else None
        path = None if key is None else (as_object(block.get("input")) or {}).get(key)
        if block.get("type") == "tool_use" and isinstance(name, str) and isinstance(path, str) and path:
            yield name, path
