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
from keel_ref.conformance.explore_draw import SeededDraw
from keel_ref.conformance.explore_probe import Patience, Prober, Seen, expect_outcome
from keel_ref.conformance.explore_programs import DrawnProgram, StartProgram, draw_program
from keel_ref.conformance.limits import Limits
from keel_ref.conformance.oracle import plain_trace
from keel_ref.conformance.subject import Subject
from keel_ref.conformance.wire import ErrorAnswer, Ok, ProgramItem
from keel_ref.errors import KeelError

DEFAULT_EXAMPLES: Final = 500
"""Programs of a run that is given no number."""
MAX_FAILING: Final = 8
"""Failing programs, in the order of their numbers, behind which no more are looked for."""


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


def run_model(start: StartProgram, item: ProgramItem) -> Ok | ErrorAnswer | None:
    """What the model says to a program; none where the model itself fails, so that nobody can say what is right."""
    try:
        run = start(item.config)
        return Ok(value=plain_trace([run(step) for step in item.steps]))
    except KeelError as error:
        return ErrorAnswer(kind=error.code, message=str(error))
    except Exception:  # noqa: BLE001 (a candidate that breaks the model is no candidate)
        return None


class Search:
    """The programs of one run, shared out among its processes."""

    def __init__(self, plan: Plan, subjects: Sequence[Subject], start: StartProgram) -> None:
        """Take processes that have been started, and the model."""
        self.plan = plan
        self.start = start
        patience = Patience(plan.limits.timeout_ms)
        self.probers = [Prober(subject, self.expect, patience) for subject in subjects]
        self.is_out_of_time = False
        self._seen: dict[int, Seen | None] = {}
        self._steps: dict[int, int] = {}
        self._next = 0
        self._is_over = False
        self._lock = threading.Lock()
        budget = plan.budget_seconds
        self._deadline = None if budget is None else time.monotonic() + budget

    def expect(self, item: ProgramItem) -> dict[str, object] | None:
        """What the model says of any program, such as one that was made smaller."""
        right = run_model(self.start, item)
        return dict(expect_outcome(right)) if right is not None else None

    def work(self, number: int) -> None:
        """Put programs to one of the processes. Raises `AdapterError`, and `SuiteError` where the model fails."""
        prober = self.probers[number]
        try:
            while (index := self._take()) is not None:
                drawn = self._draw(index)
                self._steps[index] = len(drawn.item.steps)
                self._seen[index] = prober.probe(drawn.item, {"subset": plain_trace(drawn.trace)})
        except BaseException:
            self._is_over = True
            for other in self.probers:  # nobody shall wait for an answer that nobody wants any more
                if other is not prober:
                    other.subject.abort()
            raise

    def _take(self) -> int | None:
        """The number of the next program; none where there is no need of more."""
        with self._lock:
            failing = sum(seen is not None for seen in self._seen.copy().values())
            if self._deadline is not None and time.monotonic() > self._deadline:
                self.is_out_of_time = True
            is_done = self.plan.count is not None and self._next >= self.plan.count
            if self._is_over or self.is_out_of_time or is_done or failing >= MAX_FAILING:
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
        found = [(index, seen) for index, seen in sorted(self._seen.items()) if seen is not None]
        return found[:MAX_FAILING]

    def counted(self) -> int:
        """How many programs count: all up to the last failing one that does, or all."""
        failing = self.failing()
        return failing[-1][0] + 1 if len(failing) == MAX_FAILING else len(self._seen)

    def counted_steps(self) -> int:
        """Their steps."""
        counted = self.counted()
        return sum(steps for index, steps in self._steps.items() if index < counted and index in self._seen)
