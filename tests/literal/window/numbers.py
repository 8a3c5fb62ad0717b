"""What the texts of variables say, and which values are whole numbers."""

import re
from fractions import Fraction
from typing import Any

from tests.literal.memory.errors import LiteralError

INVALID = "invalid_argument"
"""The kind of error of a bad argument. [WIN-008]"""

LARGEST = 9_007_199_254_740_991
"""The number cap. [WIN-031]"""

TEXT_CODE_POINTS = 100
"""A longer text is no number. [WIN-031]"""

WHITE = (
    "\t\n\x0b\x0c\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""White space. [WIN vocabulary]"""

WHOLE = re.compile(r"[+-]?[0-9]+")
"""A whole number. [WIN-031]"""

DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
"""A decimal number. [WIN-032]"""

ON = {"wide": ("1", "true", "yes", "on"), "strict": ("1", "true")}
"""Texts of a switch that is on, by `env.truthy`. [WIN-030]"""

OFF = ("", "0", "false", "no", "off")
"""Texts of a switch that is off and says so. [WIN-030]"""


class Values:
    """What was decided about values, in order. Spec: WIN-033."""

    def __init__(self) -> None:
        self.rows: list[dict[str, str]] = []
        """Rows `{reason, name}`."""

    def add(self, reason: str, name: str) -> None:
        """Note a reason under a name."""
        self.rows.append({"reason": reason, "name": name})

    def show(self) -> dict[str, Any]:
        """The key `reported`, or nothing. Spec: WIN-033."""
        return {"reported": self.rows} if self.rows else {}


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number; true and false are none. Spec: WIN-023."""
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and value.is_integer())


def trim(text: str) -> str:
    """The text without the white space at both ends. Spec: WIN vocabulary."""
    return text.strip(WHITE)


def lower_ascii(text: str) -> str:
    """The text with its ASCII letters lower-cased. Spec: WIN-006, WIN-030."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


def read_env(args: dict[str, Any]) -> dict[str, str]:
    """The argument `env`. Raises LiteralError. Spec: WIN-008."""
    env = args.get("env")
    if env is None:
        return {}
    if not isinstance(env, dict) or not all(isinstance(value, str) for value in env.values()):
        raise LiteralError(INVALID, "env")
    return env


def read_switch(env: dict[str, str], name: str, truthy: str, report: Values) -> bool:
    """Whether a switch is on; what means neither on nor off is reported. Spec: WIN-030."""
    if name not in env:
        return False
    text = lower_ascii(trim(env[name]))
    if text in ON[truthy]:
        return True
    if text not in OFF:
        report.add("no-switch", name)
    return False


def read_number_text(env: dict[str, str], name: str, form: re.Pattern[str], number: str) -> tuple[str | None, bool]:
    """The head of a text that is a number, or none, and whether more follows. Spec: WIN-031."""
    text = trim(env[name])
    if len(text) > TEXT_CODE_POINTS:
        return None, True
    match = form.fullmatch(text) if number == "strict" else form.match(text)
    if match is None:
        return None, True
    return match[0], len(match[0]) < len(text)


def read_whole(env: dict[str, str], name: str, number: str, report: Values) -> int | None:
    """The whole number of a variable, or none where it is not set or ignored. Spec: WIN-031."""
    if env.get(name, "") == "":
        return None  # an empty text, before it is trimmed
    head, goes_on = read_number_text(env, name, WHOLE, number)
    if head is None:
        report.add("no-number", name)
        return None
    value = int(head)
    if not 1 <= value <= LARGEST:
        report.add("out-of-range", name)  # without read-in-part
        return None
    if goes_on:
        report.add("read-in-part", name)
    return value


def read_percentage(env: dict[str, str], name: str, number: str, report: Values) -> Fraction | None:
    """The percentage of a variable, exactly, or none. Spec: WIN-032."""
    if env.get(name, "") == "":
        return None
    head, goes_on = read_number_text(env, name, DECIMAL, number)
    if head is None:
        report.add("no-number", name)
        return None
    value = read_decimal(head)
    if value is None or not 0 < value <= 100:
        report.add("out-of-range", name)
        return None
    if goes_on:
        report.add("read-in-part", name)
    return value


def read_decimal(text: str) -> Fraction | None:
    """The decimal as it is written; none where it is far above 100. Spec: WIN-032.

    A value so small that no share of a window reaches 1 is given as a value that is as small for every window.
    """
    mantissa, _, power = text.lower().partition("e")
    value = Fraction(mantissa if mantissa[-1] != "." else mantissa[:-1])
    exponent = int(power) if power else 0
    if value == 0:
        return value
    if exponent > 1_000:
        return None if value > 0 else Fraction(-1)
    return value * Fraction(10) ** max(exponent, -1_000)
