"""Numbers out of texts: exact, and under both values of the choice."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.choices import NumberForm
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.strategies.windows import amounts, number_texts, percentage_texts
from keel_ref.window.numbers import read_percentage, read_whole
from keel_ref.window.reports import ValueReason


@clause("WIN-031")
@given(number_texts())
def test_strict_takes_nothing_that_prefix_does_not(text: str) -> None:
    """What the stricter value reads, both read, to the same number, and to the end."""
    strict, prefix = (read_whole(text, form) for form in (NumberForm.STRICT, NumberForm.PREFIX))

    assert strict[0] is None or strict == prefix == (strict[0], ())


@clause("WIN-031")
@given(number_texts() | percentage_texts(), st.sampled_from(NumberForm))
def test_a_whole_number_is_in_range(text: str, form: NumberForm) -> None:
    """From 1 to the cap, or none with a reason."""
    number, reasons = read_whole(text, form)

    assert (number is None) is bool(set(reasons) & {ValueReason.NO_NUMBER, ValueReason.OUT_OF_RANGE})
    assert number is None or 1 <= number <= DEFAULT.number_cap


@clause("WIN-032", "WIN-014")
@given(st.decimals("0.0001", 100, places=4), amounts())
def test_a_share_is_exact(percentage: object, amount: int) -> None:
    """Rounded down once, as a fraction of whole numbers gives it."""
    number, reasons = read_percentage(str(percentage), NumberForm.STRICT)

    assert number is not None
    assert () == reasons
    assert Fraction(str(percentage)) * amount // 100 == number.share_of(amount)


@clause("WIN-032")
@given(percentage_texts(), amounts())
def test_no_share_is_more_than_the_whole(text: str, amount: int) -> None:
    """Whatever was written."""
    number, _ = read_percentage(text, NumberForm.PREFIX)

    assert number is None or 0 <= number.share_of(amount) <= amount
