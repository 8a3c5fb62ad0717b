"""The time, as a value that somebody asks for. Rules take it as an argument."""

from __future__ import annotations

import time

from attrs import define


class SystemClock:
    """The clock of the machine."""

    def now_ms(self) -> int:
        """See `Clock.now_ms`."""
        return time.time_ns() // 1_000_000

    def today(self) -> str:
        """The date where the user is, as `YYYY-MM-DD`. Spec: CTX-022."""
        return time.strftime("%Y-%m-%d")


@define
class SetClock:
    """A clock that stands until somebody sets it."""

    at_ms: int = 0

    def now_ms(self) -> int:
        """See `Clock.now_ms`."""
        return self.at_ms
