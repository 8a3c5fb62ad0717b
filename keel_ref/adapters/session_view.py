"""The view of a session file on this disk, read in pieces, so that the file may be larger than the memory."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from attrs import frozen

from keel_ref.adapters.session_file import SessionFileError
from keel_ref.tokens.transcript import parse_line
from keel_ref.transcript.session_rows import LOOK_BACK, Keep, Render, SessionRows, is_boundary_line, read_rows

BOUNDARY_MARK = b"compact_boundary"
MODEL_MARK = b'"model"'
STEP_BYTES = 4 * 1024 * 1024
"""So much is read between two words about it."""


@frozen(kw_only=True)
class SessionView:
    """What a session file says from its last boundary on."""

    rows: SessionRows
    """The rows, as `keep` left them."""
    model: str | None
    """The model that answered last, before the boundary too; None: none did."""


def read_view(
    path: str,
    *,
    keep: Keep | None = None,
    render: Render | None = None,
    on_bytes: Callable[[int], None] = lambda _: None,
) -> SessionView:
    """The view, row by row; the lines above the last boundary are passed over unread. Raises `SessionFileError`.

    `on_bytes` is told how many more bytes have been done.
    """
    try:
        with Path(path).open("rb") as file:
            start, line, models = _find_view(file)
            file.seek(start)
            on_bytes(start)
            with _uncollected():
                rows = read_rows(_told(file, on_bytes), first_line=line, keep=keep, render=render)
            return SessionView(rows=rows, model=rows.model or _find_model(file, models))
    except OSError as error:
        raise SessionFileError(path, f"cannot be read ({error.strerror or error})") from error


@contextmanager
def _uncollected() -> Iterator[None]:
    """Rows hold no circles; to look for some, again and again, takes a quarter of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _told(file: IO[bytes], on_bytes: Callable[[int], None]) -> Iterator[bytes]:
    """The lines of the file, while somebody is told how many bytes they hold."""
    untold = 0
    for line in file:
        yield line
        untold += len(line)
        if untold >= STEP_BYTES:
            on_bytes(untold)
            untold = 0
    on_bytes(untold)


def _find_view(file: IO[bytes]) -> tuple[int, int, list[int]]:
    """Where the last boundary begins: its byte and its line counted from 1; and where models are named before it.

    A boundary that was written again begins where it stood first.
    """
    first_of: dict[object, tuple[int, int]] = {}
    start, number, place = 0, 1, 0
    models: deque[int] = deque(maxlen=LOOK_BACK)
    for count, line in enumerate(file, start=1):
        if MODEL_MARK in line:
            models.append(place)
        if BOUNDARY_MARK in line and (row := parse_line(line.removesuffix(b"\n"))) and is_boundary_line(row):
            uuid = row.get("uuid") if isinstance(row.get("uuid"), str) else None
            start, number = (place, count) if uuid is None else first_of.setdefault(uuid, (place, count))
        place += len(line)
    return start, number, list(models)


def _find_model(file: IO[bytes], places: list[int]) -> str | None:
    """The model of the last of these lines that is an answer."""
    return next(_models(file, places), None)


def _models(file: IO[bytes], places: list[int]) -> Iterator[str]:
    for place in reversed(places):
        file.seek(place)
        model = read_rows([file.readline()]).model
        if model is not None:
            yield model
