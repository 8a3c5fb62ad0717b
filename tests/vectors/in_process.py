"""Runs a vector against an oracle in this process, once under each value of every choice it speaks about."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

from attrs import frozen

from keel_ref.choices import registered
from keel_ref.conformance.config import CallConfig, call_config
from keel_ref.conformance.match import ByChoice, Expectation, Mismatch, OneOf, find_mismatch, resolve_choices
from keel_ref.conformance.oracle import ask_reference
from keel_ref.conformance.reference import call_reference
from keel_ref.conformance.vectors import Vector
from keel_ref.conformance.wire import ErrorAnswer, Ok, Outcome, ProgramItem
from keel_ref.errors import KeelError

Oracle = Callable[[str, Mapping[str, Any], CallConfig], Mapping[str, Any]]
"""A function's name, its arguments and what it runs under, to its result; raises `KeelError`."""

ProgramOracle = Callable[[ProgramItem, CallConfig], Outcome]
"""A program and what it runs under, to its outcome."""

DEFAULTS = {name: values[0] for name, values in registered().items()}


@frozen(kw_only=True)
class Finding:
    """One departure of an oracle from a vector."""

    choices: Mapping[str, str]
    """The choices under which it was found, where they are not the defaults."""
    mismatch: Mismatch
    """What was expected and what came."""

    def __str__(self) -> str:
        """What a failing test prints."""
        return f"{dict(self.choices) or 'defaults'}: {self.mismatch.message}"


def findings(
    vector: Vector, oracle: Oracle = call_reference, program_oracle: ProgramOracle = ask_reference
) -> Iterator[Finding]:
    """Where the oracle departs from the vector, under every set of values that the vector has a case for."""
    names = sorted(set(_named(vector.expectation)))
    for values in product(*(registered()[name] for name in names)):
        choices = dict(zip(names, values, strict=True))
        expectation = resolve_choices(vector.expectation, DEFAULTS | choices)
        if expectation is None:
            continue
        mismatch = find_mismatch(expectation, outcome(vector, choices, oracle, program_oracle))
        if mismatch is not None:
            yield Finding(choices=choices, mismatch=mismatch)


def outcome(
    vector: Vector, choices: Mapping[str, str], oracle: Oracle, program_oracle: ProgramOracle = ask_reference
) -> Outcome:
    """What the oracle gives for the vector's call, or the other one for its program."""
    question = vector.question
    if isinstance(question, ProgramItem):
        return program_oracle(question, CallConfig(choices=choices))
    config = call_config(question.config, CallConfig(choices=choices))
    try:
        return Ok(value=oracle(question.fn, question.args, config))
    except KeelError as error:
        return ErrorAnswer(kind=error.code, message=str(error))


def _named(expectation: Expectation) -> Iterator[str]:
    for matcher in expectation.matchers:
        if isinstance(matcher, ByChoice):
            yield matcher.name
            for case in matcher.cases.values():
                yield from _named(case)
        elif isinstance(matcher, OneOf):
            for case in matcher.alternatives:
                yield from _named(case)
