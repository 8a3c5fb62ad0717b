"""The serialised form of a value: compact JSON as JavaScript writes it. Spec: EST-010, EST-027."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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
    parts: list[str] = []
    open_now: list[_Open] = [_Open(iter([("", value)]), "")]
    while open_now:
        for before, item in open_now[-1].items:
            parts.append(before)
            plain = _plain(item)
            if plain is None:
                opening, inner = _opened(item, level + len(open_now) - 1)
                parts.append(opening)
                open_now.append(inner)
                break
            parts.append(plain)
        else:
            parts.append(open_now.pop().closing)
    return "".join(parts)


@frozen
class _Open:
    """An object or list that is being written: what is left of it, each with what stands before it, and its end."""

    items: Iterator[tuple[str, object]]
    closing: str


def _plain(value: object) -> str | None:
    """The form of what holds nothing else; None for an object, a list, or what has no form."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return quoted(value)
        case int():
            return _whole(value)
        case float():
            return js_number(value)
        case LongWhole():
            return value.digits
        case _:
            return None


def _opened(value: object, level: int) -> tuple[str, _Open]:
    """The beginning of an object or a list, and the rest of it."""
    fields, items = as_object(value), as_list(value)
    if fields is None and items is None:
        raise Unserialisable(f"a value of the type {type(value).__name__} has no JSON form")
    if level > DEFAULT.nesting_cap_levels:  # [EST-027] a value that contains itself comes to this too
        raise Unserialisable(f"more than {DEFAULT.nesting_cap_levels} levels of objects and lists inside one another")
    if fields is None:
        return "[", _Open(_separated(("", item) for item in items or ()), "]")
    # [EST-010] no blanks, keys in the order given
    return "{", _Open(_separated((_key(key) + ":", item) for key, item in fields.items()), "}")


def _separated(items: Iterable[tuple[str, object]]) -> Iterator[tuple[str, object]]:
    """The items with a comma before each but the first."""
    for place, (before, item) in enumerate(items):
        yield ("," if place else "") + before, item


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
