"""One session of a program: the turn machine, and the disk and the model that a program describes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import define, evolve, field, frozen

from keel_ref.compaction.disk_file import DiskFile
from keel_ref.compaction.effects import AskSummary, Effect, EndTurn, ReadFiles, SaveResults, SendRequest
from keel_ref.compaction.events import Aborted, Event, FilesRead, ResultsSaved, Summarised, SummaryRefused
from keel_ref.compaction.program.arguments import LARGEST_TIME, read_whole
from keel_ref.compaction.program.config import Setup
from keel_ref.compaction.program.costs import filler
from keel_ref.compaction.state import State
from keel_ref.compaction.trace import Decision
from keel_ref.compaction.turn import step
from keel_ref.errors import InvalidArgumentError

MICROSECONDS: Final = 1_000
"""Microseconds of a millisecond."""
FAILURES: Final[Mapping[str, Event]] = {
    "empty": Summarised(content=""),
    "blank": Summarised(content=" \n"),
    "thinking": Summarised(content=[{"type": "thinking", "thinking": "hm", "signature": "s"}]),
    "tool_call": Summarised(content=[{"type": "tool_use", "id": "t", "name": "Read", "input": {}}]),
    "api_error": Summarised(content="an error", is_error=True),
    "abort": Aborted(),
}
"""How a call for a summary can fail, by its word in a program."""


@frozen(kw_only=True)
class OnDisk:
    """A file as a program describes it."""

    tokens: int
    modified_ms: int


@frozen(kw_only=True)
class Session:
    """A session between two steps."""

    setup: Setup
    state: State
    next_number: int = 1
    """Number of the next row that is appended."""
    disk: Mapping[str, OnDisk] = field(factory=dict)


@define
class Run:
    """What came of one event, once everything that it led to is done."""

    session: Session
    outcomes: Iterator[Event]
    """What the calls for a summary bring."""
    fails: frozenset[str] = frozenset()
    """Calls whose results cannot be saved."""
    trace: list[Decision] = field(factory=list, init=False)
    calls: int = field(default=0, init=False)
    last: SendRequest | EndTurn | None = field(default=None, init=False)

    def drive(self, event: Event) -> None:
        """Let it happen, do what has to be done, and so on until nothing is left. It ends: each attempt is bounded."""
        waiting: list[Event] = [event]
        while waiting:
            done = step(self.session.state, waiting.pop(0))
            self.session = evolve(self.session, state=done.state)
            self.trace.extend(done.trace)
            waiting.extend(found for effect in done.effects if (found := self._perform(effect)) is not None)

    def _perform(self, effect: Effect) -> Event | None:
        match effect:
            case SaveResults(saves=saves):
                return ResultsSaved(outcomes={save.id: save.id not in self.fails for save in saves})
            case AskSummary():
                self.calls += 1
                return next(self.outcomes, FAILURES["empty"])
            case ReadFiles(paths=paths):
                return self._read(paths)
            case SendRequest() | EndTurn():
                self.last = effect
            case _:
                pass  # caches are not seen, and a program has neither hooks nor notes
        return None

    def _read(self, paths: Sequence[str]) -> FilesRead:
        disk = {path: self.session.disk[path] for path in paths if path in self.session.disk}
        return FilesRead(
            contents={path: DiskFile.of(filler(file.tokens)) for path, file in disk.items()},
            modified_us={path: file.modified_ms * MICROSECONDS for path, file in disk.items()},
        )


def read_outcomes(values: Sequence[Any]) -> Iterator[Event]:
    """What the calls for a summary bring, in order. Raises `InvalidArgumentError` before anything happens."""
    return iter([_outcome(value) for value in values])


def _excess(value: object) -> int | None:
    """The excess that an error names; it can be of no use (CMP-105), but it is a whole number."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST_TIME:
        raise InvalidArgumentError("excess", f"{value!r} is no whole number")
    return value


def _outcome(value: object) -> Event:
    if isinstance(value, Mapping):
        if "tokens" in value:
            return Summarised(content=filler(read_whole(value, "tokens")))
        if value.get("too_long") is True:
            return SummaryRefused(excess=_excess(value.get("excess")))
        word = value.get("fail")
        if isinstance(word, str) and word in FAILURES:
            return FAILURES[word]
    expected = f"give tokens, too_long, or fail with one of {', '.join(FAILURES)}"
    raise InvalidArgumentError("summary", f"{value!r} says nothing about a summary; {expected}")
