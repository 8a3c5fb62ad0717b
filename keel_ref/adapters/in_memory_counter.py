"""A counter that answers what it was told to. Spec: EST-022."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field


@define
class ScriptedCounter:
    """Gives its answers one after another, then None for ever; keeps what it was asked.

    A `TokenCounter` and a `TextCounter`.
    """

    answers: list[int | None]
    """What is still to be given."""
    asked: list[Sequence[Any]] = field(factory=list, init=False)
    """Lists of rows, and texts."""
    last_problem: str | None = field(default=None, init=False)
    """Why the last answer was None."""

    def count(self, messages: Sequence[Any]) -> int | None:
        """The next answer."""
        return self._next(messages)

    def count_text(self, text: str) -> int | None:
        """The next answer."""
        return self._next(text)

    def _next(self, asked: Sequence[Any]) -> int | None:
        self.asked.append(asked)
        answer = self.answers.pop(0) if self.answers else None
        self.last_problem = "it was told to have no count" if answer is None else None
        return answer
