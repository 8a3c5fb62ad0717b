"""What is in the window, part by part, before it is added up. Spec: CTX-101 to CTX-107."""

from __future__ import annotations

from attrs import field, frozen
from attrs.validators import ge, optional


@frozen(kw_only=True)
class Named:
    """A section of the system prompt, an agent or a skill."""

    name: str
    """Empty for what stands before the first heading."""
    tokens: int = field(validator=ge(0))
    """What it costs."""


@frozen(kw_only=True)
class Tool:
    """The definition of a tool. Spec: CTX-103."""

    name: str
    """The name by which it is called."""
    server: str | None = None
    """The MCP server that has it; None for a built-in tool."""
    tokens: int = field(validator=ge(0))
    """What its definition costs where it is sent."""
    is_deferred: bool = False
    """Whether its definition waits until somebody asks for it."""
    is_loaded: bool = False
    """Whether somebody has asked for it."""

    @property
    def counts(self) -> bool:
        """Whether its definition is sent. Spec: CTX-103."""
        return not self.is_deferred or self.is_loaded  # [CTX-103]


@frozen(kw_only=True)
class MemoryShare:
    """One instruction file. Spec: CTX-104."""

    path: str
    """As the source names it."""
    type: str
    """Its layer, as the source names it."""
    tokens: int = field(validator=ge(0))
    """What it costs."""


@frozen(kw_only=True)
class MessageParts:
    """What the messages cost, by what they are, in tokens. Spec: CTX-106."""

    tool_call: int = field(default=0, validator=ge(0))
    tool_result: int = field(default=0, validator=ge(0))
    attachment: int = field(default=0, validator=ge(0))
    assistant: int = field(default=0, validator=ge(0))
    user: int = field(default=0, validator=ge(0))

    @property
    def tokens(self) -> int:
        """All five together. Spec: CTX-106."""
        return self.tool_call + self.tool_result + self.attachment + self.assistant + self.user  # [CTX-106]


@frozen(kw_only=True)
class Holdings:
    """All that can be seen of what is in the window."""

    system_prompt: tuple[Named, ...] = ()
    """Its sections in order. Spec: CTX-102."""
    tools: tuple[Tool, ...] = ()
    """Spec: CTX-103."""
    agents: tuple[Named, ...] = ()
    """Spec: CTX-104."""
    memory_files: tuple[MemoryShare, ...] = ()
    """Spec: CTX-104."""
    skills: tuple[Named, ...] = ()
    """Spec: CTX-104."""
    messages: MessageParts = MessageParts()
    """Spec: CTX-105, CTX-106."""
    recorded: int | None = field(default=None, validator=optional(ge(0)))
    """The use that a record gives, in tokens; None where there is none. Spec: CTX-107."""
