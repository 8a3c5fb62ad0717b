"""Every example in the specification says what the reference does."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from keel_ref.conformance.clauses import Example, load_clauses
from keel_ref.conformance.match import parse_expectation
from keel_ref.conformance.vectors import Vector, read_question
from tests.vectors.in_process import findings


def examples(kind: str) -> tuple[Any, ...]:
    """The examples of one kind as pytest parameters, each under its clause and line."""
    return tuple(
        pytest.param(example, id=f"{clause.id}-line-{example.line}")
        for clause in load_clauses().values()
        for example in clause.examples
        if example.kind == kind
    )


def departures(source: str) -> Iterator[str]:
    """Where the reference departs from an example, under each choice that the example speaks about."""
    example = json.loads(source)

    problems: list[str] = []
    question = read_question(example, problems)

    assert set(example) in ({"call", "expect"}, {"program", "expect"})
    assert [] == problems
    vector = Vector(
        id="example",
        area="memory",
        clauses=(),
        needs=(),
        why="an example of the specification",
        seen=(),
        question=question,
        expectation=parse_expectation(example["expect"]),
        source=example,
        path="",
        digest="",
    )
    yield from (str(finding) for finding in findings(vector))


@pytest.mark.parametrize("example", examples("json"))
def test_the_reference_gives_what_the_example_says(example: Example) -> None:
    """A reader may take every example at its word."""

    assert [] == list(departures(example.source))


@pytest.mark.parametrize("example", examples("python"))
def test_the_python_of_the_example_runs(example: Example) -> None:
    """What is shown in Python runs as it stands, in a module of its own."""
    code = compile("\n" * (example.line - 1) + example.source, example.path, "exec")

    exec(code, {"__name__": "example"})  # noqa: S102 (our own specification)


def test_an_example_that_is_wrong_is_seen() -> None:
    """The run of the examples can fail: another text than the one that loads is a difference."""
    wrong = """{"call": {"fn": "memory.load", "args": {"cwd": "/r", "tree": [{"p": "/r/CLAUDE.md", "t": "A"}]}},
                "expect": {"subset": {"files": [{"p": "/r/CLAUDE.md", "text": "B"}]}}}"""

    assert ['defaults: files[0].text: expected "B", got "A"'] == list(departures(wrong))


def test_an_example_is_held_to_each_value_of_a_choice() -> None:
    """An example with one case for each value is run once for each, not only with the defaults."""
    wrong = """{"call": {"fn": "memory.load", "args": {"cwd": "/r", "tree": [{"p": "/CLAUDE.md", "t": "A"}]}},
                "expect": {"choice": "memory.root", "cases": {
                   "skip": {"subset": {"files": []}}, "read": {"subset": {"files": []}}}}}"""

    assert ["{'memory.root': 'read'}"] == [departure.split(": files")[0] for departure in departures(wrong)]
