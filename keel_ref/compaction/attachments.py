"""The rows by which a compaction puts something back, and their order. Spec: CMP-118, CMP-121, CMP-122."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

Row = Mapping[str, Any]

DEFERRED_TOOLS: Final = "[keel-ref: more tools can be had by searching for them. Their names:]"
AGENTS: Final = "[keel-ref: agents that can be started:]"
MCP: Final = "[keel-ref: these servers gave instructions:]"
PLAN_MODE: Final = "[keel-ref: plan mode is on: plan, ask, and change nothing until the plan is accepted]"
"""What the model reads; the wording of each is free. Spec: CMP-118."""


@frozen(kw_only=True)
class Named:
    """Something with a name and a text: a background agent, or the instructions of a server."""

    name: str
    """Its id or name."""
    text: str
    """What is said of it, or by it."""


@frozen(kw_only=True)
class Standing:
    """What stands beside the talk when it is compacted, and has to be said again behind it. Spec: CMP-122."""

    background: tuple[Named, ...] = ()
    """Background agents and their state."""
    plan: tuple[str, str] | None = None
    """Path and text of the plan file; None where there is none."""
    is_planning: bool = False
    """Whether plan mode is on."""
    deferred_tools: tuple[str, ...] = ()
    """Names of the tools that are given on demand."""
    agents: tuple[str, ...] = ()
    """Names of the agents that can be started."""
    mcp: tuple[Named, ...] = ()
    """Servers and their instructions."""


def attachment_row(kind: str, *texts: str, path: str | None = None, names: Sequence[str] = ()) -> Row:
    """One attachment: what it is about, then each text in a block of its own. Spec: CMP-118."""
    row: dict[str, Any] = {"role": "attachment", "attachment": kind}
    if path is not None:
        row["path"] = path
    if names:
        row["names"] = list(names)
    row["content"] = [{"type": "text", "text": text} for text in texts if text]  # [CMP-118] no empty block
    return row


def ordered_attachments(files: Iterable[Row], skills: Iterable[Row], standing: Standing) -> tuple[Row, ...]:
    """Everything that is put back, in the order in which it stands in the list. Spec: CMP-122."""
    return (  # [CMP-123] nobody asks who wanted the compaction, or who wrote the summary
        *files,
        *(
            attachment_row(
                "agent_state", f"[keel-ref: agent {one.name} works in the background]", one.text, names=[one.name]
            )
            for one in _once(standing.background)
        ),
        *_plan(standing),
        *skills,
        # [CMP-122] each against an empty history: everything there is [CMP-121] no listing of skills among it
        *_delta("deferred_tools", DEFERRED_TOOLS, standing.deferred_tools),
        *_delta("agent_listing", AGENTS, standing.agents),
        *_mcp(standing.mcp),
    )


def _plan(standing: Standing) -> Iterable[Row]:
    if standing.plan is not None:
        path, text = standing.plan
        yield attachment_row("plan_file", f"[keel-ref: the plan in {path}:]", text, path=path)
    if standing.is_planning:
        yield attachment_row("plan_mode", PLAN_MODE)


def _delta(kind: str, opening: str, names: Iterable[str]) -> Iterable[Row]:
    each = tuple(dict.fromkeys(names))  # [CMP-122] a name that comes twice is said once
    if each:
        yield attachment_row(kind, opening, "\n".join(each), names=each)


def _mcp(servers: Iterable[Named]) -> Iterable[Row]:
    each = _once(servers)
    if each:
        yield attachment_row("mcp_instructions", MCP, *(one.text for one in each), names=[one.name for one in each])


def _once(found: Iterable[Named]) -> tuple[Named, ...]:
    """Each name once, at its first place, with what was said last. Spec: CMP-122."""
    return tuple({one.name: one for one in found}.values())
