"""Wildcards in one path segment, and `**` between segments, matched in time linear in each.

Both glob dialects (path rules and exclusions) stand on this. A regular expression would be shorter, but a pattern of
many stars makes it run for ever, and anybody may have written the pattern. Spec: MEM-050, MEM-062.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, TypeAlias, TypeVar

from attrs import Factory, field, frozen

from keel_ref.memory.meter import Meter

STEPS_PER_UNIT = 4
"""Comparisons of one token with one character that count as one unit: fewer are made than the two sizes allow."""

P = TypeVar("P")
T = TypeVar("T")

POSIX_CLASSES: dict[str, Callable[[str], bool]] = {
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "digit": str.isdigit,
    "lower": str.islower,
    "upper": str.isupper,
    "space": str.isspace,
    "punct": lambda c: c.isascii() and c.isprintable() and not c.isalnum() and c != " ",
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
}

POSIX_CLASS = re.compile(r"\[:([a-z]+):\]")


@frozen
class Literal:
    """One character as it stands."""

    char: str
    """The character, folded where case does not count."""


@frozen
class AnyOne:
    """`?`: any one character."""


@frozen
class Star:
    """`*`: any characters, or none."""


@frozen
class CharClass:
    """`[...]`: one character out of a set."""

    ranges: tuple[tuple[str, str], ...]
    """First and last character of each range."""
    named: tuple[str, ...]
    """POSIX class names."""
    is_negated: bool
    """Written with `^`."""
    ignores_case: bool
    """Does either case of a character count?"""

    def holds(self, char: str) -> bool:
        """Is the character one of those meant?"""
        forms = {char, char.lower(), char.upper()} if self.ignores_case else {char}
        found = any(low <= form <= high for low, high in self.ranges for form in forms)
        found = found or any(POSIX_CLASSES[name](form) for name in self.named for form in forms)
        return found != self.is_negated


Token: TypeAlias = Literal | AnyOne | Star | CharClass


@frozen
class Globstar:
    """`**` as a whole segment: any number of segments, none included."""

    least: int = 0
    """Segments that it takes at least."""


@frozen
class Segment:
    """What one segment of a path must look like."""

    tokens: tuple[Token, ...]
    """The pattern in order."""
    ignores_case: bool
    """Do letters count in either case?"""
    has_star: bool = field(init=False, default=Factory(lambda self: Star() in self.tokens, takes_self=True))
    """Is there a star, so that a character may be looked at more than once?"""

    def matches(self, text: str, meter: Meter) -> bool:
        """Does the whole segment match? Raises `SpentError` where the meter does not allow the answer."""
        meter.spend(1 + len(text) * (len(self.tokens) if self.has_star else 1) // STEPS_PER_UNIT)
        folded = fold(text) if self.ignores_case else text
        return _match(self.tokens, folded, _token_matches, _is_star)


def fold(text: str) -> str:
    """Lower case, character by character, so that the number of characters stays."""
    return "".join(low if len(low := c.lower()) == 1 else c for c in text)


def parse_segment(pattern: str, *, ignores_case: bool) -> Segment:
    """The segment's tokens; a bad class is literal, a backslash takes the next character literally. Spec: MEM-054."""
    tokens: list[Token] = []
    dead: set[int] = set()
    i = 0
    while i < len(pattern):
        char = pattern[i]
        i += 1
        if char == "*":
            if not tokens or not isinstance(tokens[-1], Star):
                tokens.append(Star())
        elif char == "?":
            tokens.append(AnyOne())
        elif char == "[" and (parsed := _parse_class(pattern, i, dead, ignores_case=ignores_case)) is not None:
            token, i = parsed
            tokens.append(token)
        else:
            if char == "\\" and i < len(pattern):  # [MEM-054]
                char = pattern[i]
                i += 1
            tokens.append(Literal(fold(char) if ignores_case else char))
    return Segment(tuple(tokens), ignores_case)


def _parse_class(pattern: str, start: int, dead: set[int], *, ignores_case: bool) -> tuple[CharClass, int] | None:
    """The class that opens before `start` and the place behind it; None when it is not one.

    `dead` keeps the places from which no end was found, so that many openings cost no more than one.
    """
    i = start
    is_negated = pattern.startswith("^", i)  # [MEM-054] `!` is a member like any other
    i += 1 if is_negated else 0
    ranges: list[tuple[str, str]] = []
    named: list[str] = []
    seen: list[int] = []
    while i < len(pattern) and i not in dead:
        seen.append(i)
        if pattern[i] == "]":
            is_empty = i == start + is_negated  # [MEM-054] such a class is literal
            return None if is_empty else (CharClass(tuple(ranges), tuple(named), is_negated, ignores_case), i + 1)
        name = POSIX_CLASS.match(pattern, i)
        if name is not None and name[1] in POSIX_CLASSES:
            named.append(name[1])
            i = name.end()
            continue
        low, i = _class_char(pattern, i)
        high = low
        if pattern.startswith("-", i) and i + 1 < len(pattern) and pattern[i + 1] != "]":
            high, i = _class_char(pattern, i + 1)
        if low <= high:  # [MEM-054] a range that runs backwards stands for nothing
            ranges.append((low, high))
    dead.update(seen)
    return None


def _class_char(pattern: str, i: int) -> tuple[str, int]:
    if pattern[i] == "\\" and i + 1 < len(pattern):
        return pattern[i + 1], i + 2
    return pattern[i], i + 1


class Matches(Protocol):
    """Anything that can tell whether one whole segment matches."""

    def matches(self, text: str, meter: Meter) -> bool:
        """Does the whole segment match? Raises `SpentError` where the meter does not allow the answer."""


def match_parts(pattern: Sequence[Matches | Globstar], path: Sequence[str], meter: Meter) -> bool:
    """Does the whole path match, segment by segment? Raises `SpentError` where the meter does not allow the answer."""
    meter.spend(1 + len(pattern) // STEPS_PER_UNIT)
    expanded: list[Matches | Globstar] = []
    for part in pattern:
        if isinstance(part, Globstar):
            expanded.extend([ANY_SEGMENT] * part.least)
            expanded.append(Globstar())
        else:
            expanded.append(part)
    return _match(expanded, path, partial(_segment_matches, meter), _is_globstar)


ANY_SEGMENT = Segment((Star(),), ignores_case=False)
"""A segment of any text."""


def _match(
    pattern: Sequence[P], items: Sequence[T], matches: Callable[[P, T], bool], is_star: Callable[[P], bool]
) -> bool:
    """Greedy match with one point of return, the last star: enough for stars that take anything."""
    p = i = 0
    star_at = item_at = -1
    while i < len(items):
        if p < len(pattern) and is_star(pattern[p]):
            star_at, item_at = p, i
            p += 1
        elif p < len(pattern) and matches(pattern[p], items[i]):
            p += 1
            i += 1
        elif star_at >= 0:
            item_at += 1
            p, i = star_at + 1, item_at
        else:
            return False
    return all(is_star(part) for part in pattern[p:])


def _is_star(token: Token) -> bool:
    return isinstance(token, Star)


def _is_globstar(part: Matches | Globstar) -> bool:
    return isinstance(part, Globstar)


def _token_matches(token: Token, char: str) -> bool:
    match token:
        case Literal():
            return token.char == char
        case AnyOne():
            return True
        case CharClass():
            return token.holds(char)
        case Star():  # handled by the walk
            return False


def _segment_matches(meter: Meter, part: Matches | Globstar, text: str) -> bool:
    return not isinstance(part, Globstar) and part.matches(text, meter)
