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


def most_tokens(text: str) -> int:
    """The largest bound that any table gives: two weights of 255 for each byte, in parts of 128."""
    return -(-510 * len(text.encode("utf-8", "surrogatepass")) // 128)


@clause("EST-031")
@given(text=any_text(), family=st.sampled_from(sorted(FAMILIES)))
def test_a_sample_has_the_sum_of_its_text(text: str, family: str) -> None:
    """Gathering the features first changes no sum."""
    sample = Sample.of(text, 1)

    assert bound_units(text, family) == sample.units(FAMILIES[family])
    assert bound_tokens(text, family) == sample.bound(FAMILIES[family])


@clause("EST-030")
@given(
    windows=st.lists(st.tuples(any_text().filter(bool), st.integers(1, 1_000)), min_size=1, max_size=5),
    base=st.sampled_from(["any", "claude", "openai-o200k"]),
)
def test_every_fitted_window_is_at_or_above_its_count(windows: list[tuple[str, int]], base: str) -> None:
    """However many weights had to be capped, as long as some table reaches the count."""
    samples = [Sample.of(text, max(1, most_tokens(text) * part // 1_000)) for text, part in windows]
    fit = fit_family(samples, "mine", FAMILIES[base])

    assert (0, 0) == (fit.figures.below, fit.unreachable)
    assert all(1 <= weight for weight in fit.family.byte_weights)


@clause("EST-030")
@given(
    windows=st.lists(st.tuples(any_text().filter(bool), st.integers(1, 1_000)), min_size=1, max_size=4),
    text=any_text().filter(bool),
)
def test_a_window_that_no_table_reaches_hides_no_other(windows: list[tuple[str, int]], text: str) -> None:
    """It is counted apart; the windows that can be reached are at or above their counts all the same."""
    samples = [Sample.of(found, max(1, most_tokens(found) * part // 1_000)) for found, part in windows]
    fit = fit_family([*samples, Sample.of(text, most_tokens(text) + 1)], "mine")

    assert (1, 1) == (fit.figures.below, fit.unreachable)
    assert all(sample.tokens <= sample.bound(fit.family) for sample in samples)


@clause("EST-030")
def test_capped_weights_are_made_up_for_by_the_others() -> None:
    """With safety, if there is room; what no weight had to be capped for is scaled and no more."""
    samples = counted(TEXTS, "any", Fraction(9, 5))
    fit = fit_family(samples, "mine", FAMILIES["any"])

    assert 0 < fit.capped
    assert 1 < fit.raised
    assert all(sample.tokens * SAFETY <= Fraction(sample.units(fit.family), 128) for sample in samples)
    assert 1 == fit_family(counted(TEXTS, "any", HALF), "mine", FAMILIES["any"]).raised


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
    """Counts of twenty times the bound cannot be reached, and the figures do not hide it."""
    fit = fit_family(counted(TEXTS, "any", Fraction(20)), "mine")

    assert 0 < fit.capped
    assert 255 == max(fit.family.byte_weights)
    assert (len(TEXTS), len(TEXTS)) == (fit.figures.below, fit.unreachable)
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
