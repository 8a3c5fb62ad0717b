"""What the model says to a program that was not drawn, such as one that was made smaller."""

from collections.abc import Mapping

from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.explore_probe import Expect, expect_outcome
from keel_ref.conformance.oracle import plain_trace
from keel_ref.conformance.reference import start_reference_program
from keel_ref.conformance.wire import ErrorAnswer, Ok, ProgramItem
from keel_ref.errors import KeelError
from keel_ref.strategies.program_drawing import StartProgram


def reference_model(choices: Mapping[str, str]) -> StartProgram:
    """The reference under the choices of an implementation."""
    base = CallConfig(choices=choices)
    return lambda config: start_reference_program(config, base)


def expect_by(start: StartProgram) -> Expect:
    """What is right for any program, as the model has it."""

    def expect(item: ProgramItem) -> Mapping[str, object] | None:
        right = run_model(start, item)
        return expect_outcome(right) if right is not None else None

    return expect


def run_model(start: StartProgram, item: ProgramItem) -> Ok | ErrorAnswer | None:
    """What the model says to a program; none where the model itself fails, so that nobody can say what is right."""
    try:
        run = start(item.config)
        return Ok(value=plain_trace([run(step) for step in item.steps]))
    except KeelError as error:
        return ErrorAnswer(kind=error.code, message=str(error))
    except Exception:  # noqa: BLE001 (a candidate that breaks the model is no candidate)
        return None
