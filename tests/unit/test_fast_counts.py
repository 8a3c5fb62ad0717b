"""The native counters of a session's settings give what the model gives; the presets are those that are published."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given

from keel_ref.adapters.fast_counts import fast_cost, fast_count
from keel_ref.choices import Gates
from keel_ref.conformance.marks import clause
from keel_ref.errors import NotSerialisableError
from keel_ref.resources import spec_folder
from keel_ref.strategies.messages import row_lists
from keel_ref.tokens.context import context_size
from keel_ref.tokens.estimate import estimate_messages


def outcome(count: Any, rows: list[Any]) -> object:
    """The count, or that there is none."""
    try:
        return int(count(rows))
    except NotSerialisableError:
        return "no JSON"


@clause("EST-012", "EST-016")
@given(row_lists())
def test_native_and_model_count_the_same(rows: list[Any]) -> None:
    """With usage and without, by context and by plain sum."""

    assert outcome(lambda rows: context_size(rows).tokens, rows) == outcome(fast_count, rows)
    assert outcome(lambda rows: estimate_messages(rows, method="documented").tokens, rows) == outcome(fast_cost, rows)


def test_the_preset_is_the_published_one() -> None:
    """Every gate of the model as `released` has it in choices.json."""
    gates = json.loads((spec_folder() / "choices.json").read_text(encoding="utf-8"))["gates"]

    assert Gates.of({gate["name"]: gate["released"] for gate in gates}) == Gates.released()
    assert Gates.of({gate["name"]: gate["documented"] for gate in gates}) == Gates()
