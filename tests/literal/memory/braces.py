"""Parting the value of `paths` into pieces, and expanding the braces of each."""

import itertools

import attrs

from tests.literal.memory.space import trim

MAX_PATTERNS = 1_000
"""Patterns that one piece may expand to. [MEM-056]"""


@attrs.frozen
class Patterns:
    """What the strings of a rule come to."""

    effective: tuple[str, ...]
    """Effective patterns; none for a rule that is unconditional."""
    literal_pieces: tuple[str, ...] = ()
    """Pieces that would expand to too many patterns."""


def split_at_commas(text: str) -> list[str]:
    """The pieces of a string, parted at commas outside braces. Spec: MEM-048."""
    pieces = [""]
    level = 0
    for character in text:
        if character == "," and level == 0:
            pieces.append("")
            continue
        if character == "{":
            level += 1
        elif character == "}":
            level = max(level - 1, 0)
        pieces[-1] += character
    return [trim(piece) for piece in pieces if trim(piece)]


def find_marks(piece: str) -> list[int]:
    """Indexes of the braces and commas of a piece; a brace behind a backslash is none. Spec: MEM-055, MEM-056."""
    marks: list[int] = []
    index = 0
    while index < len(piece):
        if piece[index] == "\\":
            index += 2 if piece[index + 1 : index + 2] != "," else 1  # no effect before a comma [MEM-056]
            continue
        if piece[index] in "{},":
            marks.append(index)
        index += 1
    return marks


def find_group_first_close(piece: str) -> list[int]:
    """The first opening brace, the commas of its group and the next closing brace. Spec: MEM-055."""
    group: list[int] = []
    for index in find_marks(piece):
        if piece[index] == "{" and not group:
            group = [index]
        elif piece[index] == "}" and group:
            return [*group, index]
        elif piece[index] == "," and group:
            group.append(index)
    return []


def find_group_nested(piece: str) -> list[int]:
    """The first opening brace that is closed, the commas at its level and its closing brace. Spec: MEM-055."""
    open_groups: list[list[int]] = []
    closed: list[list[int]] = []
    for index in find_marks(piece):
        if piece[index] == "{":
            open_groups.append([index])
        elif piece[index] == "}" and open_groups:
            closed.append([*open_groups.pop(), index])
        elif piece[index] == "," and open_groups:
            open_groups[-1].append(index)
    return min(closed, default=[])


def expand(piece: str, nesting: str) -> list[str] | None:
    """All patterns of a piece, in order; nothing if they are too many. Spec: MEM-055, MEM-056."""
    find_group = find_group_first_close if nesting == "first-close" else find_group_nested
    done: list[str] = []
    waiting = [piece]
    while waiting:
        if len(done) + len(waiting) > MAX_PATTERNS:
            return None  # [MEM-056]
        current = waiting.pop()
        group = find_group(current)
        if not group:
            done.append(current)
            continue
        before, behind = current[: group[0]], current[group[-1] + 1 :]
        for start, end in reversed(list(itertools.pairwise(group))):
            waiting.append(before + current[start + 1 : end] + behind)
    return done


def find_patterns(strings: tuple[str, ...], nesting: str) -> Patterns:
    """The effective patterns of a rule. Spec: MEM-048, MEM-049."""
    patterns: list[str] = []
    literal_pieces: list[str] = []
    for piece in (piece for string in strings for piece in split_at_commas(string)):
        expanded = expand(piece, nesting)
        if expanded is None:
            literal_pieces.append(piece)
            expanded = [piece]
        patterns.extend(pattern.removesuffix("/**") for pattern in expanded)  # [MEM-049]
    patterns = [pattern for pattern in patterns if pattern]
    if all(pattern == "**" for pattern in patterns):
        patterns = []  # [MEM-049]
    return Patterns(tuple(patterns), tuple(literal_pieces))
