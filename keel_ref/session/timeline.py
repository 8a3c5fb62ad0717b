"""The course of a session: one step for each response, with all that stands before it. Rules S1 and S2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, field, frozen

from keel_ref.session.tally import Stretches, Tally, tally
from keel_ref.transcript.log import Boundary, Kind, LogRow, Response, SessionLog


@frozen(kw_only=True)
class Cut:
    """A boundary between two responses."""

    place: int
    """Its row in the log."""
    boundary: Boundary
    size_tokens: int
    """The context before it, as the rules count it. Spec: EST-016."""
    held: Tally
    """What the conversation held since the boundary before, with what that one kept."""
    behind: tuple[int, ...]
    """Rows behind it, up to the next response or boundary."""
    kept: Tally
    """The part of it that the boundary says was kept."""


@frozen(kw_only=True)
class Step:
    """A response with what stands between it and the one before; without a response, what stands behind the last."""

    number: int
    """The response, counted from 1; of the end one more than there are."""
    response: Response | None
    before: tuple[int, ...]
    """Rows since the response before, in the order of the conversation, boundaries and error rows too."""
    cuts: tuple[Cut, ...]
    """Boundaries among them."""
    size_tokens: int
    """The context that the request found, or that the next one will find, as the rules count it. Spec: EST-016."""
    is_measured: bool
    """Whether that stands on a usage; else system prompt and tools are missing from it. Spec: EST-020."""

    @property
    def is_start(self) -> bool:
        """Whether nothing that was measured before is left: the first response, or one behind a boundary."""
        return self.number == 1 or bool(self.cuts)


def find_steps(log: SessionLog) -> tuple[Step, ...]:
    """The steps of the conversation; the last one has no response."""
    return tuple(_Walk(log).steps())


@define
class _Walk:
    log: SessionLog
    before: list[int] = field(factory=list)
    cuts: list[Cut] = field(factory=list)
    since: list[int] = field(factory=list)
    """Rows of the conversation since the last boundary."""
    measured: int | None = None
    """Usage of the last response of the view; None: it has none."""
    behind: int = 0
    """Estimates of the rows behind its first row; without one, of all rows of the view."""
    kept: Tally = Tally()
    """What the last boundary has kept."""
    open: int | None = None
    """The boundary whose rows are collected, with the size before it."""
    open_size: int = 0
    open_held: Tally = Tally()
    open_behind: list[int] = field(factory=list)
    stretches: Stretches | None = None
    """Made when a boundary asks for one."""

    def steps(self) -> Iterator[Step]:
        """One after another, in the order of the conversation."""
        rows = self.log.rows
        of_row = {
            place: response for response in self.log.responses if response.in_conversation for place in response.rows
        }
        begun: set[int] = set()
        number = 1
        for place in self.log.conversation:
            row = rows[place]
            response = of_row.get(place)
            if response is None:
                self._pass(place, row)
            elif response.rows[0] in begun:
                self.since.append(place)
                self.behind += row.tokens
            else:
                begun.add(response.rows[0])
                yield self._end(number, response)
                number += 1
                self.since.append(place)
                if response.usage.total:
                    self.measured, self.behind = response.usage.total, 0
                else:
                    self.behind += row.tokens  # [EST-015] a usage of nothing measures nothing
        yield self._end(number, None)

    def _pass(self, place: int, row: LogRow) -> None:
        """A row that is no part of a response."""
        self.before.append(place)
        if row.boundary is not None:
            self._close()
            self.open, self.open_size = place, self._size()
            self.open_held = self.kept + tally(self.log.rows[one] for one in self.since)
            self.kept = self._kept(row.boundary)
            self.since = []
            self.measured = None
            self.behind = self.kept.tokens
            return
        self.since.append(place)
        if self.open is not None:
            self.open_behind.append(place)
        self.behind += row.tokens  # [EST-019] an error row is sent like any other

    def _size(self) -> int:
        return (self.measured or 0) + self.behind

    def _close(self) -> None:
        """The rows of the boundary that is open are complete."""
        if self.open is None:
            return
        boundary = self.log.rows[self.open].boundary
        assert boundary is not None, "only a boundary is opened"
        self.cuts.append(
            Cut(
                place=self.open,
                boundary=boundary,
                size_tokens=self.open_size,
                held=self.open_held,
                behind=tuple(self.open_behind),
                kept=self.kept,
            )
        )
        self.open, self.open_behind = None, []

    def _end(self, number: int, response: Response | None) -> Step:
        self._close()
        step = Step(
            number=number,
            response=response,
            before=tuple(self.before),
            cuts=tuple(self.cuts),
            size_tokens=self._size(),
            is_measured=self.measured is not None,
        )
        self.before, self.cuts = [], []
        return step

    def _kept(self, boundary: Boundary) -> Tally:
        """The rows that a boundary names as kept; none where it names none that can be found. Spec: CMP-151."""
        if boundary.head is None or boundary.tail is None:
            return Tally()
        if self.stretches is None:
            self.stretches = Stretches(self.log.rows, self.log.conversation)
        return self.stretches.between(boundary.head, boundary.tail)


def first_line(step: Step, rows: Sequence[LogRow]) -> int | None:
    """The line on which the response of a step begins; None where it has none."""
    return None if step.response is None else rows[step.response.rows[0]].line


def errors_of(step: Step, rows: Sequence[LogRow]) -> tuple[int, ...]:
    """Rows before a response in which the client itself says that something failed."""
    return tuple(place for place in step.before if rows[place].is_error and rows[place].kind is Kind.ASSISTANT)
