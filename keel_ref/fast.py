"""The native kernels behind the reference's own signatures.

Each name here gives what its namesake in the reference gives, for every input; only the time differs. Where the native
module is missing, the reference itself stands behind the names. The variable `KEEL_REF_NATIVE` says which of the two
is wanted: `auto` (the native module if it is there), `require` (nothing else will do) or `never`.
"""

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal

from keel_ref import tokens
from keel_ref.errors import InvalidArgumentError
from keel_ref.text import TextSizes
from keel_ref.tokens import batch
from keel_ref.tokens.families import ANY, Family
from keel_ref.tokens.transcript import TranscriptEstimate, count_lines

__all__ = [
    "BACKEND",
    "api_rounds",
    "bound_units",
    "estimate_messages",
    "estimate_text",
    "estimate_texts",
    "estimate_transcript",
    "size_code_points",
    "size_text",
    "size_utf8",
    "size_utf16",
]


def _choose_backend(wanted: str) -> Literal["native", "python"]:
    """Which of the two the variable asks for and the installation has."""
    match wanted:
        case "never":
            return "python"
        case "require":
            import_module("keel_ref._native")
            return "native"
        case "auto":
            try:
                import_module("keel_ref._native")
            except ImportError:
                return "python"
            return "native"
        case _:
            raise InvalidArgumentError("KEEL_REF_NATIVE", f"{wanted!r} is none of auto, require and never; set one")


BACKEND: Final = _choose_backend(os.environ.get("KEEL_REF_NATIVE") or "auto")
"""What stands behind the names of this module: `native` or `python`."""

if BACKEND == "native":
    from keel_ref import _native
    from keel_ref._native import (
        api_rounds,
        estimate_messages,
        estimate_text,
        estimate_texts,
        estimate_transcript,
        size_code_points,
        size_utf8,
        size_utf16,
    )

    _PATH: Final = _native.bound_paths()[-1]

    def bound_units(text: str | bytes, family: str | Family = ANY) -> int:
        """The sum of the bound before it is rounded, in parts of a token. Spec: EST-031."""
        return _native.bound_units(text, family, _PATH)

    def size_text(text: str | bytes) -> TextSizes:
        """The text's size in every unit at once."""
        utf8_bytes, utf16_units, code_points = _native.size_text(text)
        return TextSizes(utf8_bytes=utf8_bytes, utf16_units=utf16_units, code_points=code_points)

else:
    from keel_ref.messages.rounds import api_rounds
    from keel_ref.text import size_code_points, size_text, size_utf8, size_utf16
    from keel_ref.tokens.bound import bound_units

    def estimate_text(
        text: str | bytes, *, method: str = "bound", family: str | Family = ANY, kind: str = "text"
    ) -> int:
        """Tokens of one text; bytes are read as UTF-8. `method` is `bound` or `documented`, `kind` is `text` or `json`.

        Raises `InvalidArgumentError` for a method, kind or family that does not exist. Spec: EST-001, EST-003, EST-030.
        """
        return tokens.estimate_text(text, method=method, family=family, kind=kind)

    def estimate_messages(messages: Sequence[Any], *, method: str = "bound", family: str | Family = ANY) -> int:
        """Tokens of a list of messages: plain objects, or those of the `anthropic` package. Spec: EST-012, EST-034.

        Raises `InvalidArgumentError` for what is no list and for names that do not exist, `NotSerialisableError` for a
        row that no request can hold.
        """
        return tokens.estimate_messages(messages, method=method, family=family).tokens

    def estimate_texts(
        texts: Any, *, method: str = "bound", family: str | Family = "any", kind: str = "text"
    ) -> list[int]:
        """Tokens of each text of a list, a tuple or an Arrow column; 0 for `None`.

        Raises `InvalidArgumentError` for what is neither and for names that do not exist. Spec: EST-001, EST-030.
        """
        return list(batch.estimate_texts(texts, method=method, family=family, kind=kind))

    def estimate_transcript(
        path: str | os.PathLike[str],
        *,
        method: str = "bound",
        family: str | Family = ANY,
        threads: int | None = None,
    ) -> TranscriptEstimate:
        """What a session file holds, in lines, rows and tokens. Spec: EST-033.

        The native one reads with as many threads as are asked for, by default with as many as the machine runs at
        once; this one with one. Raises `OSError` for a file that cannot be read, `InvalidArgumentError` for a method,
        family or number of threads that does not exist.
        """
        with Path(path).open("rb") as file:
            if threads is not None and threads < 1:
                raise InvalidArgumentError("threads", f"{threads} is no number of threads; give 1 or more, or None")
            return count_lines(file, method=method, family=family)
