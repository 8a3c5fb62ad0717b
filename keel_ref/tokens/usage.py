"""Recorded usage: its terms, its total, and the percentage that is shown. Spec: EST-013 to EST-015."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import field, frozen
from attrs.validators import ge

from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.rows import as_object
from keel_ref.units import Tokens, div_half_up

FULL_PERCENT: Final = 100


@frozen(kw_only=True)
class Usage:
    """The four terms of one usage, in tokens; what cannot be used is 0."""

    input_tokens: int = field(default=0, validator=ge(0))
    cache_creation_input_tokens: int = field(default=0, validator=ge(0))
    cache_read_input_tokens: int = field(default=0, validator=ge(0))
    output_tokens: int = field(default=0, validator=ge(0))
    has_bad_terms: bool = False
    """Whether a term was there that cannot be used. Spec: EST-015."""

    @property
    def input_total(self) -> Tokens:
        """What the request held: three terms. Spec: EST-014."""
        return Tokens(self.input_tokens + self.cache_creation_input_tokens + self.cache_read_input_tokens)

    @property
    def total(self) -> Tokens:
        """What the next request will hold: four terms, each once. Spec: EST-013."""
        return Tokens(self.input_total + self.output_tokens)  # [EST-013]


TERMS: Final = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")


def read_usage(value: object) -> Usage | None:
    """The usage that a row carries; None for what is no object. Spec: EST-013, EST-015."""
    found = as_object(value)
    if found is None:
        return None
    terms = {name: _term(found, name) for name in TERMS}
    return Usage(**{name: term or 0 for name, term in terms.items()}, has_bad_terms=None in terms.values())


def used_percentage(value: object, window: object) -> tuple[int, bool]:
    """How full the window is in per cent, 0 to 100, and whether the usage was bad. Spec: EST-014, EST-015.

    `value` is the usage of one response, or None. Raises `InvalidArgumentError` unless `window` is at least 1 token.
    """
    if isinstance(window, bool) or not isinstance(window, int) or window < 1:
        raise InvalidArgumentError("window", f"{window!r} is no whole number of at least 1")
    usage = read_usage(value)
    if usage is None:
        return 0, value is not None
    percent = div_half_up(usage.input_total * FULL_PERCENT, window)  # [EST-014] without the output
    return max(0, min(FULL_PERCENT, percent)), usage.has_bad_terms


def _term(usage: Mapping[str, object], name: str) -> int | None:
    """One term; 0 where it is missing, None where it cannot be used. Spec: EST-015."""
    value = usage.get(name)
    match value:
        case None:
            return 0
        case bool():
            return None
        case int():
            return value if value >= 0 else None
        case float() if value.is_integer() and value >= 0:  # [EST-015] whole, however it is stored
            return int(value)
        case _:
            return None
