"""What would stop `keel-ref calibrate` in the end, found out before anything is counted."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from keel_ref.cli.calibrate_texts import read_bytes
from keel_ref.conformance.exits import UsageError
from keel_ref.tokens.families import FAMILIES
from keel_ref.tokens.family_file import SCHEMA


def check_out(out: Path, texts: Sequence[str]) -> None:
    """Refuse to write where no table should go, or none can. Raises `UsageError`."""
    if out.stem in FAMILIES:
        raise UsageError(
            f"--out {out}: the file gives the family its name, and a family {out.stem} is published; "
            f"name the file otherwise, as in my-{out.name}"
        )
    if out.is_dir() or not out.absolute().parent.is_dir():
        raise UsageError(f"--out {out}: it is a folder, or lies in none that exists")
    if out.exists() and (any(Path(name).exists() and out.samefile(name) for name in texts) or not _is_table(out)):
        raise UsageError(f"--out {out}: that file is there and is no table of a family; name another, or remove it")
    with written_whole(out):
        pass


def check_state(state: str | None, out: Path) -> None:
    """Refuse a state file that is none. Raises `UsageError`."""
    if state is None:
        return
    if Path(state).absolute() == out.absolute():
        raise UsageError(f"--state {state}: the table goes there")
    if os.path.lexists(state) and not Path(state).is_file():
        raise UsageError(f"--state {state}: it is no file that can be added to; name a file, or one that is new")


def check_is_writable(state: str | None) -> None:
    """Refuse a state file to which no count can be added. Raises `UsageError`."""
    if state is None:
        return
    is_new = not os.path.lexists(state)
    try:
        with Path(state).open("ab"):
            pass
        if is_new:
            Path(state).unlink()
    except OSError as error:
        raise UsageError(
            f"--state {state}: cannot be written ({error.strerror or error}); name another, where the counts are kept"
        ) from error


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A file beside the path, for what takes its place in the end; it is gone afterwards. Raises `UsageError`."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            beside.touch()
            yield beside
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(
            f"--out {path}: cannot be written ({error.strerror or error}); name a file in a folder that takes one"
        ) from error


def _is_table(path: Path) -> bool:
    """Whether the file looks like what we write."""
    return SCHEMA.encode() in read_bytes(str(path), 1_000)
