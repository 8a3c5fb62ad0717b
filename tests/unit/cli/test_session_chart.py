"""The picture of a session."""

from __future__ import annotations

import pytest

from keel_ref.cli.session_chart import ASCII, HEIGHT, UNICODE, Picture, draw

RULES = (("warning", 147_000), ("auto", 167_000), ("blocking", 177_000))


def drawn(sizes: list[int], *, width: int = 60, marks: list[tuple[int, str]] | None = None) -> list[str]:
    """The lines of a picture."""
    return list(draw(Picture(sizes=sizes, rules=RULES, marks=marks or []), width, UNICODE))


def test_nothing_is_drawn_of_nothing() -> None:
    """Not even an axis."""

    assert [] == drawn([])


def test_the_top_is_the_highest_line() -> None:
    """With its name; a context that fills the window reaches it."""
    lines = drawn([177_000])

    assert "  177k │███ blocking 177k" == lines[0]
    assert ["│███", "│███"] == [line.strip().removeprefix("44k").strip() for line in (lines[10], lines[11])]


def test_what_is_there_is_seen() -> None:
    """A token in a window of a million, and none of nothing."""
    lines = drawn([177_000, 1, 0])

    assert "│███▁▁▁" == lines[HEIGHT - 1].strip()


def test_lines_far_above_are_left_out() -> None:
    """So that a small context is no line on the floor."""
    lines = drawn([10_000, 20_000])

    assert not any("auto" in line for line in lines)
    assert " 20k" in lines[0]


def test_marks_stand_below_their_response() -> None:
    """Of those in one column the first."""
    lines = drawn([1_000, 170_000, 1_000], marks=[(1, "C"), (1, "d"), (2, "d")])

    assert "           C  d" == lines[HEIGHT + 1]


@pytest.mark.parametrize("count", [1, 2, 9, 36, 37, 1_000, 99_999])
@pytest.mark.parametrize("width", [10, 60, 200])
def test_it_fits_whatever_the_number(count: int, width: int) -> None:
    """Each column the largest of its responses, and all of the same width."""
    lines = drawn([1_000] * (count - 1) + [170_000], width=width)

    assert max(width, 34) >= max(len(line) for line in lines)
    assert "█" in lines[3]
    assert f"{count:,}" in lines[-1]


def test_ascii_has_no_other_characters() -> None:
    """The same picture."""
    lines = list(draw(Picture(sizes=[170_000, 5], rules=RULES, marks=[]), 60, ASCII))

    assert all(line.isascii() for line in lines)
    assert len(lines) == len(drawn([170_000, 5]))
