"""The second leg: a naive version, written from the specification alone, agrees with every vector."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from keel_ref.conformance.config import CallConfig, resolve_gates
from keel_ref.conformance.kills import without_kills
from keel_ref.conformance.suite import load_suite
from keel_ref.conformance.vectors import Vector
from keel_ref.conformance.wire import ErrorAnswer, Ok, Outcome, ProgramItem
from keel_ref.errors import KeelError
from tests.literal import compaction, memory, tokens, window
from tests.literal.compaction import run_program
from tests.literal.memory import LiteralError
from tests.vectors.in_process import findings

CALLS = {
    "compaction": compaction.call,
    "memory": memory.call,
    "messages": tokens.call,
    "text": memory.call,
    "tokens": tokens.call,
    "window": window.call,
}
"""First part of a function's name, and the naive version that has it."""
AREAS = ("compaction", "memory", "messages", "tokens", "window")
VECTORS = [vector for vector in load_suite().vectors if vector.area in AREAS]
"""The vectors of these areas."""
WRITTEN = [vector for vector in VECTORS if not vector.id.startswith("corpus-")]
"""Those that somebody wrote."""
DRAWN = [vector for vector in VECTORS if vector.id.startswith("corpus-")]
"""The corpus, which a machine filled."""
OPEN: dict[str, str] = {}
"""Vectors that say something else than their clause does, and what, until one of the two is changed."""
MEMORY_GATES = ("memory_prefetch", "team_memory")
"""The gates of the area memory; its naive version knows no others."""


class LiteralAnswerError(KeelError):
    """An error of the literal version, with the kind it gave."""

    def __init__(self, kind: str) -> None:
        """Carry the kind as the code of the error."""
        super().__init__(kind)
        self.code = kind  # type: ignore[misc]  # one class stands for every kind here


def literal(name: str, args: Mapping[str, Any], config: CallConfig) -> Mapping[str, Any]:
    """The literal version in the form of an oracle."""
    function = CALLS[name.partition(".")[0]]
    gates, choices = dict(config.gates), dict(config.choices)
    if function is memory.call:
        gates = {gate: gates[gate] for gate in MEMORY_GATES}
        choices = {key: value for key, value in choices.items() if key.startswith(("memory.", "env.truthy"))}
    try:
        return function(name, dict(args), choices, gates)
    except LiteralError as error:
        raise LiteralAnswerError(error.kind) from error


def literal_program(program: ProgramItem, base: CallConfig) -> Outcome:
    """The literal version of a program in the form of an oracle."""
    try:
        gates = resolve_gates(program.config.get("gates"), base=base.gates)
        trace = run_program(dict(program.config), list(without_kills(program.steps)), dict(base.choices), dict(gates))
    except LiteralError as error:
        return ErrorAnswer(kind=error.kind, message=str(error))
    except KeelError as error:
        return ErrorAnswer(kind=error.code, message=str(error))
    return Ok(value=json.loads(json.dumps(trace)))


def marked(vector: Vector) -> Any:
    """A vector as a case; an open one is expected to fail."""
    marks = [pytest.mark.xfail(strict=True, reason=OPEN[vector.id])] if vector.id in OPEN else []
    return pytest.param(vector, id=vector.id, marks=marks)


@pytest.mark.parametrize("vector", [marked(vector) for vector in WRITTEN])
def test_the_literal_version_does_what_the_vector_says(vector: Vector) -> None:
    """Somebody who has read nothing but the chapters comes to the same result, whatever was chosen."""

    assert [] == [str(finding) for finding in findings(vector, literal, literal_program)]


@pytest.mark.parametrize("vector", [marked(vector) for vector in DRAWN])
def test_the_literal_version_does_what_the_corpus_says(vector: Vector) -> None:
    """Whole courses of sessions, which nobody wrote, come out the same too."""

    assert [] == [str(finding) for finding in findings(vector, literal, literal_program)]


@pytest.mark.parametrize("vector", WRITTEN, ids=[vector.id for vector in WRITTEN])
def test_every_vector_names_the_legs_it_stands_on(vector: Vector) -> None:
    """Both oracles, which are run here and beside, and the observation where the vector is one."""
    is_observed = vector.id.startswith("memory-observed-")
    legs = {"reference", *(["observation"] if is_observed else []), *([] if vector.id in OPEN else ["literal"])}

    assert legs <= set(vector.source["blessed"])
    assert (vector.id in OPEN) is ("literal" not in vector.source["blessed"])
