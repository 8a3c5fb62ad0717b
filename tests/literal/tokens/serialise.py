"""The serialised form of a value: compact JSON."""

import math
from typing import Any

from tests.literal.memory.errors import LiteralError

MOST_LEVELS = 200
"""Objects and lists inside one another. [EST-027]"""

NOT_SERIALISABLE = "not_serialisable"
"""The kind of error of a value that has no JSON form."""

ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
"""The short escapes. [EST-010]"""

FIRST_EXPONENT = 21
"""From ten to this power on a number is written with an exponent. [EST-010]"""

LAST_EXPONENT = -6
"""Below ten to this power a number is written with an exponent. [EST-010]"""


def check_level(level: int) -> None:
    """Nothing may stand deeper than 200 levels. Raises LiteralError. Spec: EST-027."""
    if level > MOST_LEVELS:
        raise LiteralError(NOT_SERIALISABLE, f"more than {MOST_LEVELS} levels")  # [EST-027]


def serialise(value: Any, level: int) -> str:
    """The JSON of a value; an object or list stands on the given level. Raises LiteralError. Spec: EST-010, EST-027.

    It calls itself once for a level, so at most 200 calls stand inside one another.
    """
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return write_whole(value)
        case float():
            return write_number(value)
        case str():
            return write_string(value)
        case list() | tuple():
            check_level(level)
            return "[" + ",".join(serialise(item, level + 1) for item in value) + "]"
        case dict():
            check_level(level)
            if not all(isinstance(key, str) for key in value):
                raise LiteralError(NOT_SERIALISABLE, "a key that is no string")  # [EST-027]
            items = [write_string(key) + ":" + serialise(item, level + 1) for key, item in value.items()]
            return "{" + ",".join(items) + "}"
        case _:
            raise LiteralError(NOT_SERIALISABLE, type(value).__name__)  # [EST-027]


def write_string(text: str) -> str:
    """A string between quotes. Spec: EST-010."""
    out = []
    for character in text:
        if character in ESCAPES:
            out.append(ESCAPES[character])
        elif character < " ":
            out.append(f"\\u{ord(character):04x}")
        else:
            out.append(character)  # [EST-010] everything else stands as it is
    return '"' + "".join(out) + '"'


def write_whole(number: int) -> str:
    """All decimal digits of a whole number, however large. Spec: EST-010."""
    left = abs(number)
    out = ""
    while left or not out:
        # in pieces, since `str` refuses numbers of more than 4,300 digits
        left, piece = divmod(left, 10**1000)
        out = (f"{piece:01000d}" if left else str(piece)) + out
    return "-" + out if number < 0 else out


def write_number(number: float) -> str:
    """A number that is not stored as a whole one, as JavaScript writes it. Spec: EST-010."""
    if not math.isfinite(number):
        return "null"  # [EST-010]
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    mantissa, _, power = f"{abs(number)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    # the number is 0.DIGITS times ten to the power of point
    point = int(power or "0") + len(whole) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    return sign + place_point(digits, point)


def place_point(digits: str, point: int) -> str:
    """0.DIGITS times ten to the power of point, in JavaScript's form. Spec: EST-010."""
    if len(digits) <= point <= FIRST_EXPONENT:
        return digits + "0" * (point - len(digits))
    if 0 < point <= FIRST_EXPONENT:
        return digits[:point] + "." + digits[point:]
    if LAST_EXPONENT < point <= 0:
        return "0." + "0" * -point + digits
    fraction = "." + digits[1:] if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{'+' if point > 0 else '-'}{abs(point - 1)}"
