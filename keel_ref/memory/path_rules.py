"""Does a path rule match a file? As in a .gitignore, letters in either case. Spec: MEM-050 to MEM-054, MEM-059."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from attrs import frozen

from keel_ref.memory.meter import Meter
from keel_ref.memory.wildcards import STEPS_PER_UNIT, Globstar, Segment, match_parts, parse_segment

KEPT_PATTERN = 256
"""Characters of the longest pattern that is kept taken apart; a longer one would hold too much memory."""
ESCAPED_SLASH = re.compile(r"\\.", re.DOTALL)
OPEN_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\\Z")
"""A backslash at the end that escapes nothing."""


@frozen(kw_only=True)
class Line:
    """One pattern, taken apart."""

    parts: tuple[Segment | Globstar, ...]
    """Its segments; a pattern that is not anchored begins with a globstar."""
    is_negative: bool
    """Written with a leading `!`."""
    folders_only: bool
    """Written with a trailing `/`."""


def matches_rule(patterns: Sequence[str], path: str, meter: Meter | None = None) -> bool:
    """Does the path, relative to the base of the rule and parted by `/`, fall under the patterns? Spec: MEM-050.

    Raises `SpentError` where a meter is given and does not allow the answer.
    """
    meter = meter or Meter.endless()
    meter.spend(len(patterns) + sum(map(len, patterns)) // STEPS_PER_UNIT)
    lines = tuple(line for pattern in patterns if (line := _line(pattern)) is not None)
    names = path.split("/")
    for end in range(1, len(names) + 1):
        is_folder = end < len(names)
        if _verdict(lines, names[:end], meter, is_folder=is_folder):
            return True  # [MEM-051] [MEM-053] nothing brings back what lies under a matched folder
    return False


def _verdict(lines: Sequence[Line], names: Sequence[str], meter: Meter, *, is_folder: bool) -> bool:
    meter.spend(len(names))
    for line in reversed(lines):  # [MEM-053] the last pattern that matches decides
        if line.folders_only and not is_folder:
            continue
        if match_parts(line.parts, names, meter):
            return not line.is_negative
    return False


def _line(pattern: str) -> Line | None:
    return _known_line(pattern) if len(pattern) <= KEPT_PATTERN else parse_line(pattern)


def parse_line(pattern: str) -> Line | None:
    """The pattern taken apart; None for one that can never match. Spec: MEM-052, MEM-054."""
    if pattern.startswith("#") or OPEN_ESCAPE.search(pattern):  # [MEM-054]
        return None
    is_negative = pattern.startswith("!")
    body = pattern[1:] if is_negative else pattern
    body = ESCAPED_SLASH.sub(lambda m: "/" if m[0] == "\\/" else m[0], body)  # [MEM-054] a slash has but one meaning
    folders_only = body.endswith("/")
    body = body.removesuffix("/")
    is_anchored = "/" in body  # [MEM-052] a slash at the head or inside ties it to the base
    texts = body.removeprefix("/").split("/")
    if texts == [""]:
        return None
    parts: list[Segment | Globstar] = [] if is_anchored else [Globstar()]
    for i, text in enumerate(texts):
        if len(text) > 1 and set(text) == {"*"}:
            is_last = i == len(texts) - 1
            parts.append(Globstar(1 if is_last else 0))  # `a/**` is what lies below a, never a itself
        else:
            parts.append(parse_segment(text, ignores_case=True))  # [MEM-050]
    return Line(parts=tuple(parts), is_negative=is_negative, folders_only=folders_only)


_known_line = lru_cache(maxsize=4096)(parse_line)
