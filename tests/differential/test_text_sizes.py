"""The native sizes of a text are those of the reference, for every text."""

import sys
from itertools import product

import pytest
from hypothesis import given

from keel_ref import _native, text
from keel_ref.strategies.text import any_bytes, any_text

LEADS = b"\x00\x7f\x80\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xff"
"""Bytes at which the reading of UTF-8 changes its course when they come first."""
FOLLOWERS = b"A\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xf0"
"""Bytes at which it changes its course when they come later."""


def reference_sizes(value: str | bytes) -> tuple[int, int, int]:
    """The three sizes as the reference gives them, in the order of the native function."""
    return (text.size_utf8(value), text.size_utf16(value), text.size_code_points(value))


def native_sizes(value: str | bytes) -> tuple[int, int, int]:
    """The three sizes, each from the native function of its own."""
    return (_native.size_utf8(value), _native.size_utf16(value), _native.size_code_points(value))


@given(any_text())
def test_any_text_has_the_same_sizes(value: str) -> None:
    """A text of any code points, lone surrogates included, has one size in each unit."""

    assert reference_sizes(value) == native_sizes(value)


@given(any_bytes())
def test_any_bytes_have_the_same_sizes(value: bytes) -> None:
    """Bytes that are broken UTF-8 have the size of the text that CPython makes of them."""

    assert reference_sizes(value) == native_sizes(value)


@given(any_text() | any_bytes())
def test_all_sizes_at_once_are_the_sizes_one_by_one(value: str | bytes) -> None:
    """The function that gives three sizes gives those of the three functions."""

    assert native_sizes(value) == _native.size_text(value)


def test_every_code_point_has_the_same_sizes() -> None:
    """All 1,114,112 of them, surrogates included, tried one by one."""
    differing = [
        code_point
        for code_point in range(sys.maxunicode + 1)
        if reference_sizes(chr(code_point)) != _native.size_text(chr(code_point))
    ]

    assert [] == differing


def test_every_short_run_of_bytes_has_the_same_sizes() -> None:
    """All runs of up to two bytes, and all runs of up to five bytes at which a reader of UTF-8 changes its course."""
    runs = [bytes(pair) for pair in product(range(256), repeat=2)]
    runs += [bytes([byte]) for byte in range(256)]
    for more in range(5):
        runs += [bytes(run) for run in product(LEADS, *[FOLLOWERS] * more)]
    differing = [run for run in runs if reference_sizes(run) != _native.size_text(run)]

    assert [] == differing


@pytest.mark.parametrize("tail", ["", "\xff", "\u0100", "\uffff", "\ud800", "\U00010000"])
def test_the_storage_that_one_character_forces_changes_no_size(tail: str) -> None:
    """One wide character makes Python keep the whole text wider; the sizes of the rest stay."""
    head = "plain text " * 5_000

    assert tuple(map(sum, zip(reference_sizes(head), reference_sizes(tail), strict=True))) == native_sizes(head + tail)


def test_a_subclass_of_str_is_a_text() -> None:
    """What Python takes for a text, both take for one."""

    class Marked(str):
        """A text with a mark."""

        __slots__ = ()

    assert reference_sizes("é🚀") == native_sizes(Marked("é🚀"))


@pytest.mark.parametrize("value", [None, 3, ["a"], bytearray(b"a"), memoryview(b"a")])
@pytest.mark.parametrize("module", [text, _native])
@pytest.mark.parametrize("function", ["size_utf8", "size_utf16", "size_code_points", "size_text"])
def test_what_is_no_text_is_refused_alike(module: object, function: str, value: object) -> None:
    """Both name the types that they take and the one that they got."""

    with pytest.raises(TypeError, match=rf"^expected str or bytes, not {type(value).__name__}$"):
        getattr(module, function)(value)
