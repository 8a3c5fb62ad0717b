"""The machine to whose session everything happens."""

from hypothesis import settings

from keel_ref.choices import Choices, Gates
from keel_ref.compaction.events import Summarised
from keel_ref.constants import TINY
from keel_ref.strategies.machines.turn import TurnMachine
from tests.machines.examples import MACHINE_EXAMPLES

STEPS = 40
"""Events in a row: a compaction with its calls, files and hooks takes up to twelve."""

TestTurnMachine = TurnMachine.TestCase
TestTurnMachine.settings = settings(max_examples=MACHINE_EXAMPLES, stateful_step_count=STEPS)
"""The machine that lets events come in any order, and asks every law after each."""


def test_what_is_switched_on_while_results_are_saved_holds_for_the_attempt() -> None:
    """A pass asks the switches behind the saving of results, so the laws ask them there too."""
    machine = TurnMachine()
    machine.begin(constants=TINY, gates=Gates(), choices=Choices(), hooks=frozenset())
    machine.change(env={"DISABLE_COMPACT": "1"}, window=None)
    machine.respond(size=0, calls=["Bash"], is_measured=False)
    machine.answer(units=29_999)
    machine.run_pass(source="repl_main_thread", minutes=0)
    machine.change(env={}, window=None)
    machine.perform(summary=Summarised(content="a summary"), flags=(False, False, False))

    assert 1 == machine.course.calls
