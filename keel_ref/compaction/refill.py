"""Compactions that each refill at once end the session. Spec: CMP-076."""

from __future__ import annotations

from typing import Self

from attrs import evolve, field, frozen
from attrs.validators import ge

from keel_ref.constants import DEFAULT, Constants


@frozen(kw_only=True)
class RefillGuard:
    """How often the window filled right after a compaction."""

    rises: int = field(default=0, validator=ge(0))
    """Compactions in a row that became due again within the stretch."""
    requests_since: int | None = None
    """Requests sent since the last automatic compaction; None: there was none, or the next one was judged already."""

    def compacted(self) -> Self:
        """An automatic compaction succeeded."""
        return evolve(self, requests_since=0)

    def sent(self) -> Self:
        """A request went out."""
        return self if self.requests_since is None else evolve(self, requests_since=self.requests_since + 1)

    def due(self, constants: Constants = DEFAULT) -> Self:
        """A compaction became due: judged once for each compaction before it. Spec: CMP-076."""
        if self.requests_since is None:
            return self
        is_refill = self.requests_since <= constants.refill_cap_requests  # [CMP-076]
        return evolve(self, rises=self.rises + 1 if is_refill else 0, requests_since=None)

    def is_tripped(self, constants: Constants = DEFAULT) -> bool:
        """Whether no further compaction is tried."""
        return self.rises >= constants.refill_cap_rises
