# mypy: ignore-errors
"""Draws the windows: for each source of each kind some thousand characters out of many files, by a fixed seed.

Writes corpus.jsonl below the cache: one window a line, with kind, group, source, set and size. The windows of the first
fresh test are drawn as they were for it, and then are texts of the corpus like the others.
"""

import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator

import made
from kinds import prose
from kinds_code import other_kinds
from lists import long_lines, windows_of
from settings import (
    CACHE,
    EXTENT,
    HERE,
    LARGE_CHARACTERS,
    SEED,
    SMALL_CHARACTERS,
    WINDOW_CHARACTERS,
    WINDOWS,
)
from streams import is_in_its_script, rank, size_wanted, stream

CORPUS = CACHE / "corpus.jsonl"
FOLDED = HERE / "fresh.toml"
"""The list of the first fresh test."""
SETS = ("fit", "test", "fit", "tune", "test", "fit", "tune", "test")
"""Where the first, second, third source of a kind goes."""

Texts = dict[str, dict[str, tuple[str, str]]]
"""Kind -> source -> group and text."""


def main() -> None:
    """Draws all windows and says how many."""
    texts = of_the_start()
    fold(texts, {line for window in windows(texts) for line in long_lines(window["text"])})
    drawn = list(windows(texts))
    with CORPUS.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(window, ensure_ascii=False) + "\n" for window in drawn)
    kinds = {window["kind"] for window in drawn}
    sys.stderr.write(f"{len(drawn)} windows of {len(kinds)} kinds\n")


def of_the_start() -> Texts:
    """The texts that the corpus had before the first fresh test."""
    texts: Texts = defaultdict(dict)
    for row in [*prose(), *other_kinds()]:
        text = stream(row)
        if len(text) >= WINDOW_CHARACTERS:
            held = texts[row.kind].get(row.package, ("", ""))[1]
            texts[row.kind][row.package] = (row.group, held + text)
    for group, makers in (("data", made.DATA), ("adversarial", made.ADVERSARIAL)):
        for kind, maker in makers.items():
            for number in range(3):
                chance = random.Random(f"{SEED} {kind} {number}")  # noqa: S311 the same draw every time is the point
                texts[kind][f"made-{number}"] = (group, maker(chance, size_wanted() // 2))
    return texts


def fold(texts: Texts, seen: set[str]) -> None:
    """Adds the windows of the first fresh test, each package a source of its kind."""
    for window in windows_of(FOLDED, seen):
        sources = texts[window["kind"]]
        held = sources.get(window["source"], ("", ""))[1]
        sources[window["source"]] = (window["group"], held + window["text"])


def windows(texts: Texts) -> Iterator[dict[str, str]]:
    """The windows of all kinds."""
    for kind, sources in sorted(texts.items()):
        yield from of_kind(kind, sources)


def of_kind(kind: str, sources: dict[str, tuple[str, str]]) -> Iterator[dict[str, str]]:
    """The windows of one kind, each source in one set."""
    order = sorted(sources, key=lambda package: rank(kind, package))
    for number, package in enumerate(order):
        group, text = sources[package]
        place = {"kind": kind, "group": group, "source": package, "set": SETS[number % len(SETS)]}
        pieces = [
            text[at : at + WINDOW_CHARACTERS] for at in range(0, len(text) - WINDOW_CHARACTERS + 1, WINDOW_CHARACTERS)
        ]
        pieces = [piece for piece in pieces if is_in_its_script(kind, piece)][: WINDOWS[EXTENT]]
        for piece in pieces:
            yield place | {"size": "window", "text": piece}
        for piece in pieces[::2]:
            yield place | {"size": "small", "text": piece[:SMALL_CHARACTERS]}
        whole = "".join(pieces[: LARGE_CHARACTERS // WINDOW_CHARACTERS])
        if len(whole) == LARGE_CHARACTERS:
            yield place | {"size": "large", "text": whole}


if __name__ == "__main__":
    main()
