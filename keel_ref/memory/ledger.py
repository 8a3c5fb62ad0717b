"""What one load has taken in, left out, and looked up so far. Spec: MEM-023, MEM-084 to MEM-086."""

from __future__ import annotations

from attrs import field, mutable

from keel_ref.memory.meter import Meters
from keel_ref.memory.values import HeldRule, MemoryFile, MemoryLoad
from keel_ref.trace import Notice, Reason, Skip


@mutable(kw_only=True)
class Ledger:
    """The growing result. One ledger serves a whole load, so that one set of marks serves it, too. Spec: MEM-084."""

    marks: set[str] = field(factory=set)
    """Keys of what has been loaded; shared with the touches of the same session."""
    mentions_left: int
    """Include mentions that may still be looked up. Spec: MEM-092."""
    meters: Meters
    """Work that may still be done. Spec: MEM-092."""
    files: list[MemoryFile] = field(factory=list)
    """Records in order."""
    rows: dict[tuple[str, str | None], Skip] = field(factory=dict)
    """The first reason for each candidate."""
    notices: list[Notice] = field(factory=list)
    """What a reader should know."""
    held: list[HeldRule] = field(factory=list)
    """Path rules that wait."""
    listed: set[str] = field(factory=set)
    """Paths of the records."""

    def load(self) -> MemoryLoad:
        """The result so far."""
        return MemoryLoad(
            files=tuple(self.files),
            skipped=self.skipped(),
            notices=tuple(self.notices),
            held=tuple(rule for rule in self.held if rule.path not in self.listed),
        )

    def add(self, record: MemoryFile) -> None:
        """Take a record in."""
        self.files.append(record)
        self.listed.add(record.path)

    def skip(self, path: str, layer: str | None, reason: Reason, detail: str = "") -> None:
        """Report a candidate that does not load; the reason met first stands. Spec: MEM-023."""
        self.rows.setdefault((path, layer), Skip(path=path, layer=layer, reason=reason, detail=detail))

    def note(self, kind: str, path: str, detail: str) -> None:
        """Tell something about a file."""
        self.notices.append(Notice(kind=kind, path=path, detail=detail))

    def reach_bound(self, path: str, detail: str) -> None:
        """Report that a file was not followed to its end. Spec: MEM-092."""
        self.skip(path, None, Reason.BOUND_REACHED, detail)
        self.note("bound-reached", path, detail)

    def skipped(self) -> tuple[Skip, ...]:
        """The rows of candidates that did not load after all. Spec: MEM-023, MEM-086."""
        loaded = {(file.path, str(file.layer)) for file in self.files}
        return tuple(row for (path, layer), row in self.rows.items() if (path, layer) not in loaded)
