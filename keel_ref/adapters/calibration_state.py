"""The counts of a calibration on this disk, kept one by one, so that no count is asked for twice."""

from __future__ import annotations

import json
import os
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

from attrs import define, field

from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens.counter import is_count

HEADER: Final = b'{"schema": "keel-calibration-state/1"}\n'
"""The first line of every such file."""


@define
class CalibrationState:
    """Counts by window, in a file of lines that only grows, or in memory alone. Texts are not kept, only digests."""

    counter: str
    """Who counts: a window has another count for everybody."""
    path: str | None
    """None: nothing is kept."""
    counts: dict[str, int] = field(factory=dict, init=False)
    """Tokens by the digest of the window."""
    _file: BinaryIO | None = field(default=None, init=False)

    @classmethod
    def load(cls, counter: str, path: str | None) -> CalibrationState:
        """What was kept of this counter; a torn line is passed over. Raises `InvalidArgumentError`."""
        state = cls(counter, path)
        if path is None or not os.path.lexists(path):
            return state
        try:
            with open(path, "rb") as file:
                if file.readline() not in {HEADER, b""}:
                    raise InvalidArgumentError("--state", f"{path} is another kind of file; name one that is new")
                for line in file:
                    state._take(line)
        except OSError as error:
            raise InvalidArgumentError("--state", f"{path} cannot be read ({error.strerror or error})") from error
        return state

    def add(self, digest: str, tokens: int) -> None:
        """Keep one count; it is in the file when this returns. Raises `InvalidArgumentError` where it cannot be."""
        self.counts[digest] = tokens
        if self.path is None:
            return
        row = {"counter": self.counter, "window": digest, "tokens": tokens}
        try:
            if self._file is None:
                self._file = _opened(self.path)
            self._file.write(json.dumps(row).encode() + b"\n")
            self._file.flush()
        except OSError as error:
            raise InvalidArgumentError(
                "--state", f"{self.path} cannot be written ({error.strerror or error})"
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _take(self, line: bytes) -> None:
        try:
            row: Any = json.loads(line)
        except (ValueError, RecursionError):  # torn when the writer was ended
            return
        if isinstance(row, dict) and row.get("counter") == self.counter:
            window, tokens = row.get("window"), row.get("tokens")
            if isinstance(window, str) and isinstance(tokens, int) and is_count(tokens):
                self.counts[window] = tokens


def _opened(path: str) -> BinaryIO:
    """The file, ready for the next line: with its header, and with an end behind a torn line."""
    file = open(path, "a+b", buffering=0)  # noqa: SIM115 (it stays open while counts come in)
    size = file.seek(0, os.SEEK_END)
    if size == 0:
        file.write(HEADER)
    else:
        file.seek(size - 1)
        if file.read(1) != b"\n":
            file.write(b"\n")
    return file
