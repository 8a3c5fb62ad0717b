"""Is an automatic compaction due, and may it be tried? Spec: CMP-070, CMP-071, CMP-078."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from keel_ref.choices import Gates
from keel_ref.compaction.trace import Why
from keel_ref.window.limits import Limits

OWN_SOURCES: Final = frozenset({"session_memory", "compact"})
"""Sources of the forks that write notes and summaries."""
COLLAPSE_SOURCE: Final = "marble_origami"
"""Source of the fork that collapse uses, where there is one."""


@frozen(kw_only=True)
class Ask:
    """What is asked about one pass, before anything is counted."""

    limits: Limits
    """The window and its switches."""
    gates: Gates
    """Which layers can act."""
    source: str | None = None
    """Name of what asks for the request."""
    is_breaker_open: bool = False
    """Whether too many attempts in a row failed."""


def why_declined(ask: Ask) -> Why | None:
    """The first reason not even to count; None: it is counted. Spec: CMP-070."""
    reasons = (  # [CMP-070] in this order
        (not ask.limits.is_manual_enabled, Why.COMPACT_DISABLED),
        (ask.is_breaker_open, Why.BREAKER_OPEN),
        (ask.source in OWN_SOURCES, Why.OWN_SOURCE),  # [CMP-004]
        (ask.source == COLLAPSE_SOURCE and ask.gates.collapse, Why.OWN_SOURCE),
        (not ask.limits.is_enabled, Why.AUTO_OFF),
        (ask.gates.reactive_only, Why.REACTIVE_ONLY),
        (ask.gates.collapse, Why.COLLAPSE_ON),
    )
    return next((why for holds, why in reasons if holds), None)


def is_due(limits: Limits, used: int, freed: int = 0) -> bool:
    """Whether `used` tokens, less those that snip freed, reach the automatic threshold. Spec: CMP-041, CMP-071."""
    return max(0, used - freed) >= limits.auto  # [CMP-041] [CMP-071]


def is_blocked(ask: Ask, used: int, *, has_compacted: bool = False) -> bool:
    """Whether `used` tokens, less those that snip freed, end the turn before the request. Spec: CMP-078."""
    owns_overflow = ask.limits.is_enabled and (ask.gates.collapse or ask.gates.reactive)
    if has_compacted or ask.source in OWN_SOURCES or owns_overflow:
        return False  # [CMP-078] somebody else deals with it, or just has
    return used >= ask.limits.blocking  # [CMP-078]
