"""Numbers out of texts, exactly: no binary fraction is ever made of them. Spec: WIN-031, WIN-032."""

from __future__ import annotations

import re
from typing import Final

from attrs import field, frozen
from attrs.validators import ge

from keel_ref.choices import NumberForm
from keel_ref.constants import DEFAULT, Constants
from keel_ref.text import trim_white_space
from keel_ref.window.reports import ValueReason

_WHOLE: Final = re.compile(r"([+-]?)([0-9]+)")
_DECIMAL: Final = re.compile(r"([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?")
_SMALLEST_PLACE: Final = -200
"""A power of ten below which no share of anything reaches 1; it lies beyond what a text of the cap can write."""
_HUNDRED_PLACES: Final = 3
"""Digits of the largest percentage before its point."""


@frozen
class Decimal:
    """`digits` times ten to the power of `place`, in lowest terms."""

    digits: int = field(validator=ge(1))
    """Every digit that counts, as one whole number; no zero at its end."""
    place: int
    """The power of ten."""

    def share_of(self, amount: int) -> int:
        """That many hundredths of an amount, rounded down, once. Spec: WIN-014."""
        place = self.place - 2
        if place >= 0:
            return amount * self.digits * int(10**place)
        if place < _SMALLEST_PLACE:
            return 0
        return amount * self.digits // int(10**-place)  # [WIN-014] floor behind the multiplication


def read_whole(
    text: str, form: NumberForm, constants: Constants = DEFAULT
) -> tuple[int | None, tuple[ValueReason, ...]]:
    """A whole number of at least 1 out of a variable, or None, and what is to be said about it. Spec: WIN-031."""
    found = _found(_WHOLE, text, form, constants)
    if found is None:
        return None, (ValueReason.NO_NUMBER,)
    digits = found[2].lstrip("0")
    is_in_range = found[1] != "-" and 0 < len(digits) <= len(str(constants.number_cap))
    if not is_in_range or int(digits) > constants.number_cap:  # [WIN-031] from 1 to the cap
        return None, (ValueReason.OUT_OF_RANGE,)
    return int(digits), _in_part(found, text)


def read_percentage(
    text: str, form: NumberForm, constants: Constants = DEFAULT
) -> tuple[Decimal | None, tuple[ValueReason, ...]]:
    """A percentage above 0 and up to 100 out of a variable, or None, and what is to be said. Spec: WIN-032."""
    found = _found(_DECIMAL, text, form, constants)
    if found is None:
        return None, (ValueReason.NO_NUMBER,)
    sign, whole, fraction, bare, exponent = found.groups(default="")
    behind = fraction or bare
    counted = (whole + behind).lstrip("0")
    digits = counted.rstrip("0")
    place = int(exponent or 0) - len(behind) + len(counted) - len(digits)
    if not digits or sign == "-" or not _is_percentage(int(digits), len(digits), place):
        return None, (ValueReason.OUT_OF_RANGE,)
    return Decimal(int(digits), place), _in_part(found, text)


def _is_percentage(digits: int, size: int, place: int) -> bool:
    """Whether a decimal above 0 is at most 100; no power is taken before its size is known."""
    before_point = size + place
    if before_point < _HUNDRED_PLACES:
        return True
    return before_point == _HUNDRED_PLACES and digits == 1  # [WIN-032] 100 itself, which in lowest terms is 1


def _found(pattern: re.Pattern[str], text: str, form: NumberForm, constants: Constants) -> re.Match[str] | None:
    """The number at the head of a text, or all of it, behind white space."""
    trimmed = trim_white_space(text)
    if len(trimmed) > constants.number_cap_characters:  # [WIN-031] a number is short; nothing else is searched
        return None
    match form:
        case NumberForm.PREFIX:
            return pattern.match(trimmed)  # [WIN-031] the longest one at the head
        case NumberForm.STRICT:
            return pattern.fullmatch(trimmed)  # [WIN-031] the whole text, or none


def _in_part(found: re.Match[str], text: str) -> tuple[ValueReason, ...]:
    """That something stands behind the number; white space is nothing."""
    return (ValueReason.READ_IN_PART,) if trim_white_space(text)[found.end() :] else ()
