"""Makes a failing program smaller on the wire: fewer steps, fewer words, lower numbers.

It works on what is sent and knows nothing of how it was drawn, so it can leave the range of what is ever drawn. A
candidate counts when the implementation is wrong about it in the same way as about the program it came from.
"""

import json
import time
from collections.abc import Callable, Iterator
from typing import Final

from attrs import evolve, frozen

from keel_ref.conformance.explore_probe import Seen
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.program_reductions import (
    REDUCTIONS,
    Numbers,
    find_numbers,
    lower_number,
    narrower_configs,
    without_steps,
)
from keel_ref.conformance.shrink import Ending
from keel_ref.conformance.wire import ProgramItem

MAX_TRIES: Final = 2_000
"""Candidates that are sent for one failure."""
MAX_SECONDS: Final = 10.0
"""Time for one failure."""
MAX_SECONDS_OF_PROCESS: Final = 6.0
"""Time where each candidate that counts costs a process: it hangs, dies or breaks the wire."""
_OF_PROCESS: Final = frozenset({FailureKind.TIMEOUT, FailureKind.CRASH, FailureKind.PROTOCOL})

Fails = Callable[[ProgramItem], Seen | None]
"""Puts one program, and says what is wrong about the answer; none where nothing is. Raises `AdapterError`."""


@frozen(kw_only=True)
class ShrunkProgram:
    """What came of making a program smaller."""

    seen: Seen
    """The smallest program that fails in the same way."""
    ending: Ending
    """Why it is not smaller."""
    tries: int
    """Candidates that were sent."""
    seconds: float = 0.0
    """What it took."""


def shrink_program(
    seen: Seen, fails: Fails, *, max_tries: int = MAX_TRIES, max_seconds: float | None = None
) -> ShrunkProgram:
    """A smaller program that fails in the same way; the program itself where there is none."""
    is_of_process = seen.failure.kind in _OF_PROCESS
    allowed = MAX_SECONDS_OF_PROCESS if is_of_process else MAX_SECONDS
    search = _Search(seen, fails, max_tries, allowed if max_seconds is None else max_seconds)
    begun = time.monotonic()
    ending = search.run()
    seconds = time.monotonic() - begun
    return ShrunkProgram(seen=search.best, ending=ending, tries=len(search.tried), seconds=seconds)


class _Ended(Exception):
    """The search is over before nothing more could go."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.value)
        self.ending = ending


class _Search:
    """The walk from a failing program to a smaller one, greedily."""

    def __init__(self, seen: Seen, fails: Fails, max_tries: int, max_seconds: float) -> None:
        self.best = seen
        self.fails = fails
        self.way = seen.way
        self.max_tries = max_tries
        self.tried: set[str] = {_key(seen.item)}
        self.narrowed_steps = 0  # for so many steps another config was tried
        self.deadline = time.monotonic() + max_seconds

    @property
    def item(self) -> ProgramItem:
        return self.best.item

    def run(self) -> Ending:
        """Shrink until nothing more can go, or the tries or the time are used up."""
        try:
            self._cut_tail()
            while self._drop_steps() or self._narrow() or self._reduce() or self._lower():
                pass
        except _Ended as end:
            return end.ending
        return Ending.ONE_MINIMAL  # the last round has tried to leave out each single step

    def counts(self, candidate: ProgramItem) -> bool:
        """Whether a candidate fails in the same way; then it is the best from now on."""
        key = _key(candidate)
        if not candidate.steps or key in self.tried:
            return False
        if len(self.tried) > self.max_tries:
            raise _Ended(Ending.TRIES)
        if time.monotonic() > self.deadline:
            raise _Ended(Ending.TIME)
        self.tried.add(key)
        seen = self.fails(candidate)
        if seen is None or seen.way != self.way:
            return False
        self.best = seen
        return True

    def _cut_tail(self) -> None:
        """Leave out what comes behind the first difference; where there is none to be seen, find the end by halving."""
        if self.best.step is not None:
            self.counts(evolve(self.item, steps=self.item.steps[: self.best.step + 1]))
            return
        low, high = 0, len(self.item.steps)
        steps = self.item.steps
        while low + 1 < high:
            middle = (low + high) // 2
            if self.counts(evolve(self.item, steps=steps[:middle])):
                high = middle
            else:
                low = middle

    def _drop_steps(self) -> bool:
        """Leave out ever fewer steps at a time, from the back to the front, down to single ones."""
        before = len(self.item.steps)
        size = max(before // 2, 1)
        while size >= 1:
            start = len(self.item.steps) - size
            while start > -size:
                self.counts(without_steps(self.item, max(start, 0), start + size))
                start = min(start, len(self.item.steps)) - size
            size //= 2
        return len(self.item.steps) < before

    def _narrow(self) -> bool:
        """A config under which fewer steps are enough; one that only says more is taken back."""
        if len(self.item.steps) == self.narrowed_steps:
            return False
        self.narrowed_steps = len(self.item.steps)
        for narrower in narrower_configs(self.item):
            before = self.best
            if self.counts(narrower) and self._drop_steps():
                return True
            self.best = before
        return False

    def _reduce(self) -> bool:
        """Every other way of saying less, each tried again from where the last one led."""
        has_shrunk = False
        for reduction in REDUCTIONS:
            place = 0
            while (candidate := _nth(reduction(self.item), place)) is not None:
                if self.counts(candidate):
                    has_shrunk = True
                else:
                    place += 1
        return has_shrunk

    def _lower(self) -> bool:
        """The lowest number at each place that still fails, taking it that all above it do."""
        has_shrunk = False
        for place in range(len(find_numbers(self.item))):
            has_shrunk |= self._lower_one(place)
        return has_shrunk

    def _lower_one(self, place: int) -> bool:
        numbers: Numbers = find_numbers(self.item)
        if place >= len(numbers):
            return False
        high = numbers[place].value
        low, has_shrunk = -1, False
        for plain in (0, 1):
            if plain < high and self.counts(lower_number(self.item, numbers[place], plain)):
                return True
            low = max(low, plain)
        if low + 1 < high:
            if not self.counts(lower_number(self.item, numbers[place], high - 1)):
                return False  # on an edge, as most numbers are
            high, has_shrunk = high - 1, True
        while low + 1 < high:
            middle = (low + high) // 2
            if self.counts(lower_number(self.item, numbers[place], middle)):
                high, has_shrunk = middle, True
            else:
                low = middle
        return has_shrunk


def _nth(candidates: Iterator[ProgramItem], place: int) -> ProgramItem | None:
    for number, candidate in enumerate(candidates):
        if number == place:
            return candidate
    return None


def _key(item: ProgramItem) -> str:
    return json.dumps([item.config, item.steps], sort_keys=True)
