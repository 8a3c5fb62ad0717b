"""The course of a recorded session: its requests and boundaries in order, with what was in the window at each.

Nothing here knows a threshold; what was to happen is judged afterwards. Spec: EST-016, CMP-001, CMP-110.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import define, field, frozen

from keel_ref.choices import Choices
from keel_ref.compaction.read_state import ReadState
from keel_ref.messages.rounds import RoundGrouper
from keel_ref.messages.rows import Role, as_object, has_mark, is_boundary, role_of
from keel_ref.recording.reads import FilesKnown, Reads
from keel_ref.recording.record import Record
from keel_ref.tokens.context import context_size
from keel_ref.tokens.usage import read_usage
from keel_ref.transcript.rewinds import find_abandoned

INLINED: Final = "inlined"
NAMED: Final = "named"
_HOW: Final = {"file": INLINED, "file_reference": NAMED}


@frozen(kw_only=True)
class Restored:
    """A file that was put back behind a boundary."""

    path: str
    how: str | None
    """`inlined` with its text, `named` without; None: that cannot be told."""


@frozen(kw_only=True)
class Size:
    """The context at one place. Spec: EST-016."""

    tokens: int
    is_measured: bool
    """Whether it stands on a usage; else system prompt and tools are missing from it."""
    is_whole: bool
    """Whether every row behind that usage is one whose text the file has."""


@frozen(kw_only=True)
class Pass:
    """A request whose answer, or whose failure, is recorded."""

    line: int
    size: Size
    model: str | None
    is_error: bool
    """Whether the client's own error stands in the place of an answer."""


@frozen(kw_only=True)
class Boundary:
    """A compaction that left its boundary."""

    number: int
    """Counted from 1."""
    line: int
    trigger: str | None
    """`auto` or `manual`; None: it does not say."""
    recorded: int | None
    """Tokens before, by the record."""
    size: Size
    """The same, by the rules."""
    model: str | None
    reads: ReadState
    """The files in question, as the compaction met them."""
    known: FilesKnown
    """What is known of their texts."""
    is_partial: bool
    """Whether it kept rows, so that files which those show do not come back."""
    restored: Sequence[Restored]
    """The files that the record says were put back; without one it may not record them."""


@frozen(kw_only=True)
class Orphan:
    """A summary with no boundary before it."""

    line: int


Event = Pass | Boundary | Orphan


def course_of(
    record: Record, *, modified_us: Mapping[str, int] | None = None, choices: Choices | None = None
) -> tuple[Event, ...]:
    """What happened, in the order of the file. Spec: EST-016, CMP-110."""
    walk = _Walk(record=record, choices=choices or Choices(), reads=Reads(modified_us=modified_us))
    return tuple(walk.events())


@define
class _Walk:
    """One way through the rows, from the first to the last."""

    record: Record
    choices: Choices
    reads: Reads
    grouper: RoundGrouper = field(factory=RoundGrouper)
    rows: Sequence[Any] = field(init=False)
    view: int = 0
    """The first row of the view."""
    anchor: int = 0
    """The first row of the last response that measured something; before one, of the view."""
    model: str | None = None
    boundaries: int = 0
    round_start: int = 0
    is_compacted: bool = False
    """Whether the request under way was compacted, so that its pass has begun already."""

    def __attrs_post_init__(self) -> None:
        self.rows = self.record.session.rows

    def events(self) -> Iterator[Event]:
        for index, row in enumerate(self.rows):
            detail = self.record.details[index]
            if is_boundary(row):
                yield self._boundary(index)
                continue
            if has_mark(row, "summary"):
                if self.view < self.anchor:  # somebody answered since the boundary
                    yield Orphan(line=detail.line)
                continue
            if has_mark(row, "kept"):
                continue  # it stood further up, where it was looked at
            if role_of(row) is Role.ASSISTANT:
                if self.grouper.add(row):
                    self.round_start = index
                    yield self._pass(index)
                self.model = detail.model or self.model
                self._measured(row)
            self.reads.add(row, detail)

    def _pass(self, index: int) -> Pass:
        if not self.is_compacted:
            self.reads.pass_begun()
        self.is_compacted = False
        return Pass(
            line=self.record.details[index].line,
            size=self._size(index),
            model=self.record.details[index].model or self.model,
            is_error=has_mark(self.rows[index], "error"),
        )

    def _measured(self, row: object) -> None:
        """Remember where the last measurement begins. Spec: EST-016, EST-019."""
        if has_mark(row, "error"):
            return
        usage = read_usage((as_object(row) or {}).get("usage"))
        if usage is not None and usage.total > 0:
            self.anchor = self.round_start

    def _size(self, end: int, *, is_boundary: bool = False) -> Size:
        """The context before a row. Abandoned branches do not count at a boundary, where all of its view is known."""
        start = self.anchor
        rows = self.rows[start:end]
        if is_boundary:
            links = [one.link for one in self.record.details[self.view : end]]
            gone = {self.view + place for place in find_abandoned(links)}
            if gone:
                start = self.view
                rows = [row for place, row in enumerate(self.rows[start:end], start) if place not in gone]
        size = context_size(rows, choices=self.choices)
        behind = rows if start == self.anchor else self.rows[self.anchor : end]
        return Size(
            tokens=size.tokens,
            is_measured=size.measured > 0,
            is_whole=all(role_of(row) is not Role.ATTACHMENT for row in behind),
        )

    def _boundary(self, index: int) -> Boundary:
        row, detail = self.rows[index], self.record.details[index]
        trigger, tokens = row.get("trigger"), row.get("tokens_before")
        is_whole_number = isinstance(tokens, int) and not isinstance(tokens, bool)
        size = self._size(index, is_boundary=True)
        restored = tuple(self._restored(index))
        self.boundaries += 1
        if trigger != "manual":
            self.reads.pass_begun()  # [CMP-110] the pass that compacts has begun too
        found = Boundary(
            number=self.boundaries,
            line=detail.line,
            trigger=trigger if trigger in {"auto", "manual"} else None,
            recorded=tokens if is_whole_number else None,
            size=size,
            model=self.model,
            reads=self.reads.state,
            known=self.reads.known(),
            is_partial="kept_segment" in row,
            restored=restored,
        )
        self.reads.compacted(is_recorded=bool(restored))
        self.view = self.anchor = index
        self.is_compacted = trigger != "manual"
        return found

    def _restored(self, index: int) -> Iterator[Restored]:
        """The files put back behind a boundary: attachments before anybody speaks again. Spec: CMP-118."""
        for row in self.rows[index + 1 :]:
            if role_of(row) is Role.ATTACHMENT:
                how, path = _HOW.get(str(row.get("attachment"))), row.get("path")
                if how is not None and isinstance(path, str):
                    yield Restored(path=path, how=how)
            elif is_boundary(row) or not (has_mark(row, "summary") or has_mark(row, "kept")):
                return
