"""What a session keeps instead of computing it anew, and what clears which of it. Spec: CTX-030 to CTX-037.

Four values are kept. Two of them are made of the other two, so each of those is a snapshot of what it was made of.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, assert_never

from attrs import evolve, field, frozen

from keel_ref.choices import Gates
from keel_ref.context.system_context import ContextEntry, system_context
from keel_ref.context.user_context import user_context


class Kept(StrEnum):
    """Whatever a session holds and does not make for each call. Spec: CTX-030, CTX-037."""

    SYSTEM_CONTEXT = "system_context"
    GIT_SNAPSHOT = "git_snapshot"
    USER_CONTEXT = "user_context"
    MEMORY_FILES = "memory_files"
    MESSAGES = "messages"
    READ_STATE = "read_state"
    SURFACED = "surfaced"
    ATTACHED = "attached"
    SENT_SKILL_NAMES = "sent_skill_names"
    TRACKING = "tracking"
    BREAKER = "breaker"
    LAYER_STATE = "layer_state"
    WINDOW = "window"
    TOOL_DEFINITIONS = "tool_definitions"
    TOOL_SCHEMAS = "tool_schemas"
    MCP_DEFINITIONS = "mcp_definitions"


class Happening(StrEnum):
    """What can happen to what is kept. Spec: CTX-032 to CTX-037."""

    INJECTED = "inject"
    COMPACTED = "compact"
    AGENT_COMPACTED = "agent_compact"
    MICROCOMPACTED = "microcompact"
    CLEARED = "clear"
    WORKTREE_ENTERED = "worktree_entered"
    WORKTREE_LEFT = "worktree_left"
    SETTINGS_SYNCED = "settings_synced"
    MEMORY_DIALOG = "memory_dialog"
    MODEL_CHANGED = "model"
    TOOLS_SEARCHED = "tool_search"
    SERVERS_CHANGED = "mcp"


class LoadedFor(StrEnum):
    """The reason that the hook is told when memory files load. Spec: CTX-034, CTX-035."""

    SESSION_START = "session_start"
    COMPACT = "compact"


_SILENT: Final = (Kept.MEMORY_FILES,)

FRESH: Final[Mapping[Happening, tuple[Kept, ...]]] = MappingProxyType(
    {
        Happening.INJECTED: (Kept.SYSTEM_CONTEXT, Kept.USER_CONTEXT),  # [CTX-032]
        Happening.COMPACTED: (  # [CTX-033]
            *(Kept.USER_CONTEXT, Kept.MEMORY_FILES, Kept.MESSAGES),
            *(Kept.READ_STATE, Kept.SURFACED, Kept.ATTACHED),
        ),
        Happening.AGENT_COMPACTED: (),  # [CTX-033] of the main thread, nothing
        Happening.MICROCOMPACTED: (Kept.MESSAGES,),  # [CTX-037]
        Happening.CLEARED: (  # [CTX-036]
            *(Kept.SYSTEM_CONTEXT, Kept.GIT_SNAPSHOT, Kept.USER_CONTEXT, Kept.MEMORY_FILES, Kept.MESSAGES),
            *(Kept.READ_STATE, Kept.SURFACED, Kept.ATTACHED, Kept.SENT_SKILL_NAMES),
            *(Kept.TRACKING, Kept.BREAKER, Kept.LAYER_STATE),
        ),
        Happening.WORKTREE_ENTERED: _SILENT,  # [CTX-034]
        Happening.WORKTREE_LEFT: _SILENT,  # [CTX-034]
        Happening.SETTINGS_SYNCED: _SILENT,  # [CTX-034]
        Happening.MEMORY_DIALOG: _SILENT,  # [CTX-034]
        Happening.MODEL_CHANGED: (Kept.WINDOW, Kept.TOOL_DEFINITIONS),  # [CTX-037]
        Happening.TOOLS_SEARCHED: (Kept.TOOL_SCHEMAS,),  # [CTX-037]
        Happening.SERVERS_CHANGED: (Kept.MCP_DEFINITIONS,),  # [CTX-037]
    }
)
"""What is new after each event; everything else stays as it was. Spec: CTX-037."""


@frozen(kw_only=True)
class Surroundings:
    """The world at one moment, of which the kept values are made."""

    git: str | None = None
    """The text of a snapshot that would be taken now; None: there would be none."""
    memory: str | None = None
    """The text of the memory files that would load now; None: there would be none."""
    date: str = "1970-01-01"
    """Today, where the user is."""


@frozen
class Memo:
    """A value that was made and is kept, also where it is nothing."""

    value: str | None


@frozen(kw_only=True)
class Caches:
    """What is kept. None: it has to be made first. Spec: CTX-030, CTX-031."""

    gates: Gates = field(factory=Gates)
    injection: str | None = None
    """Spec: CTX-032."""
    git_snapshot: Memo | None = None
    memory_files: Memo | None = None
    system_context: tuple[ContextEntry, ...] | None = None
    """Made of the snapshot and of what is injected."""
    user_context: tuple[ContextEntry, ...] | None = None
    """Made of the memory files and of the date."""
    armed: LoadedFor | None = LoadedFor.SESSION_START
    """The reason that the next load of memory files is told. Spec: CTX-035."""


@frozen(kw_only=True)
class Answer:
    """What somebody got who asked for something that is kept."""

    caches: Caches
    made: tuple[Kept, ...] = ()
    """What had to be made for it, in order."""
    loaded_for: LoadedFor | None = None
    """What the hook is told; None: nothing was loaded, or no reason was armed."""


def ask(caches: Caches, world: Surroundings) -> Answer:
    """Both contexts, for a call. Spec: CTX-030, CTX-031."""
    made: list[Kept] = []
    now = caches
    if now.system_context is None:
        if now.git_snapshot is None:
            now = evolve(now, git_snapshot=Memo(world.git))  # [CTX-031]
            made.append(Kept.GIT_SNAPSHOT)
        assert now.git_snapshot is not None
        entries = system_context(now.git_snapshot.value, now.injection, now.gates)
        now = evolve(now, system_context=entries)  # [CTX-030]
        made.append(Kept.SYSTEM_CONTEXT)
    loaded_for = None
    if now.user_context is None:
        loaded = load(now, world)  # [CTX-031]
        now, loaded_for = loaded.caches, loaded.loaded_for
        made.extend(loaded.made)
        assert now.memory_files is not None
        now = evolve(now, user_context=user_context(now.memory_files.value, world.date))  # [CTX-030]
        made.append(Kept.USER_CONTEXT)
    return Answer(caches=now, made=tuple(made), loaded_for=loaded_for)


def load(caches: Caches, world: Surroundings) -> Answer:
    """The memory files, for whoever wants them. Spec: CTX-031, CTX-035."""
    if caches.memory_files is not None:
        return Answer(caches=caches)
    loaded = evolve(caches, memory_files=Memo(world.memory), armed=None)  # [CTX-035] used up
    return Answer(caches=loaded, made=(Kept.MEMORY_FILES,), loaded_for=caches.armed)


def happen(caches: Caches, happening: Happening, injection: str | None = None) -> Caches:
    """What is still kept after an event. Spec: CTX-032 to CTX-037."""
    left = _without(caches, FRESH[happening])
    match happening:
        case Happening.INJECTED:
            return evolve(left, injection=injection)  # [CTX-032]
        case Happening.COMPACTED:
            return evolve(left, armed=LoadedFor.COMPACT)  # [CTX-034]
        case Happening.CLEARED:
            return evolve(left, armed=LoadedFor.SESSION_START)  # [CTX-036]
        case (
            Happening.WORKTREE_ENTERED
            | Happening.WORKTREE_LEFT
            | Happening.SETTINGS_SYNCED
            | Happening.MEMORY_DIALOG
            | Happening.AGENT_COMPACTED
            | Happening.MICROCOMPACTED
            | Happening.MODEL_CHANGED
            | Happening.TOOLS_SEARCHED
            | Happening.SERVERS_CHANGED
        ):
            return left  # [CTX-034] no reason is armed
        case _:
            assert_never(happening)


def _without(caches: Caches, fresh: tuple[Kept, ...]) -> Caches:
    """The caches without some of what they keep; what this module does not keep has its place elsewhere."""
    return evolve(
        caches,
        system_context=None if Kept.SYSTEM_CONTEXT in fresh else caches.system_context,
        git_snapshot=None if Kept.GIT_SNAPSHOT in fresh else caches.git_snapshot,
        user_context=None if Kept.USER_CONTEXT in fresh else caches.user_context,
        memory_files=None if Kept.MEMORY_FILES in fresh else caches.memory_files,
    )
