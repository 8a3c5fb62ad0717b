"""A table of one's own: a published one with its weights scaled to one's own counts. Spec: EST-030, EST-031."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

import attrs
from attrs import frozen

from keel_ref.text import utf8_form
from keel_ref.tokens.bound import BEFORE_THE_FIRST
from keel_ref.tokens.families import ANY, FAMILIES, Family
from keel_ref.tokens.family_file import WEIGHT_CAP
from keel_ref.tokens.weights import BYTE_CLASSES, CLASS_COUNT, UNIT
from keel_ref.units import div_ceil, div_floor

SAFETY: Final = Fraction(105, 100)
"""What the weights are raised by beyond what the fitted windows ask for."""
WINDOWS_TO_CHOOSE: Final = 20
"""Fitted windows from which on the base is chosen by them; with fewer it is `any`."""
PERMILLE: Final = 1_000
_CLASSES: Final = bytes(BYTE_CLASSES)


@frozen
class Sample:
    """One window: what stands in it, and its real count."""

    byte_counts: Mapping[int, int]
    """How often each byte stands in it."""
    pair_counts: Mapping[int, int]
    """How often each pair of classes does, by its place in a table."""
    tokens: int
    """What a counter made of it."""

    @classmethod
    def of(cls, text: str, tokens: int) -> Sample:
        """The features of EST-031, gathered once for all tables."""
        data = utf8_form(text)
        now = data.translate(_CLASSES)
        before = bytes((BYTE_CLASSES[BEFORE_THE_FIRST],)) + now[:-1]
        pairs = Counter(zip(before, now, strict=False))
        return cls(
            Counter(data), {first * CLASS_COUNT + second: many for (first, second), many in pairs.items()}, tokens
        )

    def units(self, family: Family) -> int:
        """The sum of EST-031."""
        by_bytes = sum(family.byte_weights[byte] * many for byte, many in self.byte_counts.items())
        return by_bytes + sum(family.pair_weights[pair] * many for pair, many in self.pair_counts.items())

    def bound(self, family: Family) -> int:
        """The bound of the window in tokens."""
        return div_ceil(self.units(family), UNIT)


@frozen(kw_only=True)
class Figures:
    """How a table does on some windows; ratios are bound by count."""

    windows: int
    below: int
    """Windows whose bound is below their count."""
    worst_permille: int | None
    """The smallest ratio, rounded down; None without windows."""
    median_permille: int | None
    """The middle ratio, rounded down; of two the smaller one."""

    @classmethod
    def of(cls, family: Family, samples: Sequence[Sample]) -> Figures:
        """The figures of the windows that cost anything."""
        pairs = [(sample.bound(family), sample.tokens) for sample in samples if sample.tokens > 0]
        ratios = sorted(div_floor(bound * PERMILLE, tokens) for bound, tokens in pairs)
        return cls(
            windows=len(pairs),
            below=sum(bound < tokens for bound, tokens in pairs),
            worst_permille=ratios[0] if ratios else None,
            median_permille=ratios[(len(ratios) - 1) // 2] if ratios else None,
        )


@frozen(kw_only=True)
class Fit:
    """A table made for some windows."""

    family: Family
    base: str
    """The family that it was scaled from."""
    factor: Fraction
    """What its weights were multiplied by, the safety in it; each was then rounded up."""
    capped: int
    """Weights that would have been above 255, and are 255; then windows can lie below."""
    figures: Figures
    """On the windows that it was fitted to."""


def fit_family(samples: Sequence[Sample], name: str, base: Family | None = None) -> Fit:
    """A table that puts every window at or above its count. Spec: EST-030.

    Without a base the published family is taken that comes nearest when fitted. At least one window costs something.
    """
    if base is not None:
        return _scaled(base, samples, name)
    if len(samples) < WINDOWS_TO_CHOOSE:
        return _scaled(FAMILIES[ANY], samples, name)
    fits = [_scaled(family, samples, name) for family in FAMILIES.values()]
    return min(fits, key=lambda fit: (fit.figures.below, fit.figures.median_permille or 0))


def _scaled(base: Family, samples: Sequence[Sample], name: str) -> Fit:
    asked = max(Fraction(sample.tokens * UNIT, sample.units(base)) for sample in samples)
    assert asked > 0
    factor = asked * SAFETY
    by_bytes = [_times(weight, factor) for weight in base.byte_weights]
    by_pairs = [_times(weight, factor) for weight in base.pair_weights]
    family = attrs.evolve(
        base,
        name=name,
        byte_weights=bytes(min(weight, WEIGHT_CAP) for weight in by_bytes),  # [EST-031] weights of 1 to 255
        pair_weights=bytes(min(weight, WEIGHT_CAP) for weight in by_pairs),
    )
    return Fit(
        family=family,
        base=base.name,
        factor=factor,
        capped=sum(weight > WEIGHT_CAP for weight in (*by_bytes, *by_pairs)),
        figures=Figures.of(family, samples),
    )


def _times(weight: int, factor: Fraction) -> int:
    """Rounded up, so that no sum falls below what the factor asks for; what is above 0 stays above it."""
    return div_ceil(weight * factor.numerator, factor.denominator)
