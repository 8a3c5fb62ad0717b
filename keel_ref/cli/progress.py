"""A bar on the terminal's stderr while much is read; nothing anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LONG_BYTES = 64 * 1024 * 1024
"""From here on the work takes long enough to be shown."""

Progress = Callable[[int], None]
"""Told how many more have been done."""


@contextmanager
def watch_bytes(total_bytes: int) -> Iterator[Progress]:
    """Show how much of the bytes has been read, if it is much."""
    with _bar(total_bytes, "reading", is_long=total_bytes > LONG_BYTES) as advance:
        yield advance


@contextmanager
def watch_counts(total: int, *, is_slow: bool) -> Iterator[Progress]:
    """Show how many of the counts are made, if each of them takes its time."""
    with _bar(total, "counting", is_long=is_slow) as advance:
        yield advance


@contextmanager
def _bar(total: int, work: str, *, is_long: bool) -> Iterator[Progress]:
    if not is_long or sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich import progress as rich_progress  # takes longer to import than a short count takes
    from rich.console import Console

    with rich_progress.Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(work, total=total)
        yield lambda more: bar.advance(task, more)
