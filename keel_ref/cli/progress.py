"""A bar on the terminal's stderr while much is read; nothing anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LONG_BYTES = 64 * 1024 * 1024
"""From here on the work takes long enough to be shown."""

Progress = Callable[[int], None]
"""Told how many bytes more have been read."""


@contextmanager
def watch_bytes(total_bytes: int) -> Iterator[Progress]:
    """Show how much of the bytes has been read, if it is much and somebody is looking."""
    if total_bytes <= LONG_BYTES or sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from tqdm import tqdm

    with tqdm(total=total_bytes, unit="B", unit_scale=True, leave=False, file=sys.stderr) as bar:
        yield lambda more: _advance(bar.update, more)


def _advance(update: Callable[[int], object], more: int) -> None:
    update(more)
