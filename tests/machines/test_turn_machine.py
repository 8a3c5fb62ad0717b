"""The machine to whose session everything happens."""

from hypothesis import settings

from keel_ref.strategies.machines.turn import TurnMachine

STEPS = 40
"""Events in a row: a compaction with its calls, files and hooks takes up to twelve."""

TestTurnMachine = TurnMachine.TestCase
TestTurnMachine.settings = settings(stateful_step_count=STEPS)
"""The machine that lets events come in any order, and asks every law after each."""
