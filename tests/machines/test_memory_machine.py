"""The machine that edits a tree in memory and on a disk at once."""

from hypothesis import settings

from keel_ref.strategies.machines.memory import MemoryMachine
from tests.machines.examples import MACHINE_EXAMPLES

STEPS = 16
"""Rules in a row: each of them may put several entries, and all laws are asked after each."""

TestMemoryMachine = MemoryMachine.TestCase
TestMemoryMachine.settings = settings(max_examples=MACHINE_EXAMPLES, stateful_step_count=STEPS)
