"""What the strategies may draw, and that they draw it often enough for a property to meet it."""

from collections.abc import Callable

import pytest
from hypothesis import Phase, find, settings

from keel_ref.strategies.text import any_bytes, any_text

QUICKLY = settings(max_examples=200, derandomize=True, database=None, phases=[Phase.generate])
"""Few enough examples that a feature of a text cannot be met by mere luck."""


def has_lone_surrogate(text: str) -> bool:
    """Whether one of the code points is a surrogate."""
    return any("\ud800" <= character <= "\udfff" for character in text)


@pytest.mark.parametrize(
    "feature",
    [
        has_lone_surrogate,
        lambda text: "\0" in text,
        lambda text: "\ufeff" in text,
        lambda text: bool(text) and max(text) > "\uffff",
        lambda text: text.isascii() and len(text) > 1,
        lambda text: not text,
        lambda text: has_lone_surrogate(text) and max(text) > "\uffff",
    ],
)
def test_any_text_meets_every_kind_of_text(feature: Callable[[str], bool]) -> None:
    """A lone surrogate, NUL, a byte order mark, a character beyond U+FFFF, plain ASCII, nothing."""

    assert feature(find(any_text(), feature, settings=QUICKLY))


@pytest.mark.parametrize("bounds", [(0, 0), (3, 3), (2, 5)])
def test_any_text_keeps_its_bounds(bounds: tuple[int, int]) -> None:
    """The bounds count code points."""
    low, high = bounds
    within = any_text(min_code_points=low, max_code_points=high)

    assert low == len(find(within, lambda text: len(text) == low, settings=QUICKLY))
    assert high == len(find(within, lambda text: len(text) == high, settings=QUICKLY))


@pytest.mark.parametrize("length_of_part", [1, 2, 3])
def test_any_bytes_meets_characters_cut_at_every_place(length_of_part: int) -> None:
    """Bytes that break off after the first, second or third byte of a character, and go on."""

    def is_cut(found: bytes) -> bool:
        try:
            found.decode()
        except UnicodeDecodeError as error:
            return error.end - error.start == length_of_part
        return False

    assert is_cut(find(any_bytes(), is_cut, settings=QUICKLY))
