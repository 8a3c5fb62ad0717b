"""How a tool is found by name or by words. Spec: CTX-080 to CTX-083."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from attrs import frozen

from keel_ref.constants import DEFAULT, Constants
from keel_ref.text import JS_WHITE_SPACE, trim_white_space

SELECT: Final = "select:"
REQUIRED: Final = "+"
EXACT_PART: Final = 10
EXACT_PART_MCP: Final = 12
PARTIAL: Final = 5
PARTIAL_MCP: Final = 6
FULL_NAME: Final = 3
HINT: Final = 4
DESCRIPTION: Final = 2

_PARTS: Final = re.compile(r"[A-Z]+(?![a-z\x80-\U0010ffff])|[A-Z]?[a-z\x80-\U0010ffff]+|[0-9]+")


@frozen(kw_only=True)
class Searchable:
    """A tool as a search looks at it."""

    name: str
    server: str | None = None
    """None: it is built in."""
    description: str = ""
    hint: str = ""
    """A word or two by which the tool wants to be found."""


@frozen(kw_only=True)
class Match:
    """A tool that was found."""

    name: str
    score: int | None
    """None where it was asked for by name."""


@frozen(kw_only=True)
class Found:
    """What came of a search."""

    matches: tuple[Match, ...]
    missing: tuple[str, ...] = ()
    """Names that nobody has. Spec: CTX-080."""


def search_tools(
    query: str, tools: Sequence[Searchable], limit: int | None = None, constants: Constants = DEFAULT
) -> Found:
    """The tools that a query means. Spec: CTX-080 to CTX-083."""
    trimmed = trim_white_space(query)
    if trimmed.lower().startswith(SELECT):
        return _selected(trimmed[len(SELECT) :].split(","), tools)  # [CTX-080]
    words = [word.lower() for word in re.split(f"[{re.escape(JS_WHITE_SPACE)}]+", trimmed) if word]
    required = [word[1:] for word in words if word.startswith(REQUIRED) and word != REQUIRED]
    terms = [word.removeprefix(REQUIRED) for word in words if word != REQUIRED]
    scored = []
    for place, tool in enumerate(tools):
        if all(score_of(term, tool) for term in required):  # [CTX-082]
            scored.append((-sum(score_of(term, tool) for term in terms), place))  # [CTX-081] terms add up
    best = sorted(pair for pair in scored if pair[0])  # [CTX-083] the earlier of two equal ones
    cap = constants.search_cap_tools if limit is None else limit
    return Found(matches=tuple(Match(name=tools[place].name, score=-score) for score, place in best[:cap]))  # [CTX-083]


def score_of(term: str, tool: Searchable) -> int:
    """What one word, in small letters, is worth for a tool. Spec: CTX-081."""
    parts = name_parts(tool.name)
    is_mcp = tool.server is not None
    score = 0
    if term in parts:
        score += EXACT_PART_MCP if is_mcp else EXACT_PART  # [CTX-081]
    elif any(term in part for part in parts):
        score += PARTIAL_MCP if is_mcp else PARTIAL  # [CTX-081]
    elif term in tool.name.lower():
        score += FULL_NAME  # [CTX-081] across the parts
    if term in tool.hint.lower():
        score += HINT  # [CTX-081]
    if term in tool.description.lower():
        score += DESCRIPTION  # [CTX-081]
    return score


def name_parts(name: str) -> tuple[str, ...]:
    """The parts of a name, in small letters. Spec: CTX-081."""
    return tuple(part.lower() for part in _PARTS.findall(name))


def _selected(names: Iterable[str], tools: Sequence[Searchable]) -> Found:
    """Tools by name, in the order asked for, however many. Spec: CTX-080."""
    by_name: dict[str, str] = {}
    for tool in tools:
        by_name.setdefault(tool.name.lower(), tool.name)
    wanted = dict.fromkeys(trim_white_space(name) for name in names)
    exact = {tool.name for tool in tools}
    hits = {name: name if name in exact else by_name.get(name.lower()) for name in wanted if name}
    found = dict.fromkeys(hit for hit in hits.values() if hit is not None)
    missing = tuple(name for name, hit in hits.items() if hit is None)
    return Found(matches=tuple(Match(name=name, score=None) for name in found), missing=missing)
