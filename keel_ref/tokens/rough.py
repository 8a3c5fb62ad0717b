"""The documented rule: size divided by a ratio, rounded half up, each text by itself. Spec: T-01, T-02."""

from __future__ import annotations

from keel_ref.constants import DEFAULT, Constants
from keel_ref.text import size_utf16
from keel_ref.units import Tokens, div_half_up


def estimate_text(text: str, *, constants: Constants = DEFAULT) -> Tokens:
    """Tokens of one text by the documented rule: UTF-16 units over four, half up; never padded.

    It is not an upper bound: text that is not Latin, JSON and base64 cost more than it says.
    """
    return Tokens(div_half_up(size_utf16(text), constants.tokens_ratio_units))
