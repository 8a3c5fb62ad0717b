"""The native kernels behind the reference's own signatures.

Each name here gives what its namesake in the reference gives, for every input; only the time differs. Where the native
module is missing, the reference itself stands behind the names. The variable `KEEL_REF_NATIVE` says which of the two
is wanted: `auto` (the native module if it is there), `require` (nothing else will do) or `never`.
"""

import os
from importlib import import_module
from typing import Final, Literal

from keel_ref.text import TextSizes

__all__ = ["BACKEND", "size_code_points", "size_text", "size_utf8", "size_utf16"]


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
            raise ValueError(f"KEEL_REF_NATIVE must be auto, require or never, not {wanted!r}")


BACKEND: Final = _choose_backend(os.environ.get("KEEL_REF_NATIVE") or "auto")
"""What stands behind the names of this module: `native` or `python`."""

if BACKEND == "native":
    from keel_ref import _native
    from keel_ref._native import size_code_points, size_utf8, size_utf16

    def size_text(text: str | bytes) -> TextSizes:
        """The text's size in every unit at once."""
        utf8_bytes, utf16_units, code_points = _native.size_text(text)
        return TextSizes(utf8_bytes=utf8_bytes, utf16_units=utf16_units, code_points=code_points)

else:
    from keel_ref.text import size_code_points, size_text, size_utf8, size_utf16
