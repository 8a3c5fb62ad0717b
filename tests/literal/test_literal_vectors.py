"""The second leg: a naive version, written from the specification alone, agrees with every vector."""

from collections.abc import Mapping
from typing import Any

import pytest

from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.suite import load_suite
from keel_ref.conformance.vectors import Vector
from keel_ref.errors import KeelError
from tests.literal import memory, tokens
from tests.literal.memory import LiteralError
from tests.vectors.in_process import findings

CALLS = {"memory": memory.call, "messages": tokens.call, "text": memory.call, "tokens": tokens.call}
"""First part of a function's name, and the naive version that has it."""
AREAS = ("memory", "messages", "tokens")
VECTORS = [vector for vector in load_suite().vectors if vector.area in AREAS]
GATES = ("memory_prefetch", "team_memory")


class LiteralAnswerError(KeelError):
    """An error of the literal version, with the kind it gave."""

    def __init__(self, kind: str) -> None:
        """Carry the kind as the code of the error."""
        super().__init__(kind)
        self.code = kind  # type: ignore[misc]  # one class stands for every kind here


def literal(name: str, args: Mapping[str, Any], config: CallConfig) -> Mapping[str, Any]:
    """The literal version in the form of an oracle."""
    gates = {gate: config.gates[gate] for gate in GATES}
    function = CALLS[name.partition(".")[0]]
    own = ("tokens.",) if function is tokens.call else ("memory.", "env.truthy")
    choices = {key: value for key, value in config.choices.items() if key.startswith(own)}
    try:
        return function(name, dict(args), choices, gates)
    except LiteralError as error:
        raise LiteralAnswerError(error.kind) from error


@pytest.mark.parametrize("vector", VECTORS, ids=[vector.id for vector in VECTORS])
def test_the_literal_version_does_what_the_vector_says(vector: Vector) -> None:
    """Somebody who has read nothing but the chapters comes to the same result, whatever was chosen."""

    assert [] == [str(finding) for finding in findings(vector, literal)]


@pytest.mark.parametrize("vector", VECTORS, ids=[vector.id for vector in VECTORS])
def test_every_vector_names_the_legs_it_stands_on(vector: Vector) -> None:
    """Both oracles, which are run here and beside, and the observation where the vector is one."""
    is_observed = vector.id.startswith("memory-observed-")

    assert {"reference", "literal", *(["observation"] if is_observed else [])} <= set(vector.source["blessed"])
