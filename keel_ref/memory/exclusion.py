"""The setting `claudeMdExcludes`: globs on whole absolute paths, in picomatch's manner. Spec: MEM-060 to MEM-064."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

import bracex
from attrs import frozen

from keel_ref.memory.extglob import ExtendedSegment, parse_extended
from keel_ref.memory.meter import Meter
from keel_ref.memory.wildcards import Globstar, Segment, match_parts, parse_segment

DRIVE = re.compile(r"[A-Za-z]:/")
WILDCARDS = "*?[{"
MAX_BRACES = 50
"""Opening braces of a pattern that are still expanded: what expands them goes one call deeper for each."""
ResolveFolder: TypeAlias = Callable[[str], str | None]


@frozen(kw_only=True)
class Exclusion:
    """One pattern of the setting, ready to be asked."""

    pattern: str
    """As it was written."""
    is_negative: bool
    """Written with a leading `!`: it excludes what the rest does not match."""
    globs: tuple[tuple[Segment | ExtendedSegment | Globstar, ...], ...]
    """Its brace alternatives, taken apart; relative ones are left out, they match nothing."""

    is_literal: bool = False
    """Its braces would expand too far, so they stand for themselves."""

    def excludes(self, path: str, meter: Meter | None = None) -> bool:
        """Is the file of this path left out? The separator of the path is `/`.

        Raises `SpentError` where a meter is given and does not allow the answer.
        """
        names, meter = path.split("/"), meter or Meter.endless()
        found = any(match_parts(glob, names, meter) for glob in self.globs)
        return found != self.is_negative  # [MEM-064]


def parse_exclusion(pattern: str, resolve: ResolveFolder, cap: int, characters: Meter | None = None) -> Exclusion:
    """The pattern taken apart. `resolve` gives the real path of a folder, or None. Spec: MEM-062 to MEM-064.

    `cap` is the number of alternatives to which braces may expand, `characters` what all patterns may expand to; where
    that is not enough, `SpentError` is raised.
    """
    body = pattern[_negations(pattern) :]
    is_negative = (len(pattern) - len(body)) % 2 == 1  # [MEM-064] a second `!` takes back the first
    characters = characters or Meter.endless()
    characters.spend(len(pattern))
    spellings = dict.fromkeys((body, _resolved(body, resolve)))  # [MEM-063] as written, and with its links resolved
    try:
        texts = [text for spelling in spellings for text in _expand(spelling, cap)]
        is_literal = False
    except bracex.ExpansionLimitException:
        texts, is_literal = list(spellings), True
    characters.spend(max(sum(map(len, texts)) - len(pattern), 0))
    globs = tuple(tuple(map(_part, text.split("/"))) for text in texts if _is_whole(text))  # [MEM-064]
    return Exclusion(pattern=pattern, is_negative=is_negative, globs=globs, is_literal=is_literal)


def first_match(exclusions: Sequence[Exclusion], path: str, meter: Meter | None = None) -> str | None:
    """The first pattern that leaves the file out; None when it stays. Spec: MEM-064.

    Raises `SpentError` where a meter is given and does not allow the answer.
    """
    return next((e.pattern for e in exclusions if e.excludes(path, meter)), None)


def _negations(pattern: str) -> int:
    """How many `!` stand in front; one directly before a bracket belongs to a group."""
    count = len(pattern) - len(pattern.lstrip("!"))
    return count - 1 if count and pattern.startswith("(", count) else count


def _expand(pattern: str, cap: int) -> tuple[str, ...]:
    """Every combination of the alternatives; raises where there are too many, or too many braces to look at."""
    if "{" not in pattern:
        return (pattern,)
    if pattern.count("{") > MAX_BRACES:
        raise bracex.ExpansionLimitException
    return tuple(bracex.iexpand(pattern, keep_escapes=True, limit=cap))


def _is_whole(pattern: str) -> bool:
    return pattern.startswith(("/", "**")) or DRIVE.match(pattern) is not None


def _part(segment: str) -> Segment | ExtendedSegment | Globstar:
    if len(segment) > 1 and set(segment) == {"*"}:
        return Globstar()
    return parse_extended(segment) or parse_segment(segment, ignores_case=False)


def _resolved(pattern: str, resolve: ResolveFolder) -> str:
    """The pattern with the links in its folders before the first wildcard resolved. Spec: MEM-063."""
    first = min((i for c in WILDCARDS if (i := pattern.find(c)) >= 0), default=len(pattern))
    folder, slash, _ = pattern[:first].rpartition("/")
    real = resolve(folder) if folder else None
    if real is None:
        return pattern
    escaped = "".join("\\" + c if c in WILDCARDS + "]},()!+@\\" else c for c in real)
    return escaped.rstrip("/") + slash + pattern[len(folder) + 1 :]
