# mypy: ignore-errors
"""Holds the weights that ship to texts that nobody looked at before: fetch, draw, count and measure by fresh.toml.

This script fetches and draws, and counts nothing: count.py counts these texts with the others, measure_fresh.py
compares. No text of it is ever learnt from.
"""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import chain

import extract
from corpus import BEYOND_ASCII, CORPUS, OTHER_SCRIPTS, rank, stream
from fetch import UNPACKED, gathered
from kinds import Row
from settings import CACHE, HERE, SLICE_CHARACTERS, WINDOW_CHARACTERS

LIST = HERE / "fresh.toml"
FRESH = CACHE / "fresh.jsonl"
PACKAGES = CACHE / "fresh-packages.json"
LINE_CHARACTERS = 20
REPEATED = 0.5
"""A window goes when more than this share of it are lines, each of at least so many characters, that stand in the
corpus or in an earlier window: it would not be a text that is new."""
PLAIN = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
"""What tools are told of their surroundings."""
TOOL_CHARACTERS = 2_000_000
"""At most this much of what a tool prints."""


def main() -> None:
    """Fetches the packages and writes the windows, without counting anything."""
    PACKAGES.write_text(json.dumps(gathered(LIST), indent=1), encoding="utf-8")
    table = tomllib.loads(LIST.read_text(encoding="utf-8"))
    seen = lines_of_corpus()
    dropped = kept = 0
    with FRESH.open("w", encoding="utf-8") as out:
        for kind, group, source, text in chain(of_files(table), of_tools(table)):
            windows = 0
            for at in range(0, len(text) - WINDOW_CHARACTERS + 1, WINDOW_CHARACTERS):
                piece = text[at : at + WINDOW_CHARACTERS]
                if windows == table["windows"] or not in_its_script(kind, piece):
                    continue
                if is_repeated(piece, seen):
                    dropped += 1
                    continue
                seen.update(long_lines(piece))
                row = {"kind": kind, "group": group, "source": source, "set": "fresh", "size": "window", "text": piece}
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                windows += 1
            kept += windows
    sys.stderr.write(f"{kept} fresh windows, {dropped} left out since they repeat what is known\n")


def of_files(table: dict) -> Iterator[tuple[str, str, str, str]]:
    """Kind, group, source and text of everything that stands in files."""
    for entry in table["prose"]:
        for word in entry["languages"].split():
            language, _, name = word.partition("=")
            pattern = entry["pattern"].format(name or language)
            row = Row(f"prose-{language}", "prose", entry["package"], (pattern,), getattr(extract, entry["extract"]))
            yield row.kind, row.group, row.package, stream(row)
    for line in (line for entry in table["kinds"] for line in entry["rows"].strip().split("\n")):
        kind, group, how, package, pattern = line.split()
        yield kind, group, package, stream(Row(kind, group, package, (pattern,), getattr(extract, how)))


def of_tools(table: dict) -> Iterator[tuple[str, str, str, str]]:
    """The same of what tools print, in slices of an order that nobody chose."""
    for line in (line for entry in table["tools"] for line in entry["rows"].strip().split("\n")):
        kind, package, *command = line.split()
        ran = subprocess.run(command, cwd=UNPACKED / package, capture_output=True, check=False, env=PLAIN)
        lines = ran.stdout[:TOOL_CHARACTERS].decode("utf-8", "replace").splitlines(keepends=True)
        if kind != "tool-diff":
            lines.sort()  # the order of a folder is the file system's
        text = "".join(lines)
        slices = [text[at : at + SLICE_CHARACTERS] for at in range(0, len(text), SLICE_CHARACTERS)]
        slices.sort(key=lambda piece: rank(kind, package, piece))
        yield kind, "data", package, "".join(slices)


def long_lines(text: str) -> set[str]:
    """The lines by which a text is known again."""
    return {line.strip() for line in text.splitlines() if len(line.strip()) >= LINE_CHARACTERS}


def lines_of_corpus() -> set[str]:
    """All such lines of the texts of the fit and of those held out."""
    with CORPUS.open(encoding="utf-8") as rows:
        return {line for row in rows for line in long_lines(json.loads(row)["text"])}


def is_repeated(piece: str, seen: set[str]) -> bool:
    """Whether most of a window has stood elsewhere."""
    return sum(len(line) for line in long_lines(piece) if line in seen) > REPEATED * len(piece)


def in_its_script(kind: str, piece: str) -> bool:
    """Whether prose of a language that is not written in Latin letters is in its letters."""
    if kind.removeprefix("prose-") not in [*OTHER_SCRIPTS.split(), "as", "ug"]:
        return True
    return sum(char > "\x7f" for char in piece) >= BEYOND_ASCII * len(piece)


if __name__ == "__main__":
    main()
