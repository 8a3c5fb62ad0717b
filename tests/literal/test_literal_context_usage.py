"""The second leg of the usage by category: a naive version agrees with every vector, every example and any input."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.clauses import Example, load_clauses
from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.match import find_mismatch, parse_expectation
from keel_ref.conformance.reference import call_reference
from keel_ref.conformance.suite import load_suite
from keel_ref.conformance.vectors import Vector
from keel_ref.conformance.wire import ErrorAnswer, Ok
from keel_ref.errors import KeelError
from keel_ref.strategies.messages import json_rows
from keel_ref.strategies.usages import amounts, prompts
from tests.literal.context_usage import call
from tests.literal.memory import LiteralError
from tests.vectors.in_process import findings

VECTORS = [vector for vector in load_suite().vectors if vector.id.startswith(("context-usage-", "context-grid-"))]
EXAMPLES = [
    pytest.param(example, id=f"{name}-{number}")
    for name, clause in load_clauses().items()
    if "CTX-100" <= name <= "CTX-149"
    for number, example in enumerate(clause.examples)
]
WINDOWS = st.sampled_from([1, 9_999, 200_000, 999_999, 1_000_000])
LOOSE = amounts() | st.just(-1) | st.none() | st.booleans()
MARKS = st.none() | st.booleans()


class LiteralAnswerError(KeelError):
    """An error of the literal version, with the kind it gave."""

    def __init__(self, kind: str) -> None:
        """Carry the kind as the code of the error."""
        super().__init__(kind)
        self.code = kind  # type: ignore[misc]  # one class stands for every kind here


def literal(name: str, args: Mapping[str, Any], config: CallConfig) -> Mapping[str, Any]:
    """The literal version in the form of an oracle."""
    try:
        return call(name, dict(args), dict(config.choices), dict(config.gates))
    except LiteralError as error:
        raise LiteralAnswerError(error.kind) from error


def asked(oracle: Any, name: str, args: Mapping[str, Any]) -> Any:
    """What an oracle says, an error as its kind."""
    try:
        return oracle(name, args, CallConfig())
    except KeelError as error:
        return error.code


@pytest.mark.parametrize("vector", VECTORS, ids=[vector.id for vector in VECTORS])
def test_the_literal_version_does_what_the_vector_says(vector: Vector) -> None:
    """Somebody who has read nothing but the clauses comes to the same result."""

    assert [] == [str(finding) for finding in findings(vector, literal)]
    assert {"reference", "literal"} <= set(vector.source["blessed"])


@pytest.mark.parametrize("oracle", [literal, call_reference])
@pytest.mark.parametrize("example", EXAMPLES)
def test_both_do_what_the_example_says(example: Example, oracle: Any) -> None:
    """What stands below a clause is true."""
    source = json.loads(example.source)
    answer = asked(oracle, source["call"]["fn"], source["call"]["args"])
    outcome = ErrorAnswer(kind=answer, message="") if isinstance(answer, str) else Ok(value=answer)

    assert None is find_mismatch(parse_expectation(source["expect"]), outcome)


@given(
    st.lists(st.fixed_dictionaries({"name": st.just("a"), "tokens": LOOSE}, optional={"deferred": MARKS}), max_size=12),
    WINDOWS | st.just(0),
)
def test_both_draw_the_same_grid(categories: list[Any], window: int) -> None:
    """Whatever the amounts, or both refuse them."""
    args = {"categories": categories, "window": window}

    assert asked(literal, "context.grid", args) == asked(call_reference, "context.grid", args)


@given(json_rows(), st.lists(prompts(), max_size=2), st.none() | amounts(), WINDOWS)
def test_both_divide_the_same_messages_and_prompts(
    rows: list[Any], prompt: list[str], recorded: int | None, window: int
) -> None:
    """Whatever rows and prompts hold."""
    args = {"messages": rows, "system_prompt": prompt, "recorded": recorded, "window": window}

    assert asked(literal, "context.usage", args) == asked(call_reference, "context.usage", args)


@given(
    st.lists(
        st.fixed_dictionaries(
            {"name": st.just("a")},
            optional={
                "tokens": LOOSE,
                "definition": st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
                "server": st.none() | st.text(max_size=2),
                "deferred": MARKS,
                "loaded": MARKS,
            },
        ),
        max_size=4,
    )
)
def test_both_take_the_same_tools(tools: list[Any]) -> None:
    """Deferred, loaded, of a server, with an amount, a definition, both or neither."""

    assert asked(literal, "context.usage", {"tools": tools}) == asked(call_reference, "context.usage", {"tools": tools})
