"""What stands in place of a large result: that it is a part, how large the whole is, where it is, and its beginning.

Spec: CMP-024 to CMP-026.
"""

from __future__ import annotations

from bisect import bisect_right

from keel_ref.choices import Unit
from keel_ref.constants import Constants
from keel_ref.text import size_utf8, size_utf16
from keel_ref.units import div_half_up

FULL_PERCENT = 100
_KIB = 1_024
_TENTHS = 10


def size_of(text: str, unit: Unit) -> int:
    """Size of a text in the unit of `results.unit`. Spec: CMP-026."""
    return size_utf16(text) if unit is Unit.UTF16 else size_utf8(text)  # [CMP-026]


def preview_of(text: str, unit: Unit, constants: Constants) -> str:
    """The beginning of a text that the model is shown. Spec: CMP-025."""
    cap = constants.preview_cap_units
    if size_of(text, unit) <= cap:
        return text
    head = _fitting(text, unit, cap)
    line_end = head.rfind("\n")
    before = size_of(head[: max(0, line_end)], unit)
    # [CMP-025] an early line end would throw too much of the beginning away
    is_late = before * FULL_PERCENT >= cap * constants.preview_line_end_percent
    return head[:line_end] if line_end >= 0 and is_late else head


def replacement_of(text: str, path: str, preview: str) -> str:
    """What the model reads instead of a result whose text lies in the file. Spec: CMP-024."""
    return (
        f"[keel-ref: the beginning of a result of {readable_size(text)}; the whole is in the file below]\n"
        f"{path}\n\n{preview}\n[the result goes on in the file]"
    )


def readable_size(text: str) -> str:
    """The size of a text in UTF-8 as people write it, such as `58.6 KB`. Spec: CMP-024."""
    size = size_utf8(text)
    if size < _KIB:
        return f"{size} bytes"
    unit, name = (_KIB, "KB") if size < _KIB * _KIB else (_KIB * _KIB, "MB")
    tenths = div_half_up(size * _TENTHS, unit)
    return f"{tenths // _TENTHS:,}.{tenths % _TENTHS} {name}"


def _fitting(text: str, unit: Unit, cap: int) -> str:
    """The longest beginning that fits; [CMP-025] a character that would be split is left out."""
    head = text[:cap]  # no character is smaller than one unit
    kept = bisect_right(range(1, len(head) + 1), cap, key=lambda count: size_of(head[:count], unit))
    return head[:kept]
