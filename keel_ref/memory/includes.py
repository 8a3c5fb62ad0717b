"""Includes: which words of a text name a file, and which file. Spec: MEM-070 to MEM-079."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from attrs import frozen

from keel_ref.constants import Constants
from keel_ref.memory.markdown import size_blocks, text_runs
from keel_ref.memory.meter import Meter
from keel_ref.paths import Flavour, is_absolute, join, normalise
from keel_ref.text import JS_WHITE_SPACE

WHITE = "".join(f"\\u{ord(c):04x}" for c in JS_WHITE_SPACE)  # [MEM-071]
MENTION = re.compile(rf"(?:^|(?<=[{WHITE}]))@((?:\\ |[^{WHITE}])++)")
FIRST = re.compile(r"[A-Za-z0-9._\-/]|~/")


@frozen(kw_only=True)
class Mentions:
    """The includes of one text."""

    paths: tuple[str, ...]
    """As written, `#` and what follows cut, blanks unescaped; in order of appearance."""
    is_complete: bool
    """False when the text holds more markup than one load scans. Spec: MEM-092."""


def find_mentions(text: str, constants: Constants, meter: Meter | None = None) -> Mentions:
    """The paths that a text includes, no more than one above the bound of a load. Spec: MEM-072 to MEM-079, MEM-092.

    What searching takes is spent on the meter, if one is given; a text that takes more than is left stays unsearched.
    """
    if "@" not in text:
        return Mentions(paths=(), is_complete=True)
    meter, blocks = meter or Meter.endless(), size_blocks(text)
    if blocks > min(constants.block_cap, meter.left):
        return Mentions(paths=(), is_complete=False)
    meter.spend(blocks)
    runs = text_runs(text, min(constants.markup_cap, meter.left))
    if runs is None:
        return Mentions(paths=(), is_complete=False)
    meter.spend(runs.markup)
    paths = (path for run in runs.texts for path in _paths_in(run))
    return Mentions(paths=tuple(islice(paths, constants.mention_cap + 1)), is_complete=True)


def _paths_in(run: str) -> Iterator[str]:
    for match in MENTION.finditer(run):  # [MEM-072]
        path = match[1].split("#", 1)[0].replace("\\ ", " ")  # [MEM-074]
        if FIRST.match(path) and path != "/":  # [MEM-075]
            yield path


def resolve_mention(path: str, folder: str, home: str, flavour: Flavour) -> str | None:
    """The absolute path meant, or None for a home that is not known. Spec: MEM-070."""
    if path.startswith("~/"):
        return normalise(join(home, path[2:], flavour), flavour) if home else None
    if is_absolute(path, flavour):
        return normalise(path, flavour)
    return normalise(join(folder, path, flavour), flavour)
