# mypy: ignore-errors
"""Streams of text out of the files of a package: slices of many files in an order that nobody chose."""

import hashlib
from pathlib import Path

from fetch import UNPACKED
from kinds import Row
from settings import EXTENT, SEED, SLICE_CHARACTERS, WINDOW_CHARACTERS, WINDOWS

OTHER_SCRIPTS = """
el ru uk be bg sr mk kk mn
ar ar-vocalised fa ur he hy ka hi mr ne bn pa gu ta te kn ml si th lo km my am bo ja ko zh zh-tw
as ug other-scripts
"""
"""Languages that are not written in Latin letters."""
BEYOND_ASCII = 0.35
"""Least share of characters beyond ASCII in a window of those languages: less is text that nobody translated."""


def size_wanted() -> int:
    """Characters of one source of one kind."""
    return WINDOWS[EXTENT] * WINDOW_CHARACTERS


def rank(*parts: str) -> str:
    """A place in an order that nobody chose."""
    return hashlib.sha256("|".join((SEED, *parts)).encode("utf-8", "surrogateescape")).hexdigest()


def stream(row: Row) -> str:
    """Slices of the source's files, one behind the other, until there is enough."""
    root = UNPACKED / row.package
    files = sorted(
        {path for pattern in row.patterns for path in root.glob(pattern) if path.is_file() and not path.is_symlink()}
    )
    files.sort(key=lambda path: rank(path.relative_to(root).as_posix()))
    parts: list[str] = []
    held = 0
    spare: list[str] = []
    for path in files:
        if held >= 2 * size_wanted():
            break
        text = read(row.extract, path)
        parts.append(cut(text, path.name))
        spare.append(text)
        held += len(parts[-1])
    if held < size_wanted():
        return "".join(spare)
    return "".join(parts)


def read(how: object, path: Path) -> str:
    """The text of a file, nothing where it cannot be read as such a text."""
    assert callable(how)
    if path.stat().st_size > 30_000_000:
        return ""
    try:
        text = str(how(path))
    except (UnicodeDecodeError, ValueError, KeyError, OSError):
        return ""
    return "" if "\0" in text else text


def cut(text: str, name: str) -> str:
    """A slice of a file, from the start of a line."""
    if len(text) <= SLICE_CHARACTERS:
        return text
    start = int(rank(name)[:8], 16) % (len(text) - SLICE_CHARACTERS)
    start = text.find("\n", max(0, start - 1)) + 1 or start
    return text[start : start + SLICE_CHARACTERS]


def is_in_its_script(kind: str, piece: str, more: str = "") -> bool:
    """Whether prose of a language that is not written in Latin letters is in its letters."""
    if kind.removeprefix("prose-") not in [*OTHER_SCRIPTS.split(), *more.split()]:
        return True
    return sum(char > "\x7f" for char in piece) >= BEYOND_ASCII * len(piece)
