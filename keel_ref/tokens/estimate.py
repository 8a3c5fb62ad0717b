"""Estimates of a text and of a list of rows, by either method. Spec: EST-001, EST-012, EST-030."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from attrs import frozen

from keel_ref.choices import Choices, MessagePad
from keel_ref.constants import DEFAULT, Constants
from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.rows import Reported, rows_of
from keel_ref.tokens.blocks import RowCounter
from keel_ref.tokens.bound import bound_tokens
from keel_ref.tokens.families import ANY, Family, family_of
from keel_ref.tokens.measures import Method, measure_of
from keel_ref.tokens.rough import rough_tokens
from keel_ref.units import Tokens, div_ceil


class Kind(StrEnum):
    """What a text is known to be. Spec: EST-003."""

    TEXT = "text"
    JSON = "json"


@frozen(kw_only=True)
class MessagesEstimate:
    """What a list of rows costs."""

    tokens: Tokens
    """The sum over the list as it was given."""
    reported: tuple[Reported, ...] = ()
    """What could not be taken as it stands."""


def estimate_text(
    text: str | bytes, *, method: str = Method.BOUND, family: str | Family = ANY, kind: str = Kind.TEXT
) -> Tokens:
    """Tokens of one text; bytes are read as UTF-8. `method` is `bound` or `documented`, `kind` is `text` or `json`.

    The same as `keel_ref.estimate_text`, which is faster. Raises `InvalidArgumentError` for a method, kind or family
    that does not exist. Spec: EST-001, EST-003, EST-030.
    """
    table, wanted = family_of(family), parse_method(method)
    is_json = parse_kind(kind) is Kind.JSON
    if wanted is Method.BOUND:
        return bound_tokens(text, table)  # [EST-031] the kind changes nothing
    return rough_tokens(text, is_json=is_json)


def estimate_messages(
    messages: Sequence[Any],
    *,
    method: str = Method.BOUND,
    family: str | Family = ANY,
    is_padded: bool = False,
    choices: Choices | None = None,
    constants: Constants = DEFAULT,
) -> MessagesEstimate:
    """Tokens of a list of rows, as plain objects or those of a client library. Spec: EST-012, EST-021, EST-032.

    Its sum is what `keel_ref.estimate_messages` gives, which is faster. Raises `InvalidArgumentError` for what is no
    list and for names that do not exist, `NotSerialisableError` for a row that no request can hold.
    """
    wanted, chosen = parse_method(method), choices or Choices()
    measure = measure_of(wanted, family=family, choices=chosen, constants=constants)
    rows = rows_of(messages)
    counter = RowCounter(measure)
    tokens = sum(counter.count(index, row) for index, row in enumerate(rows))
    tokens += measure.frames[0] if rows else 0
    if is_padded and wanted is Method.DOCUMENTED and chosen.message_pad is MessagePad.FOUR_THIRDS:
        tokens = div_ceil(tokens * constants.pad_dividend, constants.pad_divisor)  # [EST-021] once for the list
    return MessagesEstimate(tokens=Tokens(tokens), reported=counter.sorted_reports())


def parse_method(name: object) -> Method:
    """The method of that name. Raises `InvalidArgumentError`."""
    if not (isinstance(name, str) and name in {*Method}):  # what is no text may not even be hashable
        raise InvalidArgumentError("method", f"{name!r} is neither documented nor bound")
    return Method(name)


def parse_kind(name: object) -> Kind:
    """The kind of that name. Raises `InvalidArgumentError`."""
    if not (isinstance(name, str) and name in {*Kind}):
        raise InvalidArgumentError("kind", f"{name!r} is neither text nor json")
    return Kind(name)
