"""What a session runs under: its window, its switches, and the functions that somebody else provides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from attrs import field, frozen

from keel_ref.choices import Choices, Gates
from keel_ref.compaction.micro_step import CachedSettings
from keel_ref.constants import DEFAULT, Constants
from keel_ref.tokens.context import context_size
from keel_ref.tokens.estimate import estimate_messages
from keel_ref.tokens.measures import Method
from keel_ref.window.limits import Limits

Row = Mapping[str, Any]
Rows = tuple[Row, ...]


@frozen(kw_only=True)
class Snipped:
    """What snip gives back. Spec: CMP-040."""

    rows: Sequence[Row]
    """The rows that stay, a boundary among them where it put one in."""
    freed_tokens: int = 0
    """Tokens that it freed; below 0 counts as 0."""


class HookKind(StrEnum):
    """When a hook runs. Spec: CMP-091."""

    BEFORE = "pre-compact"
    START = "session-start"
    AFTER = "post-compact"


Counter = Callable[[Sequence[Row]], int]
"""Tokens of some rows."""


@frozen(kw_only=True)
class Settings:
    """What a session runs under. Nothing of it changes within a pass."""

    limits: Limits
    """The window and its switches."""
    gates: Gates = field(factory=Gates)
    """Which layers can act."""
    choices: Choices = field(factory=Choices)
    constants: Constants = DEFAULT
    own_count: Counter | None = None
    """The size of a context by somebody's own measure; None: by the choices."""
    own_cost: Counter | None = None
    """The sum over rows by somebody's own measure; None: by the choices."""
    cached_micro: CachedSettings = field(factory=CachedSettings)
    """How the cached path is set up. Spec: CMP-060."""
    snip: Callable[[Sequence[Row]], Snipped] | None = None
    """What gate `snip` runs. Spec: CMP-040."""
    collapse: Callable[[Sequence[Row]], Sequence[Row]] | None = None
    """What gate `collapse` shows in place of the rows. Spec: CMP-042."""
    drain: Callable[[Sequence[Row]], Sequence[Row]] | None = None
    """What collapse shows once everything that it has staged is committed. Spec: CMP-170."""
    hooks: frozenset[HookKind] = frozenset()
    """Kinds of hooks that somebody has set up."""
    result_size: Callable[[str], int] | None = None
    """Size of a text of a result; None: in the unit of `results.unit`. Spec: CMP-026."""
    session_folder: str = ""
    """Where results are saved. Spec: CMP-026."""
    declared_limits: Mapping[str, Any] = MappingProxyType({})
    """Limits that tools declare for their results. Spec: CMP-021."""
    log_path: str | None = None
    """Where the log lies, for whoever wants to read what a summary replaced; None: nobody says."""

    def count(self, rows: Sequence[Row]) -> int:
        """The size of a context: usage, and the estimate of what came after it. Spec: EST-016."""
        if self.own_count is not None:
            return self.own_count(rows)
        return context_size(rows, choices=self.choices, constants=self.constants).tokens

    def cost(self, rows: Sequence[Row]) -> int:
        """The plain sum over rows, by the rule and not by the bound. Spec: EST-012."""
        if self.own_cost is not None:
            return self.own_cost(rows)
        estimate = estimate_messages(rows, method=Method.DOCUMENTED, choices=self.choices, constants=self.constants)
        return estimate.tokens
