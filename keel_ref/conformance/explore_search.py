"""Draws one program after the other and puts it, until enough fail, or until the programs or the time are used up.

Numbers are handed out in order, and what fails is counted in their order. So the same programs count, whichever
process was quicker.
"""

import threading
import time
from collections.abc import Sequence
from typing import Final

from attrs import field, frozen

from keel_ref.conformance.exits import SuiteError
from keel_ref.conformance.explore_probe import Asker, Seen
from keel_ref.conformance.limits import Limits
from keel_ref.conformance.oracle import plain_trace
from keel_ref.conformance.wire import ProgramItem
from keel_ref.strategies.draws import SeededDraw
from keel_ref.strategies.program_drawing import DrawnProgram, StartProgram, draw_program
from keel_ref.strategies.program_relations import RELATIONS

DEFAULT_EXAMPLES: Final = 500
"""Programs of a run that is given no number."""
VARIED: Final = 4
"""One in so many programs is followed by another whose trace follows from its own."""
MAX_FAILING: Final = 8
"""Failing programs, in the order of their numbers, behind which no more are looked for."""
MAX_OF_PROCESS: Final = 3
"""As many of these, where each costs a process: it hangs, dies or breaks the wire."""


@frozen(kw_only=True)
class Plan:
    """What a run of exploration shall do."""

    seed: int = 0
    examples: int | None = None
    """Programs to draw; none: as many as there is time for, or the default number where no time is given."""
    budget_seconds: float | None = None
    """Time for drawing and sending."""
    jobs: int = 1
    """Processes side by side."""
    max_failing: int = MAX_FAILING
    """Failing programs behind which no more are looked for."""
    repeats: int = 5
    """How often a failing program is put again."""
    shrink_seconds: float | None = None
    """Time for making one failure smaller; none: as long as is usual."""
    limits: Limits = field(factory=Limits)

    @property
    def count(self) -> int | None:
        """How many programs are drawn at most."""
        if self.examples is None and self.budget_seconds is None:
            return DEFAULT_EXAMPLES
        return self.examples


class Search:
    """The programs of one run, shared out among its processes."""

    def __init__(self, plan: Plan, probers: Sequence[Asker], start: StartProgram) -> None:
        """Take those who ask processes that have been started, and the model."""
        self.plan = plan
        self.start = start
        self.probers = probers
        self.is_out_of_time = False
        self._failing: dict[int, Seen] = {}
        self._steps: dict[int, int] = {}
        self._next = 0
        self._is_over = False
        self._lock = threading.Lock()
        budget = plan.budget_seconds
        self._deadline = None if budget is None else time.monotonic() + budget

    def work(self, number: int) -> None:
        """Put programs to one of the processes. Raises `AdapterError`, and `SuiteError` where the model fails."""
        prober = self.probers[number]
        try:
            while (index := self._take()) is not None:
                drawn = self._draw(index)
                seen = self._put(prober, index, drawn)
                with self._lock:
                    self._steps[index] = len(drawn.steps)
                    if seen is not None:
                        self._failing[index] = seen
        except BaseException:
            self._is_over = True
            for other in self.probers:  # nobody shall wait for an answer that nobody wants any more
                if other is not prober:
                    other.abort()
            raise

    def _put(self, prober: Asker, index: int, drawn: DrawnProgram) -> Seen | None:
        """What is wrong about a program; of some, where nothing is, about another whose trace follows from it."""
        item = ProgramItem(config=drawn.config, steps=tuple(drawn.steps))
        seen = prober.probe(item, {"subset": plain_trace(drawn.trace)})
        if seen is not None or index % VARIED:
            return seen
        relate = RELATIONS[index // VARIED % len(RELATIONS)]
        variant = relate(SeededDraw(self.plan.seed, -index), drawn)
        item = ProgramItem(config=drawn.config, steps=tuple(variant.steps))
        return prober.probe(item, {"subset": plain_trace(variant.trace)})

    def _take(self) -> int | None:
        """The number of the next program; none where there is no need of more."""
        with self._lock:
            if self._deadline is not None and time.monotonic() > self._deadline:
                self.is_out_of_time = True
            is_done = self.plan.count is not None and self._next >= self.plan.count
            if self._is_over or self.is_out_of_time or is_done or self._is_enough(self.failing()):
                return None
            self._next += 1
            return self._next - 1

    def _draw(self, index: int) -> DrawnProgram:
        try:
            return draw_program(SeededDraw(self.plan.seed, index), self.start)
        except Exception as error:
            problem = f"program {index} of seed {self.plan.seed} cannot be drawn: {type(error).__name__}: {error}"
            raise SuiteError(problem) from error

    def failing(self) -> list[tuple[int, Seen]]:
        """The failing programs that count, by number."""
        found = sorted(self._failing.items())
        of_process = [place for place, (_, seen) in enumerate(found) if seen.failure.is_of_process]
        end = of_process[MAX_OF_PROCESS - 1] + 1 if len(of_process) >= MAX_OF_PROCESS else len(found)
        return found[: min(end, self.plan.max_failing)]

    def counted(self) -> int:
        """How many programs count: all up to the last failing one that does, or all."""
        failing = self.failing()
        return failing[-1][0] + 1 if self._is_enough(failing) else len(self._steps)

    def counted_steps(self) -> int:
        """Their steps."""
        counted = self.counted()
        return sum(steps for index, steps in self._steps.items() if index < counted)

    def _is_enough(self, failing: Sequence[tuple[int, Seen]]) -> bool:
        """Whether so many fail that no more are needed."""
        of_process = sum(seen.failure.is_of_process for _, seen in failing)
        return len(failing) >= self.plan.max_failing or of_process >= MAX_OF_PROCESS
