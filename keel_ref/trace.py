"""Why something was left out: the closed list of reasons, and the event that carries one. Spec: MEM-023."""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen


class Reason(StrEnum):
    """Why a candidate does not load. The words are part of the wire (errors.json, `reasons`)."""

    DISABLED = "disabled"
    BARE = "bare"
    SOURCE_OFF = "source-off"
    ADD_DIR_OFF = "add-dir-off"
    ROOT_NOT_READ = "root-not-read"
    WORKTREE_SUPPRESSED = "worktree-suppressed"
    EXCLUDED = "excluded"
    DUPLICATE = "duplicate"
    CONDITIONAL = "conditional"
    EMPTY = "empty"
    NOT_FOUND = "not-found"
    NOT_REGULAR = "not-regular"
    LINK_LOOP = "link-loop"
    UNREADABLE = "unreadable"
    TOO_LARGE = "too-large"
    INCLUDE_DEPTH = "include-depth"
    INCLUDE_EXTERNAL = "include-external"
    INCLUDE_TYPE = "include-type"
    BOUND_REACHED = "bound-reached"
    RULES_BOUND = "rules-bound"
    NAME_CASE = "name-case"
    NOT_MD = "not-md"
    WRONG_PLACE = "wrong-place"
    AGENTS_FILE = "agents-file"
    AUTO_MEMORY_OFF = "auto-memory-off"
    SETTINGS_BROKEN = "settings-broken"
    ON_DEMAND = "on-demand"
    INJECTED_FILTER = "injected-filter"
    TEAM_OFF = "team-off"


@frozen(kw_only=True)
class Skip:
    """One candidate that does not load, and why. Spec: MEM-023."""

    path: str
    """The path under which it was looked for, or would be listed."""
    layer: str | None = None
    """The layer it would have had; None where it has none (settings, AGENTS.md)."""
    reason: Reason
    """The reason, from the closed list."""
    detail: str = ""
    """What the reason is about: a pattern, a limit, the including file, the system's own words."""


@frozen(kw_only=True)
class Notice:
    """Something that a reader should know about a file that may well load. Spec: errors.json, `warnings`."""

    kind: str
    """The kind, from the list of warnings in errors.json."""
    path: str
    """The file it is about."""
    detail: str
    """One sentence for a person."""
