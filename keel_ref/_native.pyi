"""Native kernels of keel-ref. Use them through `keel_ref.fast`, which works without them too.

Each takes a `str` where Python keeps it, without a copy, or `bytes` as UTF-8 with each longest part of a broken
character read as U+FFFD. Each gives what its namesake in `keel_ref.text` gives, for every input, and raises
`TypeError` for anything else.
"""

import os
from typing import Final

from keel_ref.tokens.families import Family
from keel_ref.tokens.transcript import TranscriptEstimate

__all__ = [
    "__version__",
    "build_profile",
    "estimate_transcript",
    "size_code_points",
    "size_text",
    "size_utf8",
    "size_utf16",
]

__version__: Final[str]
"""Version of the native code; equal to that of the package."""

build_profile: Final[str]
"""`release` or `debug`; a debug build is no subject for a benchmark."""

def size_utf8(text: str | bytes) -> int:
    """Bytes of the text in UTF-8; three for a surrogate."""

def size_utf16(text: str | bytes) -> int:
    """Code units of the text in UTF-16; one for a surrogate, two for a code point from U+10000 on."""

def size_code_points(text: str | bytes) -> int:
    """Code points of the text; one for a surrogate."""

def size_text(text: str | bytes) -> tuple[int, int, int]:
    """UTF-8 bytes, UTF-16 code units and code points of the text."""

def estimate_transcript(
    path: str | os.PathLike[str], *, method: str = "bound", family: str | Family = "any", threads: int | None = None
) -> TranscriptEstimate:
    """What a session file holds, in lines, rows and tokens; the lock of the interpreter is released. Spec: EST-033."""
