"""Amounts and the divisions that round them. A rule knows integers only, and each division names its rounding."""

from typing import NewType

Tokens = NewType("Tokens", int)
"""An amount of tokens, as an estimator or a provider counts them."""

_HALVES = 2


def div_floor(dividend: int, divisor: int) -> int:
    """The quotient rounded towards minus infinity: `div_floor(7, 2)` is 3, `div_floor(-7, 2)` is -4."""
    assert divisor > 0
    return dividend // divisor


def div_ceil(dividend: int, divisor: int) -> int:
    """The quotient rounded towards plus infinity: `div_ceil(7, 2)` is 4, `div_ceil(-7, 2)` is -3."""
    assert divisor > 0
    return -(-dividend // divisor)


def div_half_up(dividend: int, divisor: int) -> int:
    """The nearest quotient, a half going towards plus infinity, as JavaScript's `Math.round` rounds.

    `div_half_up(5, 2)` is 3, `div_half_up(-5, 2)` is -2.
    """
    assert divisor > 0
    return (_HALVES * dividend + divisor) // (_HALVES * divisor)
