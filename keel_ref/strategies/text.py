"""Texts and bytes as a file, a terminal or a wire may really hold them."""

from hypothesis import strategies as st

from keel_ref.text import JS_WHITE_SPACE

_TRAPS = "\0\x1c\x7f\x80\x85\xff\u0100\u07ff\u0800\u200b\ud800\udbff\udc00\udfff\ufeff\ufffd\uffff\U00010000\U0010ffff"
"""The edges of the sizes in each unit, of the storages in which Python keeps a text, and of white space."""


def any_character() -> st.SearchStrategy[str]:
    """One code point of any kind: a lone surrogate, NUL, a character beyond U+FFFF."""
    return st.characters() | st.sampled_from(_TRAPS) | st.sampled_from(JS_WHITE_SPACE)


def any_text(*, min_code_points: int = 0, max_code_points: int | None = None) -> st.SearchStrategy[str]:
    """A text of any code points, lone surrogates among them. Use it wherever a text comes from outside."""
    characters = st.lists(any_character(), min_size=min_code_points, max_size=max_code_points)
    return characters.map("".join)  # `st.text` would join the three kinds into one set, in which the traps are rare


def any_bytes() -> st.SearchStrategy[bytes]:
    """Bytes that someone will read as UTF-8: sound, broken in the middle of a character, or no text at all."""
    sound = any_text().map(lambda text: text.encode("utf-8", "surrogatepass"))
    pieces = st.lists(st.binary(max_size=3) | sound | sound.map(lambda encoded: encoded[:-1]), max_size=6)
    return pieces.map(b"".join)
