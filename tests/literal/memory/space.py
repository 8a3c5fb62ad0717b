"""White space and the sizes of texts."""

WHITE_SPACE = frozenset(
    "\t\n\v\f\r \u00a0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""Every character of white space; there is no other. [MEM-071]"""

BYTE_ORDER_MARK = "\ufeff"
"""The character U+FEFF."""


def is_white(character: str) -> bool:
    """Whether one character is white space. Spec: MEM-071."""
    return character in WHITE_SPACE


def trim(text: str) -> str:
    """The text without the white space at both of its ends. Spec: MEM-071."""
    return text.strip("".join(sorted(WHITE_SPACE)))  # [MEM-071]


def trim_start(text: str) -> str:
    """The text without the white space at its start. Spec: MEM-071."""
    return text.lstrip("".join(sorted(WHITE_SPACE)))  # [MEM-071]


def is_blank(text: str) -> bool:
    """Whether a text holds nothing but white space. Spec: MEM-071."""
    return not trim_start(text)


def size_utf16_units(text: str) -> int:
    """Code units of UTF-16; a lone surrogate is one."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def size_utf8_bytes(text: str) -> int:
    """Bytes of the UTF-8 form; a lone surrogate is three."""
    return len(text.encode("utf-8", "surrogatepass"))


def estimate_tokens(text: str) -> int:
    """The documented estimate of a text. Spec: MEM-001."""
    return (size_utf16_units(text) + 2) // 4  # [MEM-001]
