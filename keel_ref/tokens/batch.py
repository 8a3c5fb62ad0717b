"""Estimates of many texts at once, from a list or from a column of an Arrow library. Spec: EST-001, EST-030."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens.estimate import Kind, estimate_text, parse_kind, parse_method
from keel_ref.tokens.families import ANY, Family, family_of
from keel_ref.tokens.measures import Method
from keel_ref.units import Tokens

ARROW_METHODS = ("__arrow_c_array__", "__arrow_c_stream__")
"""By either of these an Arrow library hands out its memory."""


def estimate_texts(
    texts: Any, *, method: str = Method.BOUND, family: str | Family = ANY, kind: str = Kind.TEXT
) -> list[Tokens]:
    """Tokens of each text, 0 for `None`: a list or tuple of `str`, `bytes` and `None`, or an Arrow column of texts.

    The same as `keel_ref.estimate_texts`, which is faster and copies no text. A column may be of the Arrow types
    string, large_string and string_view, whole or in chunks; without the native module it has to have `to_pylist`, as
    those of pyarrow have. Raises `InvalidArgumentError` for what is neither and for names that do not exist,
    `TypeError` for an item that is no text. Spec: EST-001, EST-003, EST-030.
    """
    table, wanted, known = family_of(family), parse_method(method), parse_kind(kind)
    return [
        Tokens(0) if text is None else estimate_text(text, method=wanted, family=table, kind=known)
        for text in _items_of(texts)
    ]


def _items_of(texts: Any) -> Sequence[Any]:
    """The texts as Python holds them."""
    if isinstance(texts, list | tuple):
        return texts
    if not any(hasattr(texts, method) for method in ARROW_METHODS):
        raise InvalidArgumentError(
            "texts", f"expected a list or tuple of texts or an Arrow column of them, not {type(texts).__name__}"
        )
    if not hasattr(texts, "to_pylist"):
        raise InvalidArgumentError(
            "texts", f"a {type(texts).__name__} can be read by the native module alone; hand over a list of its texts"
        )
    items: list[Any] = texts.to_pylist()
    if any(not isinstance(item, str | None) for item in items):
        raise InvalidArgumentError("texts", "an Arrow column has to be of type string, large_string or string_view")
    return items
