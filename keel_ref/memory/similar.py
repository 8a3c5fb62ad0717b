"""Texts that are sent twice, to the letter or nearly: what the second copy costs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from keel_ref.memory.values import MemoryFile
from keel_ref.trace import Notice

MIN_SHARED_LINES = 5
MAX_HOLDERS = 20
"""Texts that may have a line in common for it to say anything."""
MAX_LINES = 20_000
"""Lines of the longest text that is compared line by line."""
MAX_LINES_IN_ALL = 200_000
"""Lines of all texts that are compared, the first ones of a load."""
NEAR_NUMERATOR, NEAR_DENOMINATOR = 4, 5
"""Share of the shorter text's lines from which two texts count as nearly the same."""


def same_texts(files: Sequence[MemoryFile]) -> Iterator[Notice]:
    """A notice for each file whose text has been sent already, wholly or for the most part. Spec: MEM-016, MEM-085."""
    first_of: dict[str, MemoryFile] = {}
    for file in files:
        first = first_of.setdefault(file.text, file)
        if first is not file:
            yield Notice(
                kind="same-text",
                path=file.path,
                detail=f"the same text as {first.path}, sent twice for {file.tokens} tokens",
            )
    yield from _near(tuple(first_of.values()))


def _near(files: Sequence[MemoryFile]) -> Iterator[Notice]:
    """Pairs that share most of their lines; found through the lines, so that cost grows with the text."""
    lines = list(_bounded_lines(files))
    holders: dict[str, list[int]] = defaultdict(list)
    for i, own in enumerate(lines):
        for line in own:
            holders[line].append(i)
    shared: Counter[tuple[int, int]] = Counter()
    for found in holders.values():
        if 1 < len(found) <= MAX_HOLDERS:
            shared.update((a, b) for k, a in enumerate(found) for b in found[k + 1 :])
    for (a, b), count in sorted(shared.items()):
        shorter = min(len(lines[a]), len(lines[b]))
        if count >= MIN_SHARED_LINES and count * NEAR_DENOMINATOR >= shorter * NEAR_NUMERATOR:
            detail = f"{count} of its {len(lines[b])} different lines stand in {files[a].path}, too"
            yield Notice(kind="near-same-text", path=files[b].path, detail=f"{detail} ({files[b].tokens} tokens)")


def _bounded_lines(files: Sequence[MemoryFile]) -> Iterator[frozenset[str]]:
    """The different lines of each text; none for a text that is not compared."""
    left = MAX_LINES_IN_ALL
    for file in files:
        count = file.text.count("\n") + 1
        is_compared = count <= min(left, MAX_LINES)
        left -= count if is_compared else 0
        yield _lines(file.text) if is_compared else frozenset()


def _lines(text: str) -> frozenset[str]:
    return frozenset(stripped for line in text.split("\n") if (stripped := line.strip()))
