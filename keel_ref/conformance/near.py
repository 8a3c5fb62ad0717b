"""What somebody may have meant who wrote a name that nobody has registered."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

NEAR_COUNT: Final = 5
"""Names that are offered at most."""
_LEAST_LIKENESS: Final = 0.6


def find_near(wanted: str, known: Iterable[str]) -> tuple[str, ...]:
    """Registered names that resemble the one wanted, the likeliest first."""
    names = sorted(set(known))
    folded = {name.casefold(): name for name in reversed(names)}
    found = [folded[name] for name in get_close_matches(wanted.casefold(), folded, NEAR_COUNT, _LEAST_LIKENESS)]
    holding = [name for name in names if wanted and wanted.casefold() in name.casefold()]
    return tuple(dict.fromkeys([*found, *holding]))[:NEAR_COUNT]


def near_words(wanted: str, known: Iterable[str]) -> str:
    """The same as the end of a message: empty where nothing is near."""
    near = find_near(wanted, known)
    return f"; did you mean {', '.join(near)}?" if near else ""
