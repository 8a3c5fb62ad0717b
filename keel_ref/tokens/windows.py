"""Windows of somebody's texts, drawn for a calibration: which are fitted, which are held out. Spec: EST-030."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

from attrs import frozen

from keel_ref.text import is_blank, utf8_form

WINDOW_CHARACTERS: Final = 2_000
"""Code points of a window; the published tables are made from windows of this size."""
SEED: Final = "keel-ref calibrate 1"
"""Fixes the draw: equal texts give equal windows, on every machine and under every name."""
HELD_OUT_OF: Final = 3
"""One file in so many is held out, and of the windows that are drawn one in so many at most."""


@frozen
class Window:
    """One piece of text to be counted."""

    text: str
    digest: str
    """SHA-256 of its UTF-8 form."""

    @classmethod
    def of(cls, text: str) -> Window:
        """The window of that text."""
        return cls(text, sha256(utf8_form(text)).hexdigest())


@frozen(kw_only=True)
class Draw:
    """The windows of a calibration."""

    fitted: tuple[Window, ...]
    """What the weights are made from."""
    held_out: tuple[Window, ...]
    """What they are tried on; of other files than those."""
    fitted_files: int
    held_out_files: int

    @property
    def windows(self) -> tuple[Window, ...]:
        """All of them, in the order in which they are counted: mixed, so that a beginning is a fair part."""
        return tuple(sorted((*self.fitted, *self.held_out), key=_rank))


def draw(texts: Iterable[str], most: int) -> Draw:
    """At most that many windows of the texts, one text being one file.

    A text that stands there twice counts once, and what stands in a fitted file too is not held out. Blank windows are
    left out, and so is the rest behind the last whole window of a file; a file that is shorter than one window is one.
    """
    assert most >= 1
    files = sorted(
        {window.digest: window for window in map(Window.of, texts) if not is_blank(window.text)}.values(), key=_rank
    )
    fitted_files = [file for place, file in enumerate(files) if place % HELD_OUT_OF != 1]
    held_out_files = [file for place, file in enumerate(files) if place % HELD_OUT_OF == 1]
    fitted = _windows(fitted_files, frozenset())
    held_out = _windows(held_out_files, frozenset(window.digest for window in fitted))
    room = max(most // HELD_OUT_OF, most - len(fitted))
    kept = held_out[: min(room, most - 1)]
    return Draw(
        fitted=tuple(fitted[: most - len(kept)]),
        held_out=tuple(kept),
        fitted_files=len(fitted_files),
        held_out_files=len(held_out_files),
    )


def _windows(files: Sequence[Window], without: frozenset[str]) -> list[Window]:
    """All windows of the files, each once, in the order of the draw."""
    found = {window.digest: window for file in files for window in _cut(file.text)}
    return sorted((window for digest, window in found.items() if digest not in without), key=_rank)


def _cut(text: str) -> Iterable[Window]:
    last = max(1, len(text) - WINDOW_CHARACTERS + 1)
    pieces = (text[start : start + WINDOW_CHARACTERS] for start in range(0, last, WINDOW_CHARACTERS))
    return (Window.of(piece) for piece in pieces if not is_blank(piece))


def _rank(window: Window) -> str:
    """Where the draw puts it: by chance, and the same each time."""
    return sha256(f"{SEED} {window.digest}".encode()).hexdigest()
