"""Sizes of a text and its white space."""

import base64
import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given

from keel_ref.resources import spec_folder
from keel_ref.strategies.text import any_text
from keel_ref.text import (
    JS_WHITE_SPACE,
    TextSizes,
    is_blank,
    size_code_points,
    size_text,
    size_utf8,
    size_utf16,
    trim_white_space,
)

TABLE = json.loads((spec_folder() / "vectors/text/sizes.json").read_bytes())["vectors"]


def literal_sizes(text: str) -> TextSizes:
    """The definition, one code point at a time."""
    utf8_bytes = utf16_units = 0
    for code_point in map(ord, text):
        utf8_bytes += 1 + (code_point >= 0x80) + (code_point >= 0x800) + (code_point >= 0x1_0000)
        utf16_units += 1 + (code_point >= 0x1_0000)
    return TextSizes(utf8_bytes=utf8_bytes, utf16_units=utf16_units, code_points=len(text))


@pytest.mark.parametrize("vector", TABLE, ids=[vector["id"] for vector in TABLE])
def test_vector(vector: dict[str, Any]) -> None:
    """The table of sizes that the Rust core is held to as well."""
    arguments = vector["call"]["args"]
    sizes = size_text(arguments["text"] if "text" in arguments else base64.b64decode(arguments["b64"]))

    assert vector["expect"]["eq"] == {
        "utf8": sizes.utf8_bytes,
        "utf16": sizes.utf16_units,
        "code_points": sizes.code_points,
    }


@given(any_text())
def test_sizes_are_those_of_the_definition(text: str) -> None:
    """No text, and no lone surrogate in it, raises or has another size than the definition gives."""

    assert literal_sizes(text) == size_text(text)


@given(any_text(), any_text())
def test_sizes_add_up(head: str, tail: str) -> None:
    """Two texts one after the other are as large as both, even where two surrogates meet."""

    assert size_utf8(head) + size_utf8(tail) == size_utf8(head + tail)
    assert size_utf16(head) + size_utf16(tail) == size_utf16(head + tail)
    assert size_code_points(head) + size_code_points(tail) == size_code_points(head + tail)


@given(any_text())
def test_units_stand_in_order(text: str) -> None:
    """A text has no more code points than UTF-16 units, and no more of these than UTF-8 bytes."""
    sizes = size_text(text)

    assert sizes.code_points <= sizes.utf16_units <= sizes.utf8_bytes


def test_two_surrogates_held_apart_are_larger_than_the_character_they_would_encode() -> None:
    """Each counts by itself: two units and six bytes, not two units and four bytes."""

    assert (TextSizes(utf8_bytes=6, utf16_units=2, code_points=2)) == size_text("\ud83d\ude80")
    assert (TextSizes(utf8_bytes=4, utf16_units=2, code_points=1)) == size_text("🚀")


def test_white_space_is_that_of_the_language_definition() -> None:
    """Tab to carriage return, the byte order mark, every space separator, the line and paragraph separators."""
    defined = set("\t\n\v\f\r\ufeff\u2028\u2029")
    defined |= {character for character in map(chr, range(0x11_0000)) if unicodedata.category(character) == "Zs"}

    assert sorted(defined) == sorted(JS_WHITE_SPACE)


@pytest.mark.parametrize("character", ["\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\u200b", "\u180e", "\0"])
def test_what_others_take_for_white_space_stays(character: str) -> None:
    """Python's own `strip` would take the first five off."""

    assert f"{character}a{character}" == trim_white_space(f" {character}a{character}\ufeff")
    assert not is_blank(character)


@given(any_text())
def test_trimming_takes_white_space_off_the_ends_and_nothing_else(text: str) -> None:
    """What is left stands in the text, and only white space stands around it."""
    trimmed = trim_white_space(text)
    head, _, tail = text.partition(trimmed) if trimmed else (text, "", "")

    assert set(head) | set(tail) <= set(JS_WHITE_SPACE)
    assert trimmed == trim_white_space(trimmed)
    assert (not trimmed) is is_blank(text)
