"""A text that comes in pieces, measured by both methods as if it had come whole. Spec: EST-001, EST-031."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from keel_ref.text import size_utf16
from keel_ref.tokens.bound import BEFORE_THE_FIRST, bound_units
from keel_ref.tokens.families import Family
from keel_ref.tokens.rough import rough_tokens_of_size
from keel_ref.tokens.weights import BYTE_CLASSES, CLASS_COUNT, UNIT
from keel_ref.units import Tokens, div_ceil


@define(kw_only=True)
class RunningText:
    """Takes the pieces of one text one after another; holds sums and no text.

    The two measures are those of this area, or their faster namesakes.
    """

    family: Family
    size_of: Callable[[str], int] = size_utf16
    """UTF-16 units of a piece."""
    units_of: Callable[[str, Family], int] | None = bound_units
    """Units of the bound of a piece; None where the bound is not asked for."""
    utf16_units: int = field(default=0, init=False)
    units: int = field(default=0, init=False)
    _last_class: int = field(default=BYTE_CLASSES[BEFORE_THE_FIRST], init=False)

    def add(self, piece: str) -> None:
        """Take in the next piece, which is cut between two characters."""
        if not piece:
            return
        self.utf16_units += self.size_of(piece)
        if self.units_of is None:
            return
        first, last = (BYTE_CLASSES[_utf8(piece[place])[place]] for place in (0, -1))
        # [EST-031] the sums add up but for the pair where the two texts meet
        self.units += self.units_of(piece, self.family) + self._pair(self._last_class, first)
        self.units -= self._pair(BYTE_CLASSES[BEFORE_THE_FIRST], first)
        self._last_class = last

    def documented(self, *, is_json: bool) -> Tokens:
        """Tokens of the text so far by the documented rule. Spec: EST-001, EST-003."""
        return rough_tokens_of_size(self.utf16_units, is_json=is_json)

    def bound(self) -> Tokens:
        """The bound of the text so far. Spec: EST-031."""
        assert self.units_of is not None
        return Tokens(div_ceil(self.units, UNIT))  # [EST-031] up, once for the whole text

    def _pair(self, before: int, now: int) -> int:
        return self.family.pair_weights[before * CLASS_COUNT + now]


def _utf8(character: str) -> bytes:
    return character.encode("utf-8", "surrogatepass")
