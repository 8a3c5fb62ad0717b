"""From the value of `paths` to the patterns of a rule. Spec: MEM-047 to MEM-049, MEM-055, MEM-056."""

from __future__ import annotations

import re

from attrs import frozen

from keel_ref.choices import BraceNesting
from keel_ref.constants import Constants
from keel_ref.memory.meter import Meter
from keel_ref.memory.yaml_block import BlockValue
from keel_ref.text import trim_white_space

BRACE = re.compile(r"\\.|[{}]", re.DOTALL)

READ_PER_PATTERN = 2_000
"""Characters that expansion may read for each pattern allowed: a group that makes none still costs. Spec: MEM-056."""


@frozen(kw_only=True)
class RulePatterns:
    """What a rule waits for."""

    patterns: tuple[str, ...]
    """The patterns, expanded; empty for an unconditional rule."""
    literal: tuple[str, ...] = ()
    """Patterns that would expand too far and are taken literally. Spec: MEM-056."""


def rule_patterns(
    value: BlockValue, nesting: BraceNesting, constants: Constants, meter: Meter | None = None
) -> RulePatterns:
    """The patterns that a rule waits for; none means that it loads at start. Spec: MEM-047.

    What the meter, if one is given, does not allow to expand is literal. Spec: MEM-056.
    """
    meter = meter or Meter.endless()
    patterns: list[str] = []
    literal: list[str] = []
    for text in _texts(value):
        for piece in split_commas(text):
            room = max(meter.left // len(piece), 1)  # each is at most as long as the piece
            expanded = expand_braces(piece, nesting, min(constants.pattern_cap, room))
            if expanded is None:
                literal.append(piece)
            elif len(expanded) > 1:
                meter.spend(len(expanded) * len(piece))
            patterns.extend(expanded or (piece,))
    kept = tuple(short for p in patterns if (short := p.removesuffix("/**")))  # [MEM-049]
    if all(p == "**" for p in kept):  # [MEM-049] also when none is left
        return RulePatterns(patterns=(), literal=tuple(literal))
    return RulePatterns(patterns=kept, literal=tuple(literal))


def _texts(value: BlockValue) -> tuple[str, ...]:
    """The strings of the value: [MEM-047] a mapping, a number, a boolean and null have none."""
    if value.text is not None:
        return (value.text,)
    return tuple(item.text for item in value.items or () if item.text is not None)


def split_commas(text: str) -> tuple[str, ...]:
    """The pieces between commas that stand outside braces, white space off at both ends. Spec: MEM-048."""
    return tuple(trimmed for piece in _between_commas(text) if (trimmed := trim_white_space(piece)))


def _between_commas(text: str) -> tuple[str, ...]:
    """What stands between the commas that are outside of every brace."""
    pieces: list[str] = []
    depth = start = 0
    for i, char in enumerate(text):
        if char == "{":
            depth += 1
        elif char == "}":
            depth = max(depth - 1, 0)
        elif char == "," and depth == 0:
            pieces.append(text[start:i])
            start = i + 1
    pieces.append(text[start:])
    return tuple(pieces)


def expand_braces(pattern: str, nesting: BraceNesting, cap: int) -> tuple[str, ...] | None:
    """Every combination of the alternatives, in order; None for more than the cap. Spec: MEM-055, MEM-056."""
    done: list[str] = []
    todo = [(pattern, 0)]  # with the place before which no group is left
    read = 0
    while todo:
        head, searched = todo.pop()
        group = _first_group(head, searched, nesting)
        read += (len(head) if group is None else group[1]) - searched
        if group is None:
            done.append(head)
        else:
            start, end = group
            middles = _alternatives(head[start + 1 : end], nesting)
            if len(middles) > cap:
                return None  # before they are written out: each holds the whole pattern
            todo.extend((head[:start] + middle + head[end + 1 :], start) for middle in reversed(middles))
        if len(done) + len(todo) > cap or read > READ_PER_PATTERN * cap:  # [MEM-056]
            return None
    return tuple(done)


def _first_group(pattern: str, searched: int, nesting: BraceNesting) -> tuple[int, int] | None:
    """Where the first brace group opens and closes; None when none is closed: [MEM-056] such a brace is literal."""
    if nesting is BraceNesting.FIRST_CLOSE:  # [MEM-055] the first opening with the next closing
        start = _find(pattern, "{", searched)
        end = _find(pattern, "}", start + 1) if start >= 0 else -1
        return (start, end) if end >= 0 else None
    opened: list[int] = []
    first: tuple[int, int] | None = None
    for mark in BRACE.finditer(pattern, searched):
        if mark[0] == "{":
            opened.append(mark.start())
        elif mark[0] == "}" and opened:
            group = (opened.pop(), mark.start())
            first = group if first is None else min(first, group)
            if not opened:
                return first
    return first


def _find(pattern: str, char: str, start: int) -> int:
    """The next unescaped occurrence, or -1: [MEM-056] escaped braces stay literal."""
    return next((mark.start() for mark in BRACE.finditer(pattern, start) if mark[0] == char), -1)


def _alternatives(inner: str, nesting: BraceNesting) -> tuple[str, ...]:
    """The parts between commas: [MEM-056] empty ones count, a range is one literal alternative."""
    return tuple(inner.split(",")) if nesting is BraceNesting.FIRST_CLOSE else _between_commas(inner)
