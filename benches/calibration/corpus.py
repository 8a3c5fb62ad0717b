# mypy: ignore-errors
"""Draws the windows: for each source of each kind some thousand characters out of many files, by a fixed seed.

Writes corpus.jsonl below the cache: one window a line, with kind, group, source, set and size.
"""

import hashlib
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import extract
import made
from fetch import UNPACKED
from kinds import Row, prose
from kinds_code import other_kinds
from settings import (
    CACHE,
    EXTENT,
    LARGE_CHARACTERS,
    SEED,
    SLICE_CHARACTERS,
    SMALL_CHARACTERS,
    WINDOW_CHARACTERS,
    WINDOWS,
)

CORPUS = CACHE / "corpus.jsonl"
OTHER_SCRIPTS = """
el ru uk be bg sr mk kk mn
ar ar-vocalised fa ur he hy ka hi mr ne bn pa gu ta te kn ml si th lo km my am bo ja ko zh zh-tw
other-scripts
"""
"""Languages that are not written in Latin letters."""
BEYOND_ASCII = 0.35
"""Least share of characters beyond ASCII in a window of those languages: less is text that nobody translated."""
SETS = ("fit", "test", "fit", "tune", "test", "fit", "tune", "test")
"""Where the first, second, third source of a kind goes."""


def main() -> None:
    """Draws all windows and says how many."""
    rows = [*prose(), *other_kinds()]
    texts: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for row in rows:
        text = stream(row)
        if len(text) >= WINDOW_CHARACTERS:
            held = texts[row.kind].get(row.package, ("", ""))[1]
            texts[row.kind][row.package] = (row.group, held + text)
    for group, makers in (("data", made.DATA), ("adversarial", made.ADVERSARIAL)):
        for kind, maker in makers.items():
            for number in range(3):
                chance = random.Random(f"{SEED} {kind} {number}")  # noqa: S311 the same draw every time is the point
                texts[kind][f"made-{number}"] = (group, maker(chance, size_wanted() // 2))
    windows = [window for kind, sources in sorted(texts.items()) for window in of_kind(kind, sources)]
    with CORPUS.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(window, ensure_ascii=False) + "\n" for window in windows)
    kinds = {window["kind"] for window in windows}
    sys.stderr.write(f"{len(windows)} windows of {len(kinds)} kinds\n")


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


def of_kind(kind: str, sources: dict[str, tuple[str, str]]) -> Iterator[dict[str, str]]:
    """The windows of one kind, each source in one set."""
    order = sorted(sources, key=lambda package: rank(kind, package))
    for number, package in enumerate(order):
        group, text = sources[package]
        place = {"kind": kind, "group": group, "source": package, "set": SETS[number % len(SETS)]}
        pieces = [
            text[at : at + WINDOW_CHARACTERS] for at in range(0, len(text) - WINDOW_CHARACTERS + 1, WINDOW_CHARACTERS)
        ]
        pieces = [piece for piece in pieces if is_wanted(kind, piece)][: WINDOWS[EXTENT]]
        for piece in pieces:
            yield place | {"size": "window", "text": piece}
        for piece in pieces[::2]:
            yield place | {"size": "small", "text": piece[:SMALL_CHARACTERS]}
        whole = "".join(pieces[: LARGE_CHARACTERS // WINDOW_CHARACTERS])
        if len(whole) == LARGE_CHARACTERS:
            yield place | {"size": "large", "text": whole}


def is_wanted(kind: str, piece: str) -> bool:
    """Whether the window is in the script of its language."""
    if kind.removeprefix("prose-") not in OTHER_SCRIPTS.split():
        return True
    return sum(char > "\x7f" for char in piece) >= BEYOND_ASCII * len(piece)


__all__ = ["CORPUS", "extract", "main"]

if __name__ == "__main__":
    main()
