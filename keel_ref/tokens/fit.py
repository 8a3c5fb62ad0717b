"""A table of one's own: a published one with its weights scaled to one's own counts. Spec: EST-030, EST-031."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

import attrs
from attrs import define, field, frozen

from keel_ref.text import utf8_form
from keel_ref.tokens.bound import BEFORE_THE_FIRST
from keel_ref.tokens.families import ANY, BYTE_VALUES, FAMILIES, Family
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

    @property
    def most_units(self) -> int:
        """The sum with all weights at 255."""
        return WEIGHT_CAP * (sum(self.byte_counts.values()) + sum(self.pair_counts.values()))

    @property
    def is_reachable(self) -> bool:
        """Whether any table puts the window at or above its count."""
        return self.tokens <= div_ceil(self.most_units, UNIT)

    @property
    def goal_units(self) -> int:
        """What a fit aims at: the count and the safety, as far as weights go."""
        return min(div_ceil(self.tokens * UNIT * SAFETY.numerator, SAFETY.denominator), self.most_units)


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


@define
class Weights:
    """The weights of a table while they are raised: those of bytes, then those of pairs."""

    weights: list[int]
    capped: set[int] = field(factory=set)
    """Places of the weights that would be above 255, and are 255."""

    @classmethod
    def of(cls, family: Family) -> Weights:
        """Those of a family."""
        return cls([*family.byte_weights, *family.pair_weights])

    def as_family(self, base: Family, name: str) -> Family:
        """The base with these weights, under a name."""
        by_bytes, by_pairs = bytes(self.weights[:BYTE_VALUES]), bytes(self.weights[BYTE_VALUES:])
        return attrs.evolve(base, name=name, byte_weights=by_bytes, pair_weights=by_pairs)

    def multiply(self, factor: Fraction, places: Iterable[int]) -> None:
        """Rounded up, so that no sum falls below what the factor asks for; what is above 0 stays above it."""
        for place in places:
            weight = div_ceil(self.weights[place] * factor.numerator, factor.denominator)
            if weight > WEIGHT_CAP:
                self.capped.add(place)
            self.weights[place] = min(weight, WEIGHT_CAP)  # [EST-031] weights of 1 to 255

    def raise_to_goals(self, samples: Sequence[Sample]) -> Fraction:
        """Raise what is below 255 until every window is at its goal; what it was multiplied by in all.

        Every round but the last takes a weight from 0, or one to 255, so there are no more rounds than those.
        """
        raised = Fraction(1)
        features = [(sample.goal_units, _features(sample)) for sample in samples]
        for _ in range(2 * len(self.weights) + 1):
            short = [entry for entry in features if self._units(entry[1]) < entry[0]]
            if not short:
                return raised
            # a weight of 0 is multiplied in vain; it is taken from there where the window holds nothing else to raise
            stuck = {place for _, counts in short if not self._movable_units(counts) for place in counts}
            for place in stuck:
                self.weights[place] = self.weights[place] or 1
            factor = max(self._missing(goal, counts) for goal, counts in short)
            if factor > 1:
                self.multiply(factor, [place for place, weight in enumerate(self.weights) if weight < WEIGHT_CAP])
                raised *= factor
        raise AssertionError("every window has a goal that weights of 255 reach")

    def _units(self, counts: Mapping[int, int]) -> int:
        return sum(self.weights[place] * many for place, many in counts.items())

    def _movable_units(self, counts: Mapping[int, int]) -> int:
        """The part of the sum that a factor still changes."""
        return sum(self.weights[place] * many for place, many in counts.items() if self.weights[place] < WEIGHT_CAP)

    def _missing(self, goal: int, counts: Mapping[int, int]) -> Fraction:
        """The factor that takes the window to its goal if no weight meets its cap; 1 where it is there."""
        movable, whole = self._movable_units(counts), self._units(counts)
        return Fraction(goal - whole + movable, movable) if whole < goal else Fraction(1)


def _features(sample: Sample) -> Mapping[int, int]:
    """How often each weight counts in the window, by its place."""
    return {**sample.byte_counts, **{BYTE_VALUES + pair: many for pair, many in sample.pair_counts.items()}}


@frozen(kw_only=True)
class Fit:
    """A table made for some windows."""

    family: Family
    base: str
    """The family that it was scaled from."""
    factor: Fraction
    """What its weights were multiplied by, the safety in it; each was then rounded up."""
    capped: int
    """Weights that would have been above 255, and are 255."""
    raised: Fraction
    """What the others were multiplied by beyond that, to make up for them; 1 where nothing had to be made up."""
    unreachable: int
    """Windows whose count is above what a table with 255 everywhere gives; they are the only ones that lie below."""
    figures: Figures
    """On the windows that it was fitted to."""


def fit_family(samples: Sequence[Sample], name: str, base: Family | None = None) -> Fit:
    """A table that puts every window at or above its count that any table can put there. Spec: EST-030.

    Without a base the published family is taken that comes nearest when fitted. At least one window costs something.
    """
    if base is not None:
        return _fitted(base, samples, name)
    if len(samples) < WINDOWS_TO_CHOOSE:
        return _fitted(FAMILIES[ANY], samples, name)
    fits = [_fitted(family, samples, name) for family in FAMILIES.values()]
    return min(fits, key=lambda fit: (fit.figures.below, fit.figures.median_permille or 0))


def _fitted(base: Family, samples: Sequence[Sample], name: str) -> Fit:
    reachable = [sample for sample in samples if sample.is_reachable]
    # what cannot be reached would drive every weight to 255, and still lie below; it counts if there is nothing else
    guides = reachable if any(sample.tokens for sample in reachable) else samples
    asked = max(Fraction(sample.tokens * UNIT, sample.units(base)) for sample in guides)
    assert asked > 0
    factor = asked * SAFETY
    table = Weights.of(base)
    table.multiply(factor, range(len(table.weights)))
    raised = table.raise_to_goals(reachable)
    family = table.as_family(base, name)
    return Fit(
        family=family,
        base=base.name,
        factor=factor,
        capped=len(table.capped),
        raised=raised,
        unreachable=len(samples) - len(reachable),
        figures=Figures.of(family, samples),
    )
