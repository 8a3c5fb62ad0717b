"""One attempt at a summary: tries of two calls each, on a head that gets shorter. Spec: CMP-092."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

from attrs import evolve, field, frozen

from keel_ref.compaction.drop_head import HeadDrop, drop_head
from keel_ref.constants import DEFAULT, Constants


class Tools(StrEnum):
    """With which tools a call is made. Spec: CMP-090, CMP-092."""

    ALL = "all"
    """As in the main request, every use denied: the forked call."""
    ONE = "one"
    """A single one: the fallback."""


@frozen(kw_only=True)
class Attempt:
    """Where an attempt stands: what the next call sends, and with which tools."""

    rows: Sequence[Any]
    """Rows of the next call."""
    tools: Tools = Tools.ALL
    """Tools of the next call."""
    retries: int = 0
    """Times the head was dropped."""
    calls: int = 1
    """Calls so far, the one that is under way included."""
    drops: tuple[HeadDrop, ...] = field(default=())
    """What the retries dropped."""

    def after_failure(
        self,
        *,
        is_too_long: bool,
        excess: int | None,
        constants: Constants = DEFAULT,
        cost: Callable[[Sequence[Any]], int] | None = None,
    ) -> Attempt | None:
        """The call under way gave no valid text; what is called next, or None: the attempt failed. Spec: CMP-092.

        `excess` are the tokens by which a request was too long, where the error says so; `cost` counts rows.
        """
        if self.tools is Tools.ALL:
            return evolve(self, tools=Tools.ONE, calls=self.calls + 1)  # [CMP-092] once more, with a single tool
        if not is_too_long:
            return None  # [CMP-092] the try ends as its last call ended
        drop = drop_head(self.rows, excess, retries=self.retries, constants=constants, cost=cost)
        if drop.is_given_up:
            return None  # [CMP-092] one round is left, or the retries are spent
        return Attempt(
            rows=drop.messages,
            retries=self.retries + 1,
            calls=self.calls + 1,
            drops=(*self.drops, drop),
        )
