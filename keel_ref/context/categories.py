"""The categories by which the use of a window is shown. Spec: CTX-100."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from attrs import field, frozen
from attrs.validators import ge


class Category(StrEnum):
    """Every category by the name that is shown, in the order of the list. Spec: CTX-100."""

    SYSTEM_PROMPT = "System prompt"
    SYSTEM_TOOLS = "System tools"
    MCP_TOOLS = "MCP tools"
    MCP_TOOLS_DEFERRED = "MCP tools (deferred)"
    SYSTEM_TOOLS_DEFERRED = "System tools (deferred)"
    AGENTS = "Custom agents"
    MEMORY_FILES = "Memory files"
    SKILLS = "Skills"
    MESSAGES = "Messages"
    UNATTRIBUTED = "Unattributed"
    FREE = "Free space"
    BUFFER = "Autocompact buffer"


DEFERRED: Final = frozenset({Category.MCP_TOOLS_DEFERRED, Category.SYSTEM_TOOLS_DEFERRED})
"""Categories that cost nothing until something of them is loaded. Spec: CTX-100, CTX-103."""
ALWAYS: Final = frozenset({Category.MESSAGES, Category.FREE})
"""Categories that are shown at 0, too. Spec: CTX-100."""
COLOURS: Final[Mapping[Category, str]] = MappingProxyType(
    {
        Category.SYSTEM_PROMPT: "cyan",
        Category.SYSTEM_TOOLS: "blue",
        Category.MCP_TOOLS: "teal",
        Category.MCP_TOOLS_DEFERRED: "pale-teal",
        Category.SYSTEM_TOOLS_DEFERRED: "pale-blue",
        Category.AGENTS: "green",
        Category.MEMORY_FILES: "orange",
        Category.SKILLS: "yellow",
        Category.MESSAGES: "purple",
        Category.UNATTRIBUTED: "grey",
        Category.FREE: "free",
        Category.BUFFER: "buffer",
    }
)
"""A name of a colour for each, from which a theme makes one. Spec: CTX-100, which leaves them open."""


@frozen(kw_only=True)
class Share:
    """One category and what it takes of the window."""

    name: str
    """As it is shown."""
    tokens: int = field(validator=ge(0))
    """What it costs, or would cost if it were loaded."""
    is_deferred: bool = False
    """Whether it costs nothing yet, and so gets no square."""


def share_of(category: Category, tokens: int) -> Share:
    """The row of one of the categories above."""
    return Share(name=str(category), tokens=tokens, is_deferred=category in DEFERRED)  # [CTX-100]
