"""Native kernels of keel-ref. Use them through `keel_ref.fast`, which works without them too.

A size takes a `str` where Python keeps it, without a copy, or `bytes` as UTF-8 with each longest part of a broken
character read as U+FFFD. Each function gives what its namesake in the model gives, for every input,
and raises what that raises.
"""

import os
from collections.abc import Sequence
from typing import Any, Final

from keel_ref.tokens.families import Family
from keel_ref.tokens.transcript import TranscriptEstimate

__all__ = [
    "__version__",
    "api_rounds",
    "bound_paths",
    "bound_units",
    "build_profile",
    "estimate_messages",
    "estimate_text",
    "estimate_texts",
    "estimate_transcript",
    "read_bytes",
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

def estimate_messages(messages: Sequence[Any], *, method: str = "bound", family: str | Family = "any") -> int:
    """Tokens of a list of messages: plain objects, or those of the `anthropic` package. Spec: EST-012, EST-034.

    The objects are read where they lie. What stands in a subclass of `str`, `int` or `float` counts by its value.
    """

def api_rounds(messages: Sequence[Any]) -> list[tuple[int, int]]:
    """The rounds of a list: half-open stretches that tile it, a new one at each new response. Spec: MSG-010."""

def estimate_text(text: str | bytes, *, method: str = "bound", family: str | Family = "any", kind: str = "text") -> int:
    """Tokens of one text. `method` is `bound` or `documented`, `kind` is `text` or `json`.

    Raises `InvalidArgumentError` for a method, kind or family that does not exist. Spec: EST-001, EST-003, EST-030.
    """

def estimate_texts(texts: Any, *, method: str = "bound", family: str | Family = "any", kind: str = "text") -> list[int]:
    """Tokens of each text of a list, a tuple or an Arrow column; 0 for `None`. No text is copied.

    A column is any object with `__arrow_c_array__` or `__arrow_c_stream__` whose type is string, large_string or
    string_view. Several threads count it, and none of them holds the lock of the interpreter. Raises
    `InvalidArgumentError` for anything else and for names that do not exist. Spec: EST-001, EST-003, EST-030.
    """

def bound_units(text: str | bytes, family: str | Family, path: str) -> int:
    """The sum of the bound before it is rounded, by one of `bound_paths()`. All paths give the same. Spec: EST-031."""

def bound_paths() -> list[str]:
    """The kinds of instructions by which this machine can sum up, the slowest first; the last is taken."""

def read_bytes(text: str | bytes, path: str) -> int:
    """The words of the text added up, which has to be kept in one byte for each character.

    It reads and does next to nothing else: what the speed of the bound is measured against.
    """

def estimate_transcript(
    path: str | os.PathLike[str], *, method: str = "bound", family: str | Family = "any", threads: int | None = None
) -> TranscriptEstimate:
    """What a session file holds, in lines, rows and tokens; the lock of the interpreter is released. Spec: EST-033."""
