"""The serialised form of a value: compact JSON as JavaScript writes it. Spec: EST-010, EST-027."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from math import isfinite
from typing import Any, Final

from attrs import frozen

from keel_ref.constants import DEFAULT
from keel_ref.messages.rows import as_list, as_object

_ESCAPED = re.compile(r'["\\\x00-\x1f]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}

PLAIN_DIGITS: Final = 4_000
"""Digits that Python writes without being asked twice; it refuses more than 4,300."""
_PLAIN_LIMIT: Final = 10**PLAIN_DIGITS
_EXPONENT_FROM: Final = 21
_EXPONENT_BELOW: Final = -6


@frozen
class LongWhole:
    """A whole number of JSON too long to be worth the time that turns it into an `int` and back."""

    digits: str
    """As it stands in the text."""


class Unserialisable(Exception):
    """A value has no JSON form; the message says why."""


def serialised(value: object, level: int = 1) -> str:
    """The value, which is on `level`, as compact JSON. Raises `Unserialisable`. Spec: EST-010, EST-027."""
    return "".join(_parts(value, level))


def _parts(value: object, level: int) -> Iterator[str]:
    match value:
        case None:
            yield "null"
        case bool():
            yield "true" if value else "false"
        case str():
            yield quoted(value)
        case int():
            yield _whole(value)
        case float():
            yield js_number(value)
        case LongWhole():
            yield value.digits
        case _:
            yield from _container(value, level)


def _container(value: object, level: int) -> Iterator[str]:
    fields, items = as_object(value), as_list(value)
    if fields is None and items is None:
        raise Unserialisable(f"a value of the type {type(value).__name__} has no JSON form")
    if level > DEFAULT.nesting_cap_levels:  # [EST-027] a value that contains itself comes to this too
        raise Unserialisable(f"more than {DEFAULT.nesting_cap_levels} levels of objects and lists inside one another")
    if fields is None:
        yield "["
        for place, item in enumerate(items or ()):
            yield "," if place else ""
            yield from _parts(item, level + 1)
        yield "]"
        return
    yield "{"
    for place, (key, item) in enumerate(fields.items()):
        yield ("," if place else "") + _key(key) + ":"  # [EST-010] no blanks, keys in the order given
        yield from _parts(item, level + 1)
    yield "}"


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise Unserialisable(f"an object has the key {key!r}, which is no text")
    return quoted(key)


def quoted(text: str) -> str:
    """A text between quotes; only what JSON demands is escaped. Spec: EST-010."""
    return '"' + _ESCAPED.sub(lambda found: _SHORT.get(found[0]) or f"\\u{ord(found[0]):04x}", text) + '"'


def _whole(value: int) -> str:
    """The decimal digits of a whole number, however many."""
    return int.__repr__(value) if -_PLAIN_LIMIT < value < _PLAIN_LIMIT else f"{Decimal(value):f}"


def js_number(value: float) -> str:
    """The number as `JSON.stringify` writes it. Spec: EST-010."""
    if not isfinite(value):
        return "null"
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(float.__repr__(value)).as_tuple()
    assert isinstance(exponent, int)
    shown = "".join(map(str, digits)).rstrip("0")
    point = len(digits) + exponent  # where the decimal point stands, counted from the first digit
    return ("-" if sign else "") + _placed(shown, point)


def _placed(digits: str, point: int) -> str:
    """Digits with the point where JavaScript puts it."""
    if len(digits) <= point <= _EXPONENT_FROM:
        return digits.ljust(point, "0")
    if 0 < point <= _EXPONENT_FROM:
        return f"{digits[:point]}.{digits[point:]}"
    if _EXPONENT_BELOW < point <= 0:
        return "0." + "0" * -point + digits
    mantissa = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{point - 1:+d}"
