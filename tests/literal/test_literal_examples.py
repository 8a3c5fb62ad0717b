"""The examples of the chapters, run through the literal reading."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from keel_ref.conformance.config import CallConfig, call_config
from keel_ref.conformance.wire import Ok, ProgramItem
from tests.literal.test_literal_vectors import AREAS, LiteralAnswerError, literal, literal_program

CHAPTERS = [Path(__file__).parents[2] / "spec" / f"{area}.md" for area in AREAS]
CLAUSE = re.compile(r"^### ([A-Z]{3}-\d{3}) .*?(?=^##|\Z)", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^```json example\n(.*?)^```", re.MULTILINE | re.DOTALL)
NO_CHOICE = ""


def find_cases() -> list[Any]:
    """One case for each example and each value of its choice."""
    cases: list[Any] = []
    text_of_all = "\n".join(chapter.read_text(encoding="utf-8") for chapter in CHAPTERS)
    for clause in CLAUSE.finditer(text_of_all):
        for number, text in enumerate(EXAMPLE.findall(clause[0])):
            example = json.loads(text)
            values = example["expect"].get("cases", [NO_CHOICE])
            cases.extend(pytest.param(example, value, id=f"{clause[1]}-{number}-{value}") for value in values)
    return cases


def run(example: dict[str, Any], choices: dict[str, str]) -> dict[str, Any]:
    """The result of the call of an example, an error included."""
    base = CallConfig(choices=choices)
    if "program" in example:
        program = example["program"]
        answer = literal_program(ProgramItem(config=program.get("config", {}), steps=tuple(program["steps"])), base)
        return {"trace": answer.value} if isinstance(answer, Ok) else {"error": str(answer)}
    called = example["call"]
    try:
        return dict(literal(called["fn"], called["args"], call_config(called.get("config"), base)))
    except LiteralAnswerError as error:
        return {"error": error.code}


def is_subset(expected: Any, found: Any) -> bool:
    """Every key that is expected matches; lists have the same number and match item by item."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(
            key in found and is_subset(value, found[key]) for key, value in expected.items()
        )
    if isinstance(expected, list):
        return isinstance(found, list) and len(expected) == len(found) and all(map(is_subset, expected, found))
    return bool(expected == found)


def is_unordered(expected: Any, found: Any) -> bool:
    """The same with lists in any order."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(
            key in found and is_unordered(value, found[key]) for key, value in expected.items()
        )
    if not isinstance(expected, list):
        return bool(expected == found)
    left = list(found)
    for item in expected:
        match = next((index for index, other in enumerate(left) if is_unordered(item, other)), None)
        if match is None:
            return False
        del left[match]
    return not left


def is_met(expectation: dict[str, Any], found: dict[str, Any]) -> bool:
    """Whether a result meets an expectation."""
    met: list[bool] = []
    for matcher, expected in expectation.items():
        match matcher:
            case "eq":
                met.append(expected == found.get("trace", found))
            case "subset":
                met.append(is_subset(expected, found))
            case "between":
                met.extend(low <= found[key] <= high for key, (low, high) in expected.items())
            case "unordered":
                met.append(is_unordered(expected, found))
            case "error":
                met.append(found.get("error") == expected)
            case "has":
                met.extend(
                    any(is_subset(item, other) for other in found[key]) for key in expected for item in expected[key]
                )
            case "lacks":
                met.extend(
                    not any(is_subset(item, other) for other in found[key])
                    for key in expected
                    for item in expected[key]
                )
            case _:
                pytest.fail(f"unknown matcher {matcher}")
    return bool(met) and all(met)


@pytest.mark.parametrize(("example", "value"), find_cases())
def test_example(example: dict[str, Any], value: str) -> None:
    """Every example of the chapter holds for the literal reading of its text."""
    expectation = example["expect"]
    choices: dict[str, str] = {}
    if value != NO_CHOICE:
        choices = {expectation["choice"]: value}
        expectation = expectation["cases"][value]

    found = run(example, choices)

    assert is_met(expectation, found), found
