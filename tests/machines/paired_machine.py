"""The machine that lets one program happen to two implementations: the model and the naive version of its chapters."""

import copy
import pickle
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from keel_ref.choices import registered
from keel_ref.conformance.config import CallConfig, resolve_gates
from keel_ref.conformance.reference import start_reference_program
from keel_ref.strategies.program_config import Thresholds, draw_config, draw_env, opened_gates
from keel_ref.strategies.program_drawing import ProgramSketch
from keel_ref.strategies.program_steps import DRAWERS, StepDrawer
from keel_ref.strategies.programs import HypothesisDraw
from tests.literal.compaction import read_choices
from tests.literal.compaction.program import Program
from tests.literal.compaction.program_config import read_config
from tests.literal.memory.errors import LiteralError

CHOICES = (
    "compaction.abort_counts",
    "compaction.inflated_summary",
    "compaction.oversize_restore",
    "compaction.refill_guard",
    "compaction.restore_recency",
    "tokens.fragments",
    "window.warning_base",
)
"""Choices that a program can show."""


LAYERS = ("message_sum", "snip", "time_micro")
"""Gates of layers that stand beside one another."""
INSTEAD = ("collapse", "reactive", "reactive_only")
"""Gates of what stands in the place of an automatic compaction."""


def gate_maps() -> st.SearchStrategy[dict[str, bool] | None]:
    """Gates in any combination, or those that are drawn with the config."""
    layers = {name: st.booleans() for name in LAYERS}
    return st.none() | st.fixed_dictionaries(layers, optional={name: st.booleans() for name in INSTEAD})


def choice_maps() -> st.SearchStrategy[dict[str, str]]:
    """A value for some of the choices; mostly none, which is the defaults."""
    values = {name: st.sampled_from(registered()[name]) for name in CHOICES}
    return st.just({}) | st.fixed_dictionaries({}, optional=values)


class PairedMachine(RuleBasedStateMachine):
    """Whatever is drawn for the wire happens to both at once, and behind each step both look the same."""

    def __init__(self) -> None:
        """Nothing has happened yet."""
        super().__init__()
        self.steps: list[Any] = []
        self.choices: dict[str, str] = {}

    @initialize(data=st.data(), opened=gate_maps(), choices=choice_maps(), is_varied=st.booleans())
    def begin(
        self, data: st.DataObject, opened: dict[str, bool] | None, choices: dict[str, str], *, is_varied: bool
    ) -> None:
        """Both begin under one config, which holds to the end."""
        draw = HypothesisDraw(data.draw)
        config = draw_config(draw)
        if opened is not None:
            config["gates"] = opened
        if is_varied:
            config["env"] = draw_env(draw)
        self.model = start_reference_program(config, CallConfig(choices=choices))
        gates = dict(resolve_gates(config.get("gates")))
        self.naive = Program(read_config(copy.deepcopy(config), read_choices(choices), gates))
        self.sketch = ProgramSketch(thresholds=Thresholds.of(config), draw=draw, opened=opened_gates(config))
        self.choices = choices

    @rule(data=st.data(), drawer=st.sampled_from(DRAWERS))
    def act(self, data: st.DataObject, drawer: StepDrawer) -> None:
        """One step of a kind, or a few that belong together."""
        self.sketch.draw = HypothesisDraw(data.draw)
        for step in self.sketch.draw_steps((drawer,)):
            self.take(step)

    def take(self, step: Any) -> None:
        """Let both take a step, and look at both behind it."""
        self.steps.append(step)
        look = ["observe", {"s": step[1].get("s", "a")}]
        right, said = self._ask_naive(step), self._ask_model(step)

        assert right == said, f"{step}: {said} where {right} is right"
        self.sketch.note(step, said)
        right, said = self._ask_naive(look), self._ask_model(look)
        assert right == said, f"behind {step}: {said} where {right} is right"

    def _ask_model(self, step: Any) -> Any:
        said = dict(self.model(step))
        return {"error": {"kind": said["error"]["kind"]}} if "error" in said else said

    def _ask_naive(self, step: Any) -> Any:
        before = pickle.dumps(self.naive)
        try:
            return {"ok": self.naive.run_step(step)}
        except LiteralError as error:
            self.naive = pickle.loads(before)  # noqa: S301 (our own); a step that ends in an error changes nothing
            return {"error": {"kind": error.kind}}
