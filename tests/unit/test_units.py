"""The divisions and what their names say of the rounding."""

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.units import div_ceil, div_floor, div_half_up

DIVIDENDS = st.integers(-(2**70), 2**70)
DIVISORS = st.integers(1, 2**70)


@given(DIVIDENDS, DIVISORS)
def test_divisions_round_the_exact_quotient(dividend: int, divisor: int) -> None:
    """Downwards, upwards, and to the nearest with a half going up; beyond what a float can hold, too."""
    exact = Fraction(dividend, divisor)

    assert floor(exact) == div_floor(dividend, divisor)
    assert ceil(exact) == div_ceil(dividend, divisor)
    assert floor(exact + Fraction(1, 2)) == div_half_up(dividend, divisor)


@pytest.mark.parametrize(("dividend", "floored", "ceiled", "nearest"), [(7, 3, 4, 4), (-7, -4, -3, -3), (6, 3, 3, 3)])
def test_halves(dividend: int, floored: int, ceiled: int, nearest: int) -> None:
    """Seven halves and their like, on both sides of zero."""

    assert (floored, ceiled, nearest) == (div_floor(dividend, 2), div_ceil(dividend, 2), div_half_up(dividend, 2))


@pytest.mark.parametrize("divisor", [0, -1])
@pytest.mark.parametrize("divide", [div_floor, div_ceil, div_half_up])
def test_a_divisor_is_positive(divide: Callable[[int, int], int], divisor: int) -> None:
    """A divisor of nothing or less is our own bug, not a value."""

    with pytest.raises(AssertionError):
        divide(1, divisor)
