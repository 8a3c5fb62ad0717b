"""The texts of YAML: quoted, plain and block scalars."""

from tests.literal.memory.yaml12.characters import (
    FLOW_INDICATORS,
    INDICATORS,
    NO,
    Source,
    is_json,
    is_nonspace,
)

ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
"""[42] to [58]: what stands behind a backslash, and for what"""

CODE_ESCAPES = {"x": 2, "u": 4, "U": 8}
"""[59] to [61]: digits of the number behind the letter"""

LAST_CODE_POINT = 0x10FFFF
"""The last code point of Unicode."""

Text = tuple[str, int]
"""A text and the index behind it."""


def read_escape(source: Source, index: int) -> Text | None:
    """[62] c-ns-esc-char, from the backslash on."""
    sign = source.at(index + 1)
    if sign in CODE_ESCAPES:
        digits = source.text[index + 2 : index + 2 + CODE_ESCAPES[sign]]
        if len(digits) < CODE_ESCAPES[sign] or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
            return None
        code = int(digits, 16)
        return (chr(code), index + 2 + len(digits)) if code <= LAST_CODE_POINT else None
    return (ESCAPES[sign], index + 2) if sign in ESCAPES else None


def read_quoted_character(source: Source, index: int, quote: str) -> Text | None:
    """[107] nb-double-char or [118] nb-single-char."""
    character = source.at(index)
    if quote == '"' and character == "\\":
        return read_escape(source, index)
    if character == quote:
        return ("'", index + 2) if quote == "'" and source.at(index + 1) == "'" else None
    return (character, index + 1) if character and is_json(character) else None


def read_quoted_line(source: Source, index: int, quote: str) -> Text:
    """[114] nb-ns-double-in-line or [123] nb-ns-single-in-line: up to the last character that is no white space."""
    text = ""
    while True:
        behind_white = source.skip_white(index)
        found = read_quoted_character(source, behind_white, quote)
        if found is None:
            return text, index
        text += source.text[index:behind_white] + found[0]
        index = found[1]


def read_escaped_break(source: Source, index: int, n: int) -> Text | None:
    """[112] s-double-escaped(n)."""
    white_end = source.skip_white(index)
    if source.text[white_end : white_end + 2] != "\\\n":
        return None
    end = white_end + 2
    text = source.text[index:white_end]
    while (behind := source.empty_line(end, n, is_flow=True)) != NO:
        end = behind
        text += "\n"
    end = source.flow_line_prefix(end, n)
    return None if end == NO else (text, end)


def read_quoted(source: Source, index: int, n: int, *, is_key: bool) -> Text | None:
    """[109] c-double-quoted(n,c) or [120] c-single-quoted(n,c); a key has one line."""
    quote = source.at(index)
    text, index = read_quoted_line(source, index + 1, quote)
    while not is_key:
        escaped = read_escaped_break(source, index, n) if quote == '"' else None
        folded = source.flow_folded(index, n)
        if escaped is not None:
            text += escaped[0]
            index = escaped[1]
        elif folded is not None:
            text += folded[1]
            index = folded[0]
        else:
            break
        more, index = read_quoted_line(source, index, quote)
        text += more
    white_end = source.skip_white(index)
    text += source.text[index:white_end]
    return (text, white_end + 1) if source.at(white_end) == quote else None


def is_plain_safe(character: str, *, is_flow: bool) -> bool:
    """[127] ns-plain-safe(c)."""
    return is_nonspace(character) and not (is_flow and character in FLOW_INDICATORS)


def is_plain_first(source: Source, index: int, *, is_flow: bool) -> bool:
    """[126] ns-plain-first(c)."""
    character = source.at(index)
    if not is_nonspace(character):
        return False
    return character not in INDICATORS or (character in "?:-" and is_plain_safe(source.at(index + 1), is_flow=is_flow))


def is_plain(source: Source, index: int, *, is_flow: bool) -> bool:
    """[130] ns-plain-char(c)."""
    character = source.at(index)
    if character == "#":
        return is_nonspace(source.at(index - 1))
    if character == ":":
        return is_plain_safe(source.at(index + 1), is_flow=is_flow)
    return is_plain_safe(character, is_flow=is_flow)


def read_plain_line(source: Source, index: int, *, is_flow: bool) -> Text:
    """[132] nb-ns-plain-in-line(c)."""
    text = ""
    while is_plain(source, white_end := source.skip_white(index), is_flow=is_flow):
        text += source.text[index : white_end + 1]
        index = white_end + 1
    return text, index


def read_plain(source: Source, index: int, n: int, *, is_flow: bool, is_key: bool) -> Text | None:
    """[131] ns-plain(n,c); a key has one line."""
    if not is_plain_first(source, index, is_flow=is_flow):
        return None
    more, end = read_plain_line(source, index + 1, is_flow=is_flow)
    text = source.at(index) + more
    while not is_key:  # [134] s-ns-plain-next-line(n,c)
        folded = source.flow_folded(end, n)
        if folded is None or not is_plain(source, folded[0], is_flow=is_flow):
            break
        more, end = read_plain_line(source, folded[0], is_flow=is_flow)
        text += folded[1] + more
    return text, end
