"""What a layer decided about one thing, and why: the closed list of reasons. Spec: CMP-003."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from attrs import frozen


class Layer(StrEnum):
    """The part of a turn that decided. Spec: CMP-001."""

    RESULTS = "results"
    SNIP = "snip"
    MICRO = "micro"
    COLLAPSE = "collapse"
    COMPACT = "compact"
    SUMMARY = "summary"
    RESTORE = "restore"
    BLOCKING = "blocking"
    RECOVERY = "recovery"


class Why(StrEnum):
    """Why something was cut, kept, left alone or not tried. The words are part of the wire (errors.json, `decisions`)."""

    # the results of tools

    # clearing old results

    # compaction: due or not, tried or not

    # the summary and its retries

    # what is put back

    # blocking and recovery


@frozen(kw_only=True)
class Decision:
    """One decision of a layer."""

    layer: Layer
    """Who decided."""
    why: Why
    """What was decided, and the reason, from the closed list."""
    row: int | None = None
    """Index of the row in the list that the layer was given."""
    id: str | None = None
    """Id of the call, the row, or the name that is concerned."""
    path: str | None = None
    """File that is concerned; where a cut names where the rest is, that place."""
    tokens: int | None = None
    """Tokens that were saved, counted or compared, as the reason says."""

    def as_object(self) -> dict[str, Any]:
        """The decision in the form of JSON; what it has not is left out. Spec: CMP-003."""
        optional = {"row": self.row, "id": self.id, "path": self.path, "tokens": self.tokens}
        named = {"layer": str(self.layer), "why": str(self.why)}
        return {**named, **{name: value for name, value in optional.items() if value is not None}}
