"""The texts that `keel-ref calibrate` draws from."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Sequence
from pathlib import Path

from keel_ref.cli.options import put
from keel_ref.cli.terminal_text import visible
from keel_ref.conformance.exits import UsageError

TEXT_CAP_BYTES = 64 * 1024 * 1024
"""Of a larger file only the beginning is drawn from."""


def read_texts(names: Sequence[str]) -> list[str]:
    """The texts of the files; what is left out of them is said on stderr.

    Raises `UsageError` for a file that cannot be read, and where none is a text.
    """
    found = [read_text(name) for name in names]
    texts = [text for text in found if text is not None]
    if not texts:
        raise UsageError("none of these files is a text in UTF-8; name some that are, or convert them (iconv does)")
    return texts


def read_text(name: str) -> str | None:
    """The text of one file, or its beginning; None for one that is no UTF-8: replaced bytes would be fitted to."""
    data = read_bytes(name, TEXT_CAP_BYTES + 1)
    is_cut = len(data) > TEXT_CAP_BYTES
    try:
        # a character that the cut goes through is left out
        text = codecs.getincrementaldecoder("utf-8")().decode(data[:TEXT_CAP_BYTES], final=not is_cut)
    except UnicodeDecodeError as error:
        _remark(name, f"is no UTF-8 at byte {error.start:,}, so it is left out")
        return None
    if is_cut:
        _remark(name, f"is larger than {TEXT_CAP_BYTES:,} bytes, so only so many of its bytes are drawn from")
    return text


def read_bytes(name: str, most: int = -1) -> bytes:
    """The bytes of a file. Raises `UsageError`."""
    if Path(name).is_dir():
        raise UsageError(f"{name}: is a folder; name the files in it, as a shell does for FOLDER/*")
    try:
        with Path(name).open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise UsageError(f"{name}: cannot be read ({error.strerror or error})") from error


def _remark(name: str, words: str) -> None:
    put(f"keel-ref: {visible(name)}: {words}\n", sys.stderr)
