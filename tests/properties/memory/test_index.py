"""The limits of the index."""

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.choices import Unit
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY, Constants
from keel_ref.memory.index import CutIndex, cut_exactly, cut_index, slug
from keel_ref.strategies.text import any_character, any_text
from keel_ref.text import size_utf8, size_utf16, trim_white_space

UNITS = st.sampled_from(Unit)
LINES = st.lists(st.text("a é😀", max_size=4) | any_text(max_code_points=12), max_size=6).map("\n".join)
LONG = st.builds(str.__mul__, st.text("aé😀\n\ud800\udc00", min_size=1, max_size=3), st.integers(0, 30_000))


def size(text: str, unit: Unit) -> int:
    """The size of a text in the unit."""
    return size_utf16(text) if unit is Unit.UTF16 else size_utf8(text)


def cuts() -> st.SearchStrategy[tuple[str, Unit, Constants]]:
    """A text with the limits that it is cut to."""
    return st.tuples(LINES, UNITS, st.just(TINY)) | st.tuples(
        LONG | any_text(), UNITS, st.sampled_from((TINY, DEFAULT))
    )


def cut_of(case: tuple[str, Unit, Constants]) -> tuple[str, CutIndex]:
    """The trimmed original, and what is kept."""
    text, unit, numbers = case
    return trim_white_space(text), cut_index(text, unit, numbers)


@clause("MEM-121", "MEM-123")
@given(cuts())
def test_what_is_kept_is_a_beginning_within_both_limits(case: tuple[str, Unit, Constants]) -> None:
    """The kept text is a beginning of the trimmed one, with no more lines and no more units than allowed."""
    original, cut = cut_of(case)
    _, unit, numbers = case

    assert original.startswith(cut.text)
    assert cut.text.count("\n") < numbers.index_cap_lines
    assert size(cut.text, unit) <= numbers.index_cap_units


@clause("MEM-121")
@given(cuts())
def test_lines_and_size_are_those_of_the_trimmed_original(case: tuple[str, Unit, Constants]) -> None:
    """Both are measured before anything is cut, and decide alone which limits were exceeded."""
    original, cut = cut_of(case)
    _, unit, numbers = case

    assert (original.count("\n") + 1 if original else 0) == cut.lines
    assert size(original, unit) == cut.size
    assert (cut.lines > numbers.index_cap_lines) == cut.exceeds_lines
    assert (cut.size > numbers.index_cap_units) == cut.exceeds_size


@clause("MEM-122")
@given(cuts())
def test_there_is_a_notice_if_and_only_if_something_is_missing(case: tuple[str, Unit, Constants]) -> None:
    """A text that stands whole has no notice; one that was cut names each limit that it exceeded."""
    original, cut = cut_of(case)

    assert (cut.text != original) == bool(cut.notice)
    assert (cut.exceeds_lines or cut.exceeds_size) == bool(cut.notice)
    assert cut.exceeds_lines == (f"{cut.lines} lines" in cut.notice)
    assert cut.exceeds_size == ("KB" in cut.notice)


@clause("MEM-121", "MEM-123")
@given(cuts())
def test_no_line_is_cut_unless_it_alone_is_too_long(case: tuple[str, Unit, Constants]) -> None:
    """What is kept ends where a line ends, or it is the beginning of a first line that exceeds the limit."""
    original, cut = cut_of(case)
    _, unit, numbers = case
    is_whole = cut.text == original or original[len(cut.text)] == "\n"

    assert is_whole or ("\n" not in cut.text and size(original.partition("\n")[0], unit) > numbers.index_cap_units)


@clause("MEM-121")
@given(cuts())
def test_as_much_is_kept_as_fits(case: tuple[str, Unit, Constants]) -> None:
    """One line more, or one character more of a single long line, would exceed a limit."""
    original, cut = cut_of(case)
    _, unit, numbers = case
    rest = original[len(cut.text) :]
    more = cut.text + (rest[:1] + rest[1:].partition("\n")[0] if rest.startswith("\n") else rest[:1])

    assert not rest or more.count("\n") >= numbers.index_cap_lines or size(more, unit) > numbers.index_cap_units


@clause("MEM-123", "MEM-145")
@given(any_text(), UNITS, st.integers(4, 20))
def test_an_exact_cut_never_splits_a_character(text: str, unit: Unit, cap: int) -> None:
    """What fits is a beginning of the text, and the next character would not fit."""
    kept = cut_exactly(text, unit, cap)

    assert text.startswith(kept)
    assert size(kept, unit) <= cap
    assert kept == text or size(text[: len(kept) + 1], unit) > cap


@clause("MEM-124")
@given(any_text(max_code_points=20), any_character())
def test_a_slug_is_ascii_and_counts_units(path: str, char: str) -> None:
    """Letters, digits and dashes alone, one for each UTF-16 unit of the path."""

    assert size_utf16(path + char) == len(slug(path + char))
    assert slug(path + char).replace("-", "a").isalnum()
    assert slug(path + char).isascii()
