"""A text, its size in each unit that a rule may name, and its white space.

A text is a sequence of code points. Any of them may be a surrogate, as in the strings of JavaScript and of Python; a
surrogate counts by itself, whatever stands beside it: one UTF-16 code unit, three UTF-8 bytes. So a high and a low
surrogate held as two code points are two units and six bytes, while the one code point that they would encode is two
units and four bytes.

Bytes are read as UTF-8, and each longest part of a broken character becomes one U+FFFD. A byte order mark is a
character like any other. The rule of one area may say otherwise; here nothing is taken off.

The same functions, fast: `keel_ref.fast`. The same in Rust: `rust/core/src/text.rs`.
"""

from typing import Final

from attrs import field, frozen
from attrs.validators import ge

JS_WHITE_SPACE: Final = (
    "\t\n\v\f\r \N{NO-BREAK SPACE}\N{OGHAM SPACE MARK}"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}\N{NARROW NO-BREAK SPACE}\N{MEDIUM MATHEMATICAL SPACE}"
    "\N{IDEOGRAPHIC SPACE}\N{ZERO WIDTH NO-BREAK SPACE}"
)
"""What JavaScript takes for white space or a line end, which is neither what Python nor what YAML takes for it: with
the byte order mark U+FEFF, without U+001C to U+001F, U+0085 and U+200B."""

_UTF16_UNIT_BYTES: Final = 2


@frozen(kw_only=True)
class TextSizes:
    """How large one text is, in each unit."""

    utf8_bytes: int = field(validator=ge(0))
    """Bytes in UTF-8."""
    utf16_units: int = field(validator=ge(0))
    """Code units in UTF-16; what JavaScript counts."""
    code_points: int = field(validator=ge(0))
    """Code points; what Python counts."""


def utf8_form(text: str | bytes) -> bytes:
    """The text in UTF-8, a surrogate as three bytes; bytes come back mended."""
    return _decoded(text).encode("utf-8", "surrogatepass")


def size_utf8(text: str | bytes) -> int:
    """Bytes of the text in UTF-8; three for a surrogate."""
    return len(utf8_form(text))


def size_utf16(text: str | bytes) -> int:
    """Code units of the text in UTF-16; one for a surrogate, two for a code point from U+10000 on."""
    return len(_decoded(text).encode("utf-16-le", "surrogatepass")) // _UTF16_UNIT_BYTES  # always even


def size_code_points(text: str | bytes) -> int:
    """Code points of the text; one for a surrogate."""
    return len(_decoded(text))


def size_text(text: str | bytes) -> TextSizes:
    """The text's size in every unit at once."""
    decoded = _decoded(text)
    return TextSizes(
        utf8_bytes=size_utf8(decoded),
        utf16_units=size_utf16(decoded),
        code_points=size_code_points(decoded),
    )


def trim_white_space(text: str) -> str:
    """The text without the white space at both its ends, as JavaScript's `trim` leaves it."""
    return text.strip(JS_WHITE_SPACE)


def is_blank(text: str) -> bool:
    """Whether nothing but white space is in the text; so of the empty text."""
    return not trim_white_space(text)


def _decoded(text: str | bytes) -> str:
    """The text itself, or what the bytes say as UTF-8."""
    match text:
        case str():
            return text
        case bytes():
            return text.decode("utf-8", "replace")
        case _:
            raise TypeError(f"expected str or bytes, not {type(text).__name__}")
