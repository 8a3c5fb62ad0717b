"""A file of ours that is there all at once, and takes nobody's place unasked."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress

from keel_ref.errors import KeelError

THERE = "is there already; name another file, or give --force"


class NewFileError(KeelError):
    """A file cannot be written, or would take the place of another."""

    def __init__(self, path: str, problem: str) -> None:
        """Say which file, and what to do."""
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


def check_new_file(path: str, source: str, *, what: str = "what is looked at", replaces: bool) -> None:
    """What can be known before the work is done: the place is free, and is not what is read. Raises `NewFileError`."""
    try:
        is_source = os.path.samefile(path, source)
    except OSError:  # one of them is not there
        is_source = False
    if is_source:
        raise NewFileError(path, f"is {what}, which is never changed; name another file")
    if os.path.lexists(path) and not replaces:
        raise NewFileError(path, THERE)
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.isdir(path) or not (os.path.isdir(folder) and os.access(folder, os.W_OK)):
        raise NewFileError(path, "is no place for a file; name one in a folder that can be written to")


def write_new_file(path: str, pieces: Iterable[bytes], *, replaces: bool) -> None:
    """The pieces one behind another, written under another name first. Raises `NewFileError`.

    Without `replaces` nothing that is there is touched.
    """
    draft = f"{path}.{os.getpid()}.tmp"
    try:
        try:
            with open(draft, "xb") as file:
                file.writelines(pieces)
            if replaces:
                os.replace(draft, path)
            else:
                os.link(draft, path)  # fails where something is there
        finally:
            with suppress(FileNotFoundError):
                os.unlink(draft)
    except FileExistsError as error:
        raise NewFileError(path, THERE) from error
    except OSError as error:
        raise NewFileError(path, f"cannot be written ({error.strerror or error})") from error
