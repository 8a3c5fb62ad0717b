"""The wire functions on session files."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.reference import call_reference
from keel_ref.errors import InvalidArgumentError

FILE = (Path(__file__).parents[2] / "fixtures" / "sessions" / "eight-parallel-results.jsonl").read_text("utf-8")


def call(name: str, **args: Any) -> Any:
    """What the reference gives for a call."""
    return call_reference(f"transcript.{name}", args, CallConfig())


@pytest.mark.parametrize("name", ["read", "responses"])
def test_a_file_travels_in_four_ways(name: str) -> None:
    """As a text, as bytes, as lines, and as the objects of its lines. Spec: TRN-034."""
    lines = FILE.splitlines()
    whole = call(name, text=FILE)

    assert whole == call(name, b64=base64.b64encode(FILE.encode()).decode())
    assert whole == call(name, lines=lines)
    assert whole == call(name, lines=[json.loads(line) for line in lines])


@pytest.mark.parametrize(
    "args", [{}, {"text": "", "b64": ""}, {"lines": [], "text": ""}, {"lines": [None]}, {"lines": [{"b64": 1}]}]
)
def test_anything_else_is_refused(args: dict[str, Any]) -> None:
    """Nobody guesses which file was meant. Spec: TRN-034."""
    with pytest.raises(InvalidArgumentError):
        call("read", **args)
