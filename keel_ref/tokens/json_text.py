"""Whether a text is JSON, and what it says, by the grammar of RFC 8259 and within bounds. Spec: EST-004, EST-033."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, Final

from keel_ref.constants import DEFAULT
from keel_ref.tokens.serialise import PLAIN_DIGITS, LongWhole

WHITE_SPACE: Final = " \t\n\r"
"""What JSON takes for white space."""

_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)
"""A string, which may be torn at the end of the text, or a bracket. Each character is looked at once."""
_LONG_DIGITS: Final = 20_000
"""Digits that turn into a number in no time; the time for more grows with their square."""


class NotJson(Exception):
    """The text is no JSON, or nests too deep."""


def parse_json(text: str) -> Any:
    """The value that the text says. Raises `NotJson`.

    A key that stands twice has its last value; a number of any size is one, as a `LongWhole` where it is very long; NaN
    and its like are none.
    """
    # [EST-004] [EST-033] decided here, since parsers differ in how deep they can go
    if _levels(text) > DEFAULT.nesting_cap_levels:
        raise NotJson(f"more than {DEFAULT.nesting_cap_levels} levels")
    try:
        return json.loads(text, parse_constant=_refuse, parse_int=_whole)
    except (ValueError, RecursionError) as error:
        raise NotJson(str(error)) from error


def is_json_container(text: str) -> bool:
    """Whether the text as a whole is one object or one array. Spec: EST-004."""
    inner = text.strip(WHITE_SPACE)
    if not inner.startswith(("{", "[")):
        return False
    try:
        parse_json(inner)
    except NotJson:
        return False
    return True


def _levels(text: str) -> int:
    """How deep brackets stand inside one another, those in strings left out."""
    deepest = level = 0
    for found in _STRUCTURE.finditer(text):
        match found[0]:
            case "{" | "[":
                level += 1
                deepest = max(deepest, level)
            case "}" | "]":
                level -= 1
            case _:
                pass
    return deepest


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _whole(digits: str) -> int | LongWhole:
    if len(digits) <= PLAIN_DIGITS:
        return int(digits)
    return int(Decimal(digits)) if len(digits) <= _LONG_DIGITS else LongWhole(digits)
