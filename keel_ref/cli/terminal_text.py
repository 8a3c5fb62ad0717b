"""Texts that anybody may have written, made fit for a terminal."""

from __future__ import annotations

MAX_SHOWN = 1_000
"""Characters of one path or detail that are shown."""


def visible(text: str, kept: str = "") -> str:
    """The text as a terminal may be given it: a character that cannot be seen, or that moves a cursor, is spelled out.

    The names of files are chosen by whoever made the tree; so are patterns, and much of what a detail says.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in kept else _spelled(char) for char in text)


def clipped(text: str) -> str:
    """The beginning of what may be very long, since anybody may have written it; `--json` has all of it."""
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}… ({len(text):,} characters)"


def _spelled(char: str) -> str:
    if "\udc80" <= char <= "\udcff":  # a byte of a name that is not UTF-8
        return f"\\x{ord(char) & 0xFF:02x}"
    return char.encode("unicode_escape").decode("ascii")
