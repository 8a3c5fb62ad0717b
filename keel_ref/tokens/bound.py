"""The bound of a text: at or above what the tokenizers of a family make of it, by the bytes of its UTF-8 form alone.

A sum of two tables, one by the byte, one by the classes of the byte before and of the byte itself, rounded up to
tokens once. A family's weights are made from real counts of real texts; what is promised for which family, on which
texts, and how far above the bound lies, is said in benches/calibration/RESULTS.md. It is no mathematical bound: text
that nobody writes can lie below it, and so can kinds of text that the weights have not seen. Spec: EST-030, EST-031.
"""

from typing import Final

from keel_ref.text import utf8_form
from keel_ref.tokens.families import ANY, Family, family_of
from keel_ref.tokens.weights import BYTE_CLASSES, CLASS_COUNT, UNIT
from keel_ref.units import Tokens, div_ceil

BEFORE_THE_FIRST: Final = ord("\n")
"""What stands before the first byte of a text."""


def bound_tokens(text: str | bytes, family: str | Family = ANY) -> Tokens:
    """Tokens that the text costs at most, as far as the family's promise goes. Spec: EST-030, EST-031."""
    return Tokens(div_ceil(bound_units(text, family), UNIT))  # [EST-031] up, once for the whole text


def bound_units(text: str | bytes, family: str | Family = ANY) -> int:
    """The sum before it is rounded, in parts of a token (`UNIT` to one). Spec: EST-031.

    Adding to the end of a text never lowers it. Sums of two parts differ from the sum of the whole only by the one
    pair where they meet.
    """
    table = family_of(family)
    units = 0
    before = BYTE_CLASSES[BEFORE_THE_FIRST]
    for byte in utf8_form(text):
        now = BYTE_CLASSES[byte]
        # [EST-031] a byte, and a pair of classes
        units += table.byte_weights[byte] + table.pair_weights[before * CLASS_COUNT + now]
        before = now
    return units
