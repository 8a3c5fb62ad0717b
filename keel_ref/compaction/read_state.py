"""Which files a session has read: what is remembered of them, and in which order. Spec: CMP-110."""

from __future__ import annotations

from attrs import field, frozen
from attrs.validators import ge

from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.constants import DEFAULT, Constants


@frozen(kw_only=True)
class ReadEntry:
    """One file that was read."""

    path: str
    """Where it lies, as it was read."""
    size_bytes: int = field(default=0, validator=ge(0))
    """Bytes of what was read, in UTF-8."""
    number: int = field(default=0, validator=ge(0))
    """Which of the reads of the session was its last one, counted from 1."""


@frozen
class ReadState:
    """The files that a session remembers to have read, the front of the order first. Spec: CMP-110."""

    entries: tuple[ReadEntry, ...] = ()
    """Each path once."""
    reads: int = field(default=0, kw_only=True)
    """Reads of the session so far, forgotten files among them."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths in the order of the read-state."""
        return tuple(entry.path for entry in self.entries)

    def pass_begun(self) -> ReadState:
        """The state at the start of a pass: the whole order is turned round. Spec: CMP-110."""
        return ReadState(self.entries[::-1], reads=self.reads)  # [CMP-110]

    def after_read(
        self, path: str, *, size_bytes: int = 0, constants: Constants = DEFAULT
    ) -> tuple[ReadState, tuple[Decision, ...]]:
        """The state after a file was read, and what it had to forget for that."""
        entry = ReadEntry(path=path, size_bytes=size_bytes, number=self.reads + 1)
        others = [other for other in self.entries if other.path != path]  # [CMP-110] a path stands once
        held = [entry, *others]  # [CMP-110] in front
        forgotten: list[ReadEntry] = []
        if size_bytes > constants.read_state_cap_bytes:
            forgotten.append(held.pop(0))  # [CMP-110] what fits in no way drives nothing else out
        while len(held) > constants.read_state_cap_entries or _size(held) > constants.read_state_cap_bytes:
            forgotten.append(held.pop())
        decisions = (_forgotten(found) for found in forgotten)
        return ReadState(tuple(held), reads=entry.number), tuple(decisions)


def _size(entries: list[ReadEntry]) -> int:
    return sum([entry.size_bytes for entry in entries])


def _forgotten(entry: ReadEntry) -> Decision:
    return Decision(layer=Layer.RESTORE, why=Why.READ_STATE_FULL, path=entry.path)
