"""Runs one machine with one fault in the model: `python -m tests.soak.machine_fault NAME MACHINE EXAMPLES`.

Prints one JSON object: whether the machine found the fault, by what, and the steps of the smallest sequence.
"""

import json
import sys
import time
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import engine
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from tests.mutants.plant import plant
from tests.mutants.seeded import find_mutant

SHRINK_SECONDS = 5
"""Time for making what was found smaller."""
STEPS = {"paired": 15, "laws": 40}


class _Kept:
    """What the last failing run did; Hypothesis ends with the smallest one."""

    steps: list[Any] = []  # noqa: RUF012 (one process, one machine)


def paired() -> type[RuleBasedStateMachine]:
    """The model beside the naive version of its chapters."""
    from tests.machines.paired_machine import PairedMachine  # noqa: PLC0415 (behind the fault)

    class Machine(PairedMachine):
        def __init__(self) -> None:
            super().__init__()
            _Kept.steps = self.steps

    return Machine


def laws() -> type[RuleBasedStateMachine]:
    """The model and the laws that hold whatever happens."""
    from keel_ref.compaction.events import Event  # noqa: PLC0415 (behind the fault)
    from keel_ref.strategies.machines.turn import TurnMachine  # noqa: PLC0415

    class Machine(TurnMachine):
        def __init__(self) -> None:
            super().__init__()
            _Kept.steps = []

        def happen(self, event: Event) -> None:
            _Kept.steps.append(type(event).__name__)
            super().happen(event)

    return Machine


def main() -> int:
    """Run the machine, and say what came of it."""
    name, machine, examples = sys.argv[1], sys.argv[2], int(sys.argv[3])
    engine.MAX_SHRINKING_SECONDS = SHRINK_SECONDS
    plant(find_mutant(name))
    how = settings(
        max_examples=examples,
        stateful_step_count=STEPS[machine],
        derandomize=True,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )
    made = {"paired": paired, "laws": laws}[machine]()
    begun = time.monotonic()
    found: dict[str, Any] = {"by": None}
    try:
        run_state_machine_as_test(made, settings=how)
    except Exception as error:  # noqa: BLE001 (a fault may raise anything)
        found = {"by": f"{type(error).__name__}: {error}", "steps": len(_Kept.steps), "course": _Kept.steps}
    found["seconds"] = round(time.monotonic() - begun, 1)
    sys.stdout.write("\n" + json.dumps(found, default=str) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
