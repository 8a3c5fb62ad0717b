"""The machine to whose session everything happens."""

from hypothesis import settings

from keel_ref.strategies.machines.turn import TurnMachine
from tests.machines.examples import MACHINE_EXAMPLES

STEPS = 40
"""Events in a row: a compaction with its calls, files and hooks takes up to twelve."""

TestTurnMachine = TurnMachine.TestCase
TestTurnMachine.settings = settings(max_examples=MACHINE_EXAMPLES, stateful_step_count=STEPS)
"""The machine that lets events come in any order, and asks every law after each."""
