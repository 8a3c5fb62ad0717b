"""A counter that answers what it was told to. Spec: EST-022."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field


@define
class ScriptedCounter:
    """Gives its answers one after another, then None for ever; keeps what it was asked. A `TokenCounter`."""

    answers: list[int | None]
    """What is still to be given."""
    asked: list[Sequence[Any]] = field(factory=list, init=False)

    def count(self, messages: Sequence[Any]) -> int | None:
        """The next answer."""
        self.asked.append(messages)
        return self.answers.pop(0) if self.answers else None
