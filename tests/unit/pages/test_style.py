"""What is written on a page can be read, in light and in dark."""

import re

import pytest

from keel_ref.pages.context_page import COLOURS
from keel_ref.pages.page import asset
from keel_ref.pages.session_words import LAYERS, THRESHOLDS, UNKNOWN

BLOCKS = re.findall(r":root \{(.*?)\}", asset("page.css"), re.DOTALL)
THEMES = {
    name: dict(re.findall(r"--([a-z-]+): #([0-9a-f]{3,8});", block))
    for name, block in zip(("light", "dark"), BLOCKS, strict=True)
}
ENOUGH = 4.5
"""The contrast that WCAG 2.2 asks of text (1.4.3, level AA)."""


def brightness(colour: str) -> float:
    """The relative luminance of a colour, as WCAG defines it."""
    digits = colour if len(colour) == 6 else "".join(digit * 2 for digit in colour)
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """From 1, the same, to 21, black on white."""
    dark, light = sorted((brightness(one), brightness(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_texts_stand_out(theme: dict[str, str]) -> None:
    """On the paper and on the panel, the labels of thresholds and the numbers of compactions too."""
    inks = {"ink", "faint", *(colour for _, colour in (*THRESHOLDS.values(), *LAYERS.values(), UNKNOWN))}

    for ground in ("paper", "panel"):
        assert {} == {ink: found for ink in inks if (found := contrast(theme[ink], theme[ground])) < ENOUGH}


def test_both_themes_have_every_colour() -> None:
    """And the style has a class for each that a page may ask for."""
    style = asset("page.css")

    assert set(THEMES["light"]) == set(THEMES["dark"])
    assert set() == COLOURS - set(THEMES["light"])
    assert [] == [colour for colour in COLOURS if f".c-{colour} {{" not in style]
    assert [] == [colour for _, colour in (*LAYERS.values(), UNKNOWN) if f".k-{colour} {{" not in style]


def test_black_on_white_is_the_most() -> None:
    """The measure is the one of WCAG."""

    assert 21 == round(contrast("000", "ffffff"))
    assert 1 == contrast("777777", "777")
