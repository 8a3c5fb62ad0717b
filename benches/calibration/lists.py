# mypy: ignore-errors
"""Draws the windows of a list of fresh texts, fresh.toml or fresh2.toml: by what the list says, and nothing else.

A list has packages, prose by language, other kinds, and what tools print over a package.
"""

import subprocess
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import extract
from fetch import UNPACKED
from kinds import Row
from settings import SLICE_CHARACTERS, WINDOW_CHARACTERS
from streams import is_in_its_script, rank, stream

LINE_CHARACTERS = 20
REPEATED = 0.5
"""A window goes when more than this share of it are lines, each of at least so many characters, that stand in the
corpus or in an earlier window: it would not be a text that is new."""
PLAIN = {"LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin"}
"""What tools are told of their surroundings."""
TOOL_CHARACTERS = 2_000_000
"""At most this much of what a tool prints."""


def windows_of(path: Path, seen: set[str]) -> Iterator[dict[str, str]]:
    """The windows of a list: kind, group, source and text. The lines of each are added to what has been seen."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    for kind, group, source, text in chain(of_files(table), of_tools(table)):
        windows = 0
        for at in range(0, len(text) - WINDOW_CHARACTERS + 1, WINDOW_CHARACTERS):
            piece = text[at : at + WINDOW_CHARACTERS]
            if windows == table["windows"] or not is_in_its_script(kind, piece, table.get("other_scripts", "")):
                continue
            if is_repeated(piece, seen):
                continue
            seen.update(long_lines(piece))
            yield {"kind": kind, "group": group, "source": source, "text": piece}
            windows += 1


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


def is_repeated(piece: str, seen: set[str]) -> bool:
    """Whether most of a window has stood elsewhere."""
    return sum(len(line) for line in long_lines(piece) if line in seen) > REPEATED * len(piece)
