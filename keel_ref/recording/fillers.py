"""Filler of the same size and kind for texts, written as they were written. Rules N2 and N3 of recordings.md.

A letter gives way to a letter of its kind, a digit to a 0; white space, punctuation and signs stay. Size in bytes,
UTF-16 units and code points is that of before, with the escapes of JSON too. Spec: EST-001.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_RANGES: Final = (
    (0x00, 0x7F, None),
    (0x80, 0xA9, None),
    (0xAB, 0xB4, None),
    (0xB6, 0xB9, None),
    (0xBB, 0xBF, None),
    (0xD7, 0xD7, None),
    (0xF7, 0xF7, None),
    (0x370, 0x3FF, "α"),
    (0x400, 0x4FF, "я"),
    (0x2000, 0x206F, None),
    (0x20A0, 0x20CF, None),
    (0x2190, 0x245F, None),
    (0x2500, 0x2BFF, None),
    (0x3000, 0x3004, None),
    (0x3008, 0x3020, None),
    (0x3040, 0x309F, "あ"),
    (0x30A0, 0x30FF, "ア"),
    (0x3400, 0x9FFF, "字"),
    (0xAC00, 0xD7A3, "가"),
    (0xD800, 0xDFFF, None),
    (0xFE00, 0xFE6F, None),
    (0x1F000, 0x1FAFF, "😀"),
)
"""Code points that stay (None), and those with a filler of their own script; the others go by their bytes."""
_OTHERS: Final = ((0x7FF, "é"), (0xFFFF, "ก"), (0x10FFFF, "𠀀"))
"""The filler up to each code point."""
_UNIT: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)
_STRETCH: Final = re.compile(_UNIT.pattern + "+", re.DOTALL)
_SHORT: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def filler_of(character: str) -> str:
    """The filler of one character; the character itself where it stays."""
    if character.isascii():
        if character.isdigit():
            return "0"
        return "x" if character.islower() else "X" if character.isupper() else character
    place = ord(character)
    for first, last, filler in _RANGES:
        if first <= place <= last:
            return character if filler is None else filler
    return next(filler for last, filler in _OTHERS if place <= last)


class _Table(dict[int, str]):
    """The filler of each code point that was met."""

    def __missing__(self, place: int) -> str:
        found = filler_of(chr(place))
        self[place] = found
        return found


_TABLE: Final = _Table()


def filled(text: str) -> str:
    """The text in filler."""
    return text.translate(_TABLE)


def filled_raw(raw: str) -> str:
    """What stands between the quotes of a JSON string, in filler; escapes stay escapes."""
    if "\\" not in raw:
        return filled(raw)
    return _STRETCH.sub(lambda found: _filled_unit(found[0]), raw)


def _filled_unit(unit: str) -> str:
    if not unit.startswith("\\"):
        return filled(unit)
    return _escaped(filler_of(_read(unit)), unit) if unit[1] == "u" else unit


def read_raw(raw: str) -> str:
    """The text that stands between the quotes."""
    return "".join(_read(unit) for unit in _units(raw)) if "\\" in raw else raw


def rewrite_raw(raw: str, text: str) -> str:
    """Another text of as many code points in the place of one, each character written as the one before it."""
    if "\\" not in raw:
        return text
    pairs = zip(_units(raw), text, strict=True)
    return "".join(_rewritten(unit, character) for unit, character in pairs)


def _rewritten(unit: str, character: str) -> str:
    if not unit.startswith("\\"):
        return character
    return _escaped(character, unit) if unit[1] == "u" else unit


def _units(raw: str) -> Iterator[str]:
    return (found[0] for found in _UNIT.finditer(raw))


def _read(unit: str) -> str:
    if not unit.startswith("\\"):
        return unit
    if unit[1] != "u":
        return _SHORT.get(unit[1], unit[1])
    values = [int(part, 16) for part in unit.split("\\u")[1:]]
    if len(values) == 1:
        return chr(values[0])
    high, low = values
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


def _escaped(character: str, unit: str) -> str:
    """The character as escapes, as many as its unit has; as it was where nothing changes."""
    if character == _read(unit):
        return unit
    coded = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(coded[at : at + 2], 'big'):04x}" for at in range(0, len(coded), 2))
