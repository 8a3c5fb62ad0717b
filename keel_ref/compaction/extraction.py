"""When notes are taken, and how long a compaction waits for them. Spec: CMP-135 to CMP-137."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from keel_ref.choices import Gates
from keel_ref.compaction.trace import Why
from keel_ref.constants import DEFAULT, Constants

FORK_SOURCES: Final = frozenset({"session_memory", "compact"})
"""Sources for which no notes are taken: the fork that takes them, and the one that writes a summary. Spec: CMP-136."""


@frozen(kw_only=True)
class SinceExtraction:
    """What has happened since notes were taken last."""

    tokens: int | None = None
    """Size of the context then; None where none have been taken yet."""
    calls: int = 0
    """Calls of tools since then."""
    last_turn_has_call: bool = False
    """Whether the last answer of the model calls a tool."""


def extraction_due(
    context_tokens: int,
    since: SinceExtraction,
    *,
    source: str | None = None,
    is_auto_compact_on: bool = True,
    gates: Gates | None = None,
    constants: Constants = DEFAULT,
) -> Why:
    """`Why.EXTRACTION_DUE`, or why no notes are taken now. `context_tokens` is the size by EST-016. Spec: CMP-135."""
    if not (is_auto_compact_on and (gates or Gates()).session_memory):
        return Why.NOTES_OFF  # [CMP-136]
    if source in FORK_SOURCES:
        return Why.NOTES_OWN_FORK  # [CMP-136]
    if since.tokens is None:
        is_due = context_tokens >= constants.extraction_start_tokens  # [CMP-135] the first time
        return Why.EXTRACTION_DUE if is_due else Why.BELOW_START
    if context_tokens - since.tokens < constants.extraction_growth_tokens:
        return Why.BELOW_GROWTH  # [CMP-135] growth is always necessary
    if since.calls < constants.extraction_calls and since.last_turn_has_call:
        return Why.TOO_FEW_CALLS  # [CMP-135]
    return Why.EXTRACTION_DUE


def left_to_wait_ms(running_ms: int | None, *, constants: Constants = DEFAULT) -> int:
    """How much longer a compaction waits for an extraction that has run so long; 0 where none runs. Spec: CMP-137."""
    return 0 if running_ms is None else max(0, constants.extraction_wait_ms - running_ms)  # [CMP-137]
