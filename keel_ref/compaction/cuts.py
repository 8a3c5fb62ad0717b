"""The beginning of a text that costs no more than so many tokens. Spec: CMP-116, CMP-119, CMP-138."""

from __future__ import annotations

from keel_ref.choices import Choices, Unit
from keel_ref.constants import DEFAULT, Constants
from keel_ref.text import size_utf8, size_utf16
from keel_ref.tokens.rough import rough_tokens, rough_tokens_of_size
from keel_ref.units import Tokens


def text_tokens(text: str, *, choices: Choices | None = None, constants: Constants = DEFAULT) -> Tokens:
    """Tokens of one text by the documented rule, in the unit that was chosen. Spec: EST-001."""
    return rough_tokens(text, unit=(choices or Choices()).unit, constants=constants)


def beginning(text: str, cap_tokens: int, *, choices: Choices | None = None, constants: Constants = DEFAULT) -> str:
    """The longest beginning that costs at most `cap_tokens`; no character is split. Spec: CMP-116."""
    size_of = size_utf16 if (choices or Choices()).unit is Unit.UTF16 else size_utf8
    size = 0
    for place, character in enumerate(text):
        size += size_of(character)
        if rough_tokens_of_size(size, constants=constants) > cap_tokens:
            return text[:place]  # [CMP-116] before the first character that would be too much
    return text
