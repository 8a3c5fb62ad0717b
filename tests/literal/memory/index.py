"""The index MEMORY.md within its limits."""

import attrs

from tests.literal.memory.space import size_utf8_bytes, size_utf16_units, trim

MAX_ENTRYPOINT_LINES = 200
"""Lines of an index that are kept. [MEM-121]"""

MAX_ENTRYPOINT_BYTES = 25_000
"""Size of an index that is kept, in the unit of the choice. [MEM-121]"""


@attrs.frozen
class CutIndex:
    """An index within its limits."""

    text: str
    """What is kept."""
    lines: int
    """Lines of the original."""
    size: int
    """Size of the original, in the unit of the choice."""
    cut: tuple[str, ...]
    """The limits that the original exceeded."""


def size(text: str, unit: str) -> int:
    """The size of a text in the unit of the choice. Spec: MEM-123."""
    return size_utf16_units(text) if unit == "utf16" else size_utf8_bytes(text)


def take_at_most(text: str, limit: int, unit: str) -> str:
    """The longest start of a text that has no more than so many units. Spec: MEM-123."""
    taken = 0
    for index, character in enumerate(text):
        taken += size(character, unit)
        if taken > limit:
            return text[:index]
    return text


def cut_index(text: str, unit: str) -> CutIndex:
    """Trim an index and cut it. Spec: MEM-121, MEM-122, MEM-123."""
    original = trim(text)
    lines = original.split("\n") if original else []  # [MEM-121] only LF parts lines
    original_size = size(original, unit)
    kept = "\n".join(lines[:MAX_ENTRYPOINT_LINES])
    if size(kept, unit) > MAX_ENTRYPOINT_BYTES:
        start = take_at_most(kept, MAX_ENTRYPOINT_BYTES, unit)
        line_end = kept.rfind("\n", 0, len(start) + 1)  # at the offset itself too
        kept = kept[:line_end] if line_end >= 0 else start
    cut = []
    if len(lines) > MAX_ENTRYPOINT_LINES:
        cut.append("lines")
    if original_size > MAX_ENTRYPOINT_BYTES:
        cut.append("size")
    return CutIndex(kept, len(lines), original_size, tuple(cut))
