"""One path segment with extended groups: `@(a|b)`, `?(…)`, `*(…)`, `+(…)`, `!(…)`. Spec: MEM-062.

Matched by sets of places, so that no group, however it repeats, takes exponential time.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from attrs import frozen

from keel_ref.memory.meter import Meter
from keel_ref.memory.wildcards import AnyOne, CharClass, Literal, Star, Token, parse_segment

GROUP = re.compile(r"\\.|[@?*+!]\(|[()|]", re.DOTALL)
MAX_NESTING = 3
UNITS_PER_STEP = 4
PLACES_PER_UNIT = 8
"""Places looked at in one step that count as one unit."""


@frozen
class Group:
    """One extended group."""

    kind: str
    """`@` once, `?` at most once, `*` any number, `+` at least once, `!` anything but."""
    choices: tuple[tuple[Part, ...], ...]
    """The alternatives."""


Part: TypeAlias = Token | Group


@frozen
class ExtendedSegment:
    """A segment that holds at least one group."""

    parts: tuple[Part, ...]
    """The pattern in order."""

    def matches(self, text: str, meter: Meter) -> bool:
        """Does the whole segment match? Raises `SpentError` where the meter does not allow the answer."""
        return len(text) in _advance(self.parts, text, frozenset({0}), meter)


def parse_extended(pattern: str) -> ExtendedSegment | None:
    """The segment with its groups; None when it has none, or they do not close, or nest too deeply."""
    parts, end = _parse(pattern, 0, 0)
    if end != len(pattern) or not any(isinstance(p, Group) for p in parts[0]):
        return None
    return ExtendedSegment(parts[0])


def _parse(pattern: str, start: int, depth: int) -> tuple[tuple[tuple[Part, ...], ...], int]:
    """Alternatives up to the closing bracket of this depth, and where that stands; -1 for an end that never came."""
    choices: list[tuple[Part, ...]] = []
    parts: list[Part] = []
    plain = i = start
    while (mark := GROUP.search(pattern, i)) is not None:
        i = mark.end()
        sign = mark[0]
        if sign[0] in "@?*+!" and sign.endswith("("):
            if depth == MAX_NESTING:
                return ((),), -1
            parts.extend(_plain(pattern[plain : mark.start()]))
            inner, close = _parse(pattern, i, depth + 1)
            if close < 0 or close >= len(pattern):
                return ((),), -1
            parts.append(Group(sign[0], inner))
            plain = i = close + 1
        elif depth and sign in "|)":
            parts.extend(_plain(pattern[plain : mark.start()]))
            choices.append(tuple(parts))
            parts, plain = [], i
            if sign == ")":
                return tuple(choices), mark.start()
    if depth:
        return ((),), -1
    parts.extend(_plain(pattern[plain:]))
    return (tuple(parts),), len(pattern)


def _plain(pattern: str) -> tuple[Token, ...]:
    return parse_segment(pattern, ignores_case=False).tokens


def _advance(parts: tuple[Part, ...], text: str, places: frozenset[int], meter: Meter) -> frozenset[int]:
    """Where the parts can end when they start at any of the places."""
    for part in parts:
        if not places:
            break
        meter.spend(UNITS_PER_STEP + len(places) // PLACES_PER_UNIT)
        places = _step(part, text, places, meter)
    return places


def _step(part: Part, text: str, places: frozenset[int], meter: Meter) -> frozenset[int]:
    match part:
        case Literal():
            return frozenset(i + 1 for i in places if i < len(text) and text[i] == part.char)
        case AnyOne():
            return frozenset(i + 1 for i in places if i < len(text))
        case CharClass():
            return frozenset(i + 1 for i in places if i < len(text) and part.holds(text[i]))
        case Star():
            return frozenset(range(min(places), len(text) + 1))
        case Group():
            return _group(part, text, places, meter)


def _group(group: Group, text: str, places: frozenset[int], meter: Meter) -> frozenset[int]:
    if group.kind == "!":
        ends: set[int] = set()
        for place in places:
            meter.spend(1 + len(text) // PLACES_PER_UNIT)
            taken = _once(group, text, frozenset({place}), meter)
            ends.update(i for i in range(place, len(text) + 1) if i not in taken)
        return frozenset(ends)
    reached = _once(group, text, places, meter)
    if group.kind in "*+":
        while (more := reached | _once(group, text, reached, meter)) != reached:
            reached = more
    return reached | places if group.kind in "?*" else reached


def _once(group: Group, text: str, places: frozenset[int], meter: Meter) -> frozenset[int]:
    return frozenset().union(*(_advance(choice, text, places, meter) for choice in group.choices))
