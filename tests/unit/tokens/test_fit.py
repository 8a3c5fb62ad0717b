"""A table scaled to counts."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.marks import clause
from keel_ref.strategies.text import any_text
from keel_ref.tokens import FAMILIES
from keel_ref.tokens.bound import bound_tokens, bound_units
from keel_ref.tokens.fit import SAFETY, WINDOWS_TO_CHOOSE, Figures, Sample, fit_family

PARTS = ("words of a text ", "UPPER CASE ", "0123456789 ", "你好世界", "naïve é ", "{[(;,)]}", "_a-b'c.d", "\n\t")
TEXTS = [
    "".join(part * (5 + place * (number + 3) % 11 * 3) for number, part in enumerate(PARTS)) for place in range(30)
]
"""Each with another mixture of all classes of bytes."""
HALF = Fraction(1, 2)


def counted(texts: list[str], family: str, part: Fraction = Fraction(1)) -> list[Sample]:
    """The texts, each with that part of its bound for a count."""
    return [Sample.of(text, int(bound_tokens(text, family) * part)) for text in texts]


@clause("EST-031")
@given(text=any_text(), family=st.sampled_from(sorted(FAMILIES)))
def test_a_sample_has_the_sum_of_its_text(text: str, family: str) -> None:
    """Gathering the features first changes no sum."""
    sample = Sample.of(text, 1)

    assert bound_units(text, family) == sample.units(FAMILIES[family])
    assert bound_tokens(text, family) == sample.bound(FAMILIES[family])


@clause("EST-030")
@given(
    texts=st.lists(any_text().filter(bool), min_size=1, max_size=5),
    counts=st.lists(st.integers(1, 60), min_size=5, max_size=5),
)
def test_every_fitted_window_is_at_or_above_its_count(texts: list[str], counts: list[int]) -> None:
    """Unless a weight had to be capped, which is said."""
    fit = fit_family([Sample.of(text, count) for text, count in zip(texts, counts, strict=False)], "mine")

    assert fit.capped or not fit.figures.below
    assert all(1 <= weight for weight in fit.family.byte_weights)


@clause("EST-030")
def test_a_table_can_be_scaled_down() -> None:
    """Counts of half the bound: half the weights, and the safety."""
    fit = fit_family(counted(TEXTS, "claude", HALF), "mine", FAMILIES["claude"])

    assert HALF * Fraction(99, 100) < fit.factor / SAFETY < HALF * Fraction(101, 100)
    assert (0, "claude", "mine") == (fit.figures.below, fit.base, fit.family.name)
    assert all(new <= old for new, old in zip(fit.family.pair_weights, FAMILIES["claude"].pair_weights, strict=True))


@clause("EST-030", "EST-032")
def test_frames_and_pictures_stay_as_they_are() -> None:
    """No count of a text says what they cost."""
    family, base = fit_family(counted(TEXTS, "claude"), "mine", FAMILIES["claude"]).family, FAMILIES["claude"]

    assert (base.list_tokens, base.row_tokens, base.block_tokens, base.image_tokens) == (
        family.list_tokens, family.row_tokens, family.block_tokens, family.image_tokens
    )  # fmt: skip


@clause("EST-031")
def test_a_weight_that_would_be_too_large_is_capped_and_said() -> None:
    """Counts of ten times the bound cannot be reached, and the figures do not hide it."""
    fit = fit_family(counted(TEXTS, "any", Fraction(10)), "mine")

    assert 0 < fit.capped
    assert 255 == max(fit.family.byte_weights)
    assert len(TEXTS) == fit.figures.below
    assert 1_000 > (fit.figures.worst_permille or 0)


@pytest.mark.parametrize("family", ["claude", "qwen", "openai-o200k"])
def test_the_nearest_published_table_is_taken(family: str) -> None:
    """Counts that are in proportion to a table's own bound are nearest to that table."""

    assert family == fit_family(counted(TEXTS, family, HALF), "mine").base


def test_with_few_windows_it_is_any() -> None:
    """They say too little to choose by."""

    assert "any" == fit_family(counted(TEXTS[: WINDOWS_TO_CHOOSE - 1], "claude", HALF), "mine").base
    assert "claude" == fit_family(counted(TEXTS[:WINDOWS_TO_CHOOSE], "claude", HALF), "mine").base


def test_figures() -> None:
    """Below, worst and median, rounded down; windows that cost nothing are none."""
    bound = bound_tokens("hello there")
    samples = [Sample.of("hello there", tokens) for tokens in (0, 1, bound, bound + 1)]
    found = Figures.of(FAMILIES["any"], samples)

    assert (3, 1) == (found.windows, found.below)
    assert (bound * 1_000 // (bound + 1), 1_000) == (found.worst_permille, found.median_permille)
    assert Figures(windows=0, below=0, worst_permille=None, median_permille=None) == Figures.of(FAMILIES["any"], [])
