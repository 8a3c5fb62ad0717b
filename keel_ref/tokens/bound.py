"""The bound of a text: at or above what the tokenizers of a family make of it, by the bytes of its UTF-8 form alone.

A sum of two tables, one by the byte, one by the classes of the byte before and of the byte itself, rounded up to
tokens once. A family's weights are made from real counts of real texts; what is promised for which family, on which
texts, and how far above the bound lies, is said in benches/calibration/RESULTS.md. It is no mathematical bound: text
that nobody writes can lie below it, and so can kinds of text that the weights have not seen. Spec: EST-030, EST-031.
"""

from typing import Final

from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens.weights import BYTE_CLASSES, BYTE_WEIGHTS, CLASS_COUNT, PAIR_WEIGHTS, UNIT
from keel_ref.units import Tokens, div_ceil

FAMILIES: Final = tuple(BYTE_WEIGHTS)
"""The families that have weights; `any` lies at or above all the others' tokenizers."""

BEFORE_THE_FIRST: Final = ord("\n")
"""What stands before the first byte of a text."""


def bound_tokens(data: str | bytes, family: str = "any") -> Tokens:
    """Tokens that the text costs at most, as far as the family's promise goes. Spec: EST-030, EST-031."""
    return Tokens(div_ceil(bound_units(data, family), UNIT))  # [EST-031] up, once for the whole text


def bound_units(data: str | bytes, family: str = "any") -> int:
    """The sum before it is rounded, in parts of a token (`UNIT` to one). Spec: EST-031.

    Adding to the end of a text never lowers it. Sums of two parts differ from the sum of the whole only by the one
    pair where they meet.
    """
    if family not in BYTE_WEIGHTS:
        raise InvalidArgumentError("family", f"not one of {', '.join(FAMILIES)}")
    by_byte, by_pair = BYTE_WEIGHTS[family], PAIR_WEIGHTS[family]
    units = 0
    before = BYTE_CLASSES[BEFORE_THE_FIRST]
    for byte in _utf8(data):
        now = BYTE_CLASSES[byte]
        units += by_byte[byte] + by_pair[before * CLASS_COUNT + now]  # [EST-031] a byte, and a pair of classes
        before = now
    return units


def _utf8(data: str | bytes) -> bytes:
    """The text in UTF-8, a lone surrogate as three bytes; bytes as they are, whether or not they are UTF-8."""
    return data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data  # [EST-025]
