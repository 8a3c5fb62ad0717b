"""Texts that are sent twice."""

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.memory.similar import same_texts
from keel_ref.memory.values import Layer, MemoryFile
from keel_ref.trace import Notice


def found(*texts: str) -> list[tuple[str, str]]:
    """The notices about files `/0`, `/1` and so on, each with its kind."""
    files = [
        MemoryFile(path=f"/{number}", layer=Layer.PROJECT, text=text, raw=text) for number, text in enumerate(texts)
    ]
    return [_pair(notice) for notice in same_texts(files)]


def _pair(notice: Notice) -> tuple[str, str]:
    return notice.path, notice.kind


def lines(start: int, stop: int) -> str:
    """A text of numbered lines."""
    return "\n".join(f"line {number}" for number in range(start, stop))


@clause("MEM-016")
def test_an_equal_text_is_named_at_its_second_place() -> None:
    """It is sent all the same."""

    assert [("/1", "same-text"), ("/3", "same-text")] == found("a", "a", "b", "a")
    assert [] == found("a", "b", "A")


@pytest.mark.parametrize(
    ("is_near", "one", "other"),
    [
        (True, lines(0, 10), lines(2, 12)),
        (False, lines(0, 10), lines(3, 13)),
        (True, lines(0, 5), lines(0, 50)),
        (False, lines(0, 4), lines(0, 50)),
        (True, lines(0, 5), "  " + lines(0, 5).replace("\n", " \n\n")),
    ],
)
def test_a_text_that_shares_four_fifths_of_the_shorter_one_is_named(is_near: bool, one: str, other: str) -> None:
    """Five lines at least, white space at their ends and blank lines aside."""

    assert ([("/1", "near-same-text")] if is_near else []) == found(one, other)


def test_lines_that_everybody_has_tell_nothing() -> None:
    """So that the cost grows with the text, and not with the square of its files."""

    assert [] == found(*(f"{lines(0, 9)}\nown {number}" for number in range(30)))
