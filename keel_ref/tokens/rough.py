"""The documented rule: size divided by a ratio, rounded half up, each text by itself. Spec: EST-001 to EST-003."""

from __future__ import annotations

from typing import Final

from keel_ref.choices import Unit
from keel_ref.constants import DEFAULT, Constants
from keel_ref.text import size_utf8, size_utf16
from keel_ref.units import Tokens, div_half_up

JSON_EXTENSIONS: Final = frozenset({"json", "jsonl", "jsonc"})
"""Extensions of files that count at the ratio of JSON."""

_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def rough_tokens(
    text: str | bytes, *, is_json: bool = False, unit: Unit = Unit.UTF16, constants: Constants = DEFAULT
) -> Tokens:
    """Tokens of one text by the documented rule: its size over 4, over 2 for JSON, half up; never padded.

    It is not an upper bound: text that is not Latin, JSON and base64 cost more than it says. Spec: EST-001, EST-002.
    """
    size = size_utf16(text) if unit is Unit.UTF16 else size_utf8(text)  # [EST-001] [EST-025] any text has a size
    return rough_tokens_of_size(size, is_json=is_json, constants=constants)


def rough_tokens_of_size(size: int, *, is_json: bool = False, constants: Constants = DEFAULT) -> Tokens:
    """Tokens of one text of that size, which is in the unit chosen. Spec: EST-001, EST-003."""
    ratio = constants.json_ratio_units if is_json else constants.tokens_ratio_units
    return Tokens(div_half_up(size, ratio))  # [EST-002] each text by itself [EST-029] so it grows with the size


def is_json_extension(extension: str | None) -> bool:
    """Whether files of this extension (no dot) count at the ratio of JSON. Spec: EST-003."""
    return extension is not None and extension.translate(_ASCII_LOWER) in JSON_EXTENSIONS  # [EST-003]
