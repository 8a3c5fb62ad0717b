"""The model and the naive version that was written from the specification alone, on lists that nobody wrote."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from keel_ref.choices import registered
from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.reference import call_reference
from keel_ref.errors import KeelError
from keel_ref.messages.limits import EMPTY_RESULT_TEXT
from keel_ref.messages.pairing import STAND_IN_TEXT
from keel_ref.tokens import FAMILIES, count_lines
from tests.literal.test_literal_vectors import literal
from tests.literal.tokens import session
from tests.soak.generate import random_line, random_rows, random_text, random_value

FUNCTIONS = (
    "tokens.estimate_messages",
    "tokens.context_size",
    "messages.rounds",
    "messages.after_boundary",
    "messages.prepare",
)
TERMS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
FREE = frozenset({EMPTY_RESULT_TEXT, STAND_IN_TEXT})
"""Texts whose wording is free."""
METHODS = ("documented", "bound")
WORDING = "..."
BATCH = 100


def seen(value: Any) -> Any:
    """What of a result no implementation is free in: without wording, and with reports in one order."""
    match value:
        case {"type": "tool_result", "is_error": True, "content": str(), **rest}:
            return {"type": "tool_result", "is_error": True, "content": WORDING, **rest}
        case {"messages": messages, "reported": reported}:
            return {"messages": seen(messages), "reported": sorted(map(str, reported))}
        case Mapping():
            return {key: seen(item) for key, item in value.items()}
        case list():
            return [seen(item) for item in value]
        case str() if value in FREE or value.startswith("["):
            return WORDING
        case _:
            return value


def outcome(oracle: Any, name: str, args: Mapping[str, Any], config: CallConfig) -> Any:
    """A result as far as it is not free, or the kind of an error."""
    try:
        return seen(oracle(name, args, config))
    except KeelError as error:
        return error.code


def drawn_rows(rng: Random) -> list[Any]:
    """Rows that a wire can carry, some of them with usage and marks."""
    rows = [on_the_wire(row) for row in random_rows(rng)]
    for row in rows:
        if isinstance(row, dict) and rng.random() < 0.4:
            row["usage"] = {term: rng.choice((0, 1, 500, -3, 2.5, 3.0, "7", None)) for term in TERMS}
            row[rng.choice(("error", "kept", "x"))] = rng.choice((True, False, 1))
        if isinstance(row, dict) and row.get("role") == "system" and rng.random() < 0.5:
            row["subtype"] = "compact_boundary"
    return rows


def on_the_wire(value: Any) -> Any:
    """The value without numbers that JSON does not have."""
    match value:
        case float() if value != value or abs(value) == float("inf"):  # noqa: PLR0124 (the one number of this kind)
            return None
        case dict():
            return {key: on_the_wire(item) for key, item in value.items()}
        case list():
            return [on_the_wire(item) for item in value]
        case _:
            return value


@pytest.mark.parametrize("first", range(0, 1_000, BATCH))
def test_both_give_the_same_of_lists(first: int) -> None:
    """Under any choices, each function gives the same, whatever the rows are."""
    apart = []
    for seed in range(first, first + BATCH):
        rng = Random(seed)  # noqa: S311 (the same lists every time)
        choices = {name: rng.choice(values) for name, values in registered().items()}
        args = {"messages": drawn_rows(rng)}
        config = CallConfig(choices=choices)
        apart += [
            (seed, name)
            for name in FUNCTIONS
            if outcome(call_reference, name, args, config) != outcome(literal, name, args, config)
        ]

    assert [] == apart


@pytest.mark.parametrize("first", range(0, 1_000, BATCH))
def test_both_give_the_same_of_texts(first: int) -> None:
    """By either method and for any family, JSON or not; and of any usage."""
    apart = []
    for seed in range(first, first + BATCH):
        rng = Random(seed)  # noqa: S311 (the same texts every time)
        config = CallConfig(choices={"tokens.unit": rng.choice(("utf16", "utf8"))})
        text = {"text": random_text(rng), "extension": rng.choice(("json", "JSONL", "txt", ""))}
        args = {**text, "method": rng.choice(METHODS), "family": rng.choice([*FAMILIES])}
        usage = {"usage": on_the_wire(random_value(rng)), "window": rng.choice((1, 3, 200_000, 0, True))}
        for name, given in (("tokens.estimate", args), ("tokens.percentage", usage)):
            if outcome(call_reference, name, given, config) != outcome(literal, name, given, config):
                apart.append((seed, name))

    assert [] == apart


@pytest.mark.clause("EST-033")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("first", range(0, 500, BATCH))
def test_both_give_the_same_of_session_files(first: int, method: str) -> None:
    """Whole files of sound, torn, joined and changed lines."""
    apart = []
    for seed in range(first, first + BATCH):
        rng = Random(seed)  # noqa: S311 (the same files every time)
        data = b"".join(random_line(rng) for _ in range(5))
        estimate = count_lines(split(data), method=method)
        figures = session(data, method, "any")
        if {name: getattr(estimate, name) for name in figures} != figures:
            apart.append(seed)

    assert [] == apart


def split(data: bytes) -> list[bytes]:
    """Lines end with LF and nothing else."""
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + [part for part in parts[-1:] if part]
