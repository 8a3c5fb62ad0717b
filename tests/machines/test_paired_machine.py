"""The model and the naive version of its chapters, step by step."""

from hypothesis import settings

from keel_ref.conformance.marks import clause
from tests.machines.paired_machine import PairedMachine

STEPS = 12
"""Kinds of steps in a row; each may be several steps."""

PairedMachine.TestCase.settings = settings(stateful_step_count=STEPS)
TestPairedMachine = clause("CMP-180", "CMP-181")(PairedMachine.TestCase)
