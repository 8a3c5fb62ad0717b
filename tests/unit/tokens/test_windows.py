"""Which windows of somebody's texts are drawn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.strategies.text import any_text
from keel_ref.tokens.windows import WINDOW_CHARACTERS, draw


def book(name: str, windows: int) -> str:
    """A text of so many windows, none like another, and a rest."""
    return "".join(f"{name}{place:05}".ljust(WINDOW_CHARACTERS, ".") for place in range(windows)) + "rest"


BOOKS = [book(name, 10) for name in "abcdef"]


def test_windows_are_whole_and_the_rest_is_left_out() -> None:
    """2,000 characters each; a text that is shorter is one window."""
    found = draw([book("a", 3)], 100)
    short = draw(["short"], 100)

    assert [WINDOW_CHARACTERS] * 3 == [len(window.text) for window in found.windows]
    assert ["short"] == [window.text for window in short.windows]


@pytest.mark.parametrize(("files", "held_out"), [(1, 0), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2)])
def test_one_file_in_three_is_held_out(files: int, held_out: int) -> None:
    """A single file is not, else there would be nothing to fit."""
    found = draw(BOOKS[:files], 1_000)

    assert (files - held_out, held_out) == (found.fitted_files, found.held_out_files)
    assert (10 * (files - held_out), 10 * held_out) == (len(found.fitted), len(found.held_out))


def test_no_file_is_on_both_sides() -> None:
    """What is held out has not been seen."""
    found = draw(BOOKS, 1_000)

    assert set() == {window.text[0] for window in found.fitted} & {window.text[0] for window in found.held_out}


def test_what_stands_in_both_is_not_held_out() -> None:
    """Equal files are one; equal windows of two files belong to what is fitted."""
    shared = "same".ljust(WINDOW_CHARACTERS, ".")
    found = draw([shared + text for text in BOOKS] + BOOKS[:1] * 3, 1_000)

    assert 1 == sum(window.text == shared for window in found.windows)
    assert all(window.text != shared for window in found.held_out)


@pytest.mark.parametrize("most", [1, 2, 3, 10, 59, 60, 61])
def test_no_more_than_asked_for(most: int) -> None:
    """And as many, while there are some; a third of them held out at most, unless more would be left over."""
    found = draw(BOOKS, most)

    assert min(most, 60) == len(found.windows)
    assert 1 <= len(found.fitted)
    assert len(found.held_out) <= max(most // 3, most - 40)


def test_the_draw_depends_on_the_texts_alone() -> None:
    """Not on the order of the files; and more calls keep what fewer would have drawn."""
    few = draw(BOOKS, 9)

    assert draw(BOOKS, 30).windows == draw(BOOKS[::-1], 30).windows
    assert {*few.windows} <= {*draw(BOOKS, 30).windows}


def test_blank_text_is_no_window() -> None:
    """A provider refuses it."""

    assert () == draw(["", " \n", "\t" * 5_000], 10).windows


@given(texts=st.lists(any_text(), max_size=6), most=st.integers(1, 9))
def test_any_texts_can_be_drawn_from(texts: list[str], most: int) -> None:
    """Each window once, in the order of the draw, whatever the texts hold."""
    found = draw(texts, most)

    assert len(found.windows) == len({window.digest for window in found.windows}) <= most
    assert all(window.text in text for window in found.windows for text in [next(t for t in texts if window.text in t)])
