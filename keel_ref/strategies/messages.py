"""Rows, blocks and values as a session, a client library or a careless caller may hold them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from hypothesis import strategies as st

from keel_ref.messages.rows import Role
from keel_ref.strategies.text import any_text

Row = dict[str, Any]

_EDGE_NUMBERS = (
    -0.0,
    1.0,
    0.1,
    1e21,
    1e20,
    999999999999999900000.0,
    1e-6,
    1e-7,
    9.5e-7,
    5e-324,
    1.7976931348623157e308,
)
_EDGE_INTEGERS = (0, -1, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 2**63, 2**64, 10**400, -(10**400))
_IDS = ("a", "b", "c", "", "é", "\ud800")
_TYPES = ("text", "tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document", "x", "Text", "")
_KEYS = ("type", "text", "thinking", "data", "name", "input", "id", "tool_use_id", "content", "is_error", "source", "é")
_TERMS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")


@cache
def short_text() -> st.SearchStrategy[str]:
    """A text in which everything may stand, or one of a size at which the rounding turns."""
    return any_text(max_code_points=12) | st.text('ab \n"\\\x01é字🚀', max_size=12)


@cache
def numbers() -> st.SearchStrategy[int | float]:
    """A number of any size and form, infinite ones and no-numbers among them."""
    integers = st.integers() | st.sampled_from(_EDGE_INTEGERS)
    return integers | st.floats() | st.sampled_from(_EDGE_NUMBERS)


@cache
def json_values(max_leaves: int = 8) -> st.SearchStrategy[Any]:
    """What JSON can hold, a tuple being a list."""
    leaves = st.none() | st.booleans() | numbers() | short_text()
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.lists(inner, max_size=3).map(tuple)
            | st.dictionaries(short_text() | st.sampled_from(_KEYS), inner, max_size=4)
        ),
        max_leaves=max_leaves,
    )


@cache
def odd_values() -> st.SearchStrategy[Any]:
    """What JSON cannot hold, by itself and inside what it can."""
    strange = st.sampled_from([b"x", frozenset(), {1}, object, 1j, {1: 2}, {None: 3}, range(2)]) | st.builds(loop)
    return st.recursive(
        strange | nested(),
        lambda inner: (
            st.tuples(json_values(3), inner) | st.fixed_dictionaries({"a": inner}, optional={"b": json_values(3)})
        ),
        max_leaves=3,
    )


def loop() -> list[Any]:
    """A list that holds itself."""
    found: list[Any] = []
    found.append({"again": found})
    return found


@st.composite
def nested(draw: st.DrawFn, around: int = 200) -> Any:
    """Lists and objects inside one another, as many as are followed, give or take a few."""
    value: Any = draw(st.sampled_from([0, "x", None]))
    for place in range(draw(st.integers(around - 4, around + 4))):
        value = {"k": value} if place % 2 else [value]
    return value


@cache
def anything() -> st.SearchStrategy[Any]:
    """A value of JSON, seldom one that is none."""
    return st.one_of(*[json_values()] * 7, odd_values())


@cache
def blocks(depth: int = 2) -> st.SearchStrategy[Any]:
    """A block, whole, torn or none at all, with results inside results down to `depth`."""
    text = short_text() | anything()
    inside = st.lists(blocks(depth - 1), max_size=3) if depth else st.lists(text, max_size=2)
    content = text | inside | inside.map(tuple)
    fields = {
        "text": text,
        "thinking": text,
        "data": text,
        "name": text,
        "input": anything(),
        "id": st.sampled_from(_IDS) | anything(),
        "tool_use_id": st.sampled_from(_IDS) | anything(),
        "content": content,
        "cache_control": anything(),
    }
    kinds = st.sampled_from(_TYPES)
    whole = st.fixed_dictionaries({"type": kinds}, optional=fields)
    torn = st.fixed_dictionaries({}, optional={"type": kinds | anything(), **fields})
    return st.one_of(whole, whole, whole, torn, anything())


@cache
def usages() -> st.SearchStrategy[Any]:
    """A usage with any of its terms, sound or not."""
    sound = st.integers(0, 200_000)
    term = st.one_of(
        sound, sound, sound, st.integers(-3, 0), st.floats(), st.booleans(), st.none(), st.text(max_size=2)
    )
    terms = st.fixed_dictionaries({}, optional={**dict.fromkeys(_TERMS, term), "service_tier": st.just("standard")})
    return st.one_of(terms, terms, terms, json_values(3))


@cache
def sound_usages() -> st.SearchStrategy[Row]:
    """A usage as a provider reports it; at least 1 in all."""
    return st.fixed_dictionaries(
        {"input_tokens": st.integers(1, 200_000), "output_tokens": st.integers(0, 9_000)},
        optional={term: st.integers(0, 200_000) for term in _TERMS[1:3]},
    )


@st.composite
def rows(draw: st.DrawFn) -> Any:
    """A row of any role, whole, torn or none at all, with marks and usage where they belong and where they do not."""
    return draw(_rows())  # composed, so that what Hypothesis prints of it is short


@cache
def _rows() -> st.SearchStrategy[Any]:
    content = short_text() | st.lists(blocks(), max_size=4) | st.lists(blocks(), max_size=2).map(tuple) | anything()
    optional = {
        "content": content,
        "text": short_text() | anything(),
        "id": st.sampled_from(_IDS) | anything(),
        "usage": usages(),
        "subtype": st.sampled_from(["compact_boundary", "informational"]),
        "kept": st.sampled_from([True, False, 1, "true"]),
        "error": st.sampled_from([True, False, 1, "true"]),
    }
    roles = st.sampled_from([*map(str, Role), Role.ASSISTANT, "narrator"])
    whole = st.fixed_dictionaries({"role": roles}, optional=optional)
    torn = st.fixed_dictionaries({}, optional={"role": anything(), **optional})
    return st.one_of(*[whole] * 6, torn, anything())


@cache
def row_lists(max_rows: int = 6) -> st.SearchStrategy[list[Any]]:
    """A list of rows of every kind, in any order."""
    return st.lists(rows(), max_size=max_rows)


@cache
def json_rows(max_rows: int = 6) -> st.SearchStrategy[list[Any]]:
    """A list of rows that can all be serialised, many of them odd."""
    return row_lists(max_rows).map(lambda found: [row if is_json(row) else None for row in found])


def is_json(value: Any, levels: int = 90) -> bool:
    """Whether JSON can hold the value, with a few levels to spare."""
    match value:
        case None | bool() | str() | int() | float():
            return True
        case list() | tuple():
            return levels > 0 and all(is_json(item, levels - 1) for item in value)
        case dict():
            return levels > 0 and all(isinstance(key, str) and is_json(item, levels - 1) for key, item in value.items())
        case _:
            return False


@cache
def library_blocks() -> st.SearchStrategy[Any]:
    """Objects of the `anthropic` package, some with fields beyond their type. Needs that package."""
    types = import_module("anthropic.types")
    text = short_text()
    extra = st.dictionaries(st.sampled_from(["caller", "x", "é"]), json_values(3), max_size=2)
    return st.one_of(
        st.builds(lambda t, e: types.TextBlock(type="text", text=t, **e), text, extra),
        st.builds(
            lambda n, i, e: types.ToolUseBlock.model_construct(type="tool_use", id="t", name=n, input=i, **e),
            text,
            json_values(),
            extra,
        ),
        st.builds(lambda t: types.ThinkingBlock(type="thinking", thinking=t, signature="s"), text),
        st.builds(lambda t: types.RedactedThinkingBlock(type="redacted_thinking", data=t), text),
        st.builds(
            lambda n, e: types.ServerToolUseBlock.model_construct(
                type="server_tool_use", id="t", name=n, input={}, **e
            ),
            text,
            extra,
        ),
        st.builds(lambda t, e: types.TextBlock.model_construct(text=t, **e), text, extra),
    )


@cache
def library_rows() -> st.SearchStrategy[Any]:
    """Rows that hold objects of the `anthropic` package, or are one. Needs that package."""
    types = import_module("anthropic.types")
    content = st.lists(library_blocks() | blocks(1), max_size=4)
    whole = st.builds(
        lambda held, name: types.Message.model_construct(id=name, role="assistant", content=held, type="message"),
        content,
        st.sampled_from(_IDS),
    )
    return whole | st.builds(lambda held: {"role": "assistant", "id": "m", "content": held}, content) | library_blocks()
