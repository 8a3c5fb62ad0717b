"""Draws programs from the model alone, and aims them at edges: the implementation is never asked while one is drawn.

Each step is drawn for the state that the model is in, and run on the model at once, so that the next one can be aimed:
a context that comes to lie on a threshold, one token below it or one above; a result at its limit; a call without its
result; summaries that fail in every way; a change of the window between two requests. What comes out is the program
and its right trace.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from attrs import define, evolve, field, frozen

from keel_ref.strategies.draws import Draw
from keel_ref.strategies.program_config import Thresholds, draw_config, opened_gates
from keel_ref.strategies.program_sketch import Drawn, SessionSketch
from keel_ref.strategies.program_steps import MILLISECONDS, StepDrawer, drawers_for

RunStep = Callable[[Any], Mapping[str, Any]]
"""Runs the next step of a program that has begun, to its outcome."""
StartProgram = Callable[[Mapping[str, Any]], RunStep]
"""Begins a program of the model under a config. Raises `KeelError` for one that is wrong."""

LONGEST: Final = 40
"""Steps of one program that is drawn."""
_SESSIONS: Final = ("a", "b", "c")


@frozen(kw_only=True)
class DrawnProgram:
    """A program, and what is right for each of its steps."""

    config: Mapping[str, Any]
    steps: Sequence[Any]
    trace: Sequence[Mapping[str, Any]]


@define
class ProgramSketch:
    """What is known of a program while it is drawn."""

    thresholds: Thresholds
    draw: Draw
    opened: frozenset[str] = frozenset()
    """Gates that the config opens."""
    sessions: dict[str, SessionSketch] = field(factory=dict)
    now_ms: int = 1_000

    def session(self, name: str) -> SessionSketch:
        """What is known of one session; nothing of a new one."""
        return self.sessions.setdefault(name, SessionSketch())

    def draw_steps(self, drawers: Sequence[StepDrawer] | None = None) -> Sequence[Any]:
        """One step, or a few that belong together, for a session that is there, or a new one."""
        is_other = self.draw.chance(15)
        name = self.draw.pick(tuple(self.sessions) or ("a",)) if not is_other else self.draw.pick(_SESSIONS)
        drawn = Drawn(
            draw=self.draw,
            thresholds=self.thresholds,
            session=self.session(name),
            now_ms=self._tick(),
            others=_SESSIONS,
            opened=self.opened,
        )
        return [_told(step, name) for step in self.draw.pick(drawers or drawers_for(drawn))(drawn)]

    def _tick(self) -> int:
        """The time goes on; now and then by as much as makes old results worth clearing, one less or one more."""
        gap_ms = self.thresholds.gap_minutes * MILLISECONDS
        jump = self.draw.pick((1, 1_000, 1, 1, 1_000, gap_ms - 1, gap_ms, gap_ms + 1))
        self.now_ms += jump
        return self.now_ms

    def note(self, step: Any, outcome: Mapping[str, Any]) -> None:
        """Keep what the next steps are aimed by."""
        if not (isinstance(step, list) and "ok" in outcome):
            return
        name, args = step
        session = self.session(args.get("s", "a"))
        session.note(name, args, outcome["ok"])
        if name == "fork":
            self.sessions[args["to"]] = session.copy()
        elif name == "set":
            changed = {key: args[key] for key in ("window", "max_output") if key in args}
            self.thresholds = evolve(self.thresholds, **changed)


def draw_program(draw: Draw, start: StartProgram, *, longest: int = LONGEST) -> DrawnProgram:
    """A program with its trace."""
    config = draw_config(draw)
    run = start(config)
    sketch = ProgramSketch(thresholds=Thresholds.of(config), draw=draw, opened=opened_gates(config))
    steps: list[Any] = []
    trace: list[Mapping[str, Any]] = []
    for _ in range(_draw_length(draw, longest)):
        for step in sketch.draw_steps():
            steps.append(step)
            trace.append(run(step))
            sketch.note(step, trace[-1])
    return DrawnProgram(config=config, steps=tuple(steps), trace=trace)


def _draw_length(draw: Draw, longest: int) -> int:
    return draw.pick((draw.integer(3, min(8, longest)), draw.integer(8, max(8, longest // 2)), longest))


def _told(step: Any, name: str) -> Any:
    """A step that names its session where that is not the one that is meant without a name."""
    if name == "a" or not isinstance(step, list):
        return step
    return [step[0], {"s": name, **step[1]}]
