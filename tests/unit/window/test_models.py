"""The table of models: what is in it, how a name is found, and that both copies are one."""

import json

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError
from keel_ref.resources import spec_folder
from keel_ref.window import ValueReason, window_limits
from keel_ref.window.models import READ, ROWS, SOURCES
from keel_ref.window.table import UNKNOWN, find_row, has_suffix, table_name

BETAS = ("context-1m-2025-08-07",)


@clause("WIN-006")
def test_the_published_table_is_that_of_the_model() -> None:
    """Row by row, with the sources and the day."""
    published = json.loads((spec_folder() / "models.json").read_bytes())
    rows = {
        row["name"]: (row["window"], row["max_output"], row["supports_1m"], row.get("note", ""))
        for row in published["models"]
    }

    assert rows == dict(ROWS)
    assert published["read"] == READ
    assert all(f"{one['package']} {one['version']} ({one['licence']})" in SOURCES for one in published["sources"])


@clause("WIN-006")
def test_the_table_is_sorted_and_plausible() -> None:
    """In the order of names; each answer is smaller than the window, and a large window is one that is supported."""

    assert sorted(ROWS) == list(ROWS)
    assert all(0 < output < window for window, output, _, _ in ROWS.values())
    assert all(supports or window < 1_000_000 for window, _, supports, _ in ROWS.values())
    assert all(table_name(name) == name for name in ROWS)


@clause("WIN-006", "WIN-002")
@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("claude-opus-4-6", "claude-opus-4-6"),
        (" CLAUDE-opus-4-6[1M] ", "claude-opus-4-6"),
        ("us.anthropic.claude-opus-4-6-v1", "claude-opus-4-6"),
        ("vertex_ai/claude-opus-4-6@default", "claude-opus-4-6"),
        ("claude-opus-4-6-20991231", "claude-opus-4-6-20260205"),
        ("claude-opus-4-1", "claude-opus-4-1-20250805"),
        ("claude-opus-4-6[1m][1m]", ""),
        ("opus", ""),
        ("[1m]", ""),
        ("", ""),
    ],
)
def test_a_model_is_found_by_its_names(model: str, name: str) -> None:
    """By those that providers give it, and by no other."""
    found, row = find_row(model)

    assert name == found
    assert (row is UNKNOWN) is (name == "")


@clause("WIN-002")
def test_the_suffix_is_the_end_of_the_name() -> None:
    """In either case, behind nothing but white space."""

    assert [True, True, True] == [has_suffix(name) for name in ("x[1m]", "x[1M]\n", "[1m]")]
    assert [False, False, False] == [has_suffix(name) for name in ("x[1m]x", "x1m", "x[1m")]


@clause("WIN-005")
def test_the_header_is_heard_where_the_model_has_it() -> None:
    """Sonnet 4.5 was offered with it, Opus 4.1 was not."""

    assert 1_000_000 == window_limits("claude-sonnet-4-5", betas=BETAS).window
    assert 200_000 == window_limits("claude-opus-4-1", betas=BETAS).window


@clause("WIN-003")
def test_an_internal_user_decides_first() -> None:
    """Before the suffix; anybody else is told that it is not theirs."""
    env = {"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "400000"}
    told = window_limits("claude-opus-4-1[1m]", env=env)

    assert 1_000_000 == told.window
    assert ValueReason.INTERNAL_ONLY in {one.reason for one in told.reports}
    assert 400_000 == window_limits("claude-opus-4-1[1m]", env={**env, "USER_TYPE": "ant"}).window


@clause("WIN-008")
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"model": 1}, "model"),
        ({"window": 0}, "window"),
        ({"window": 2**53}, "window"),
        ({"window": 1.5}, "window"),
        ({"max_output": True}, "max_output"),
        ({"supports_1m": "yes"}, "supports_1m"),
        ({"betas": "context-1m-2025-08-07"}, "betas"),
        ({"env": []}, "env"),
        ({"env": {"A": 1}}, "env"),
        ({"settings": "{}"}, "settings"),
    ],
)
def test_a_wrong_argument_is_named(arguments: dict[str, object], named: str) -> None:
    """With what is wrong about it."""
    with pytest.raises(InvalidArgumentError) as caught:
        window_limits(**arguments)  # type: ignore[arg-type]

    assert named == caught.value.argument
    assert caught.value.problem
