"""How a list falls into rounds, all at once and while rows arrive. Spec: MSG-010 to MSG-015."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from keel_ref.messages.rows import Role, response_id, role_of, rows_of


@define
class RoundGrouper:
    """Groups rows while they arrive; at any time the rounds are those of the rows so far. Spec: MSG-015."""

    rows: int = 0
    """Rows that came in."""
    _starts: list[int] = field(factory=list, init=False)
    _last_id: str | None = field(default=None, init=False)

    def add(self, row: object) -> bool:
        """Take the next row in; whether it opens a round."""
        opens = self._opens(row)
        if opens:
            self._starts.append(self.rows)
        self.rows += 1
        return opens

    def rounds(self) -> list[tuple[int, int]]:
        """Half-open stretches that tile the rows so far; the last one may still grow."""
        return list(zip(self._starts, [*self._starts[1:], self.rows], strict=True)) if self._starts else []

    def _opens(self, row: object) -> bool:
        # [MSG-013] only assistant rows are looked at; [MSG-014] whatever else comes joins the open round
        if role_of(row) is not Role.ASSISTANT:
            return not self._starts  # [MSG-011] what comes before the first answer is the first round
        own = response_id(row)
        differs = own is None or own != self._last_id  # [MSG-010] [MSG-012] no id equals no other
        self._last_id = own
        return differs or not self._starts


def api_rounds(messages: Sequence[Any]) -> list[tuple[int, int]]:
    """The rounds of a list: half-open stretches that tile it, a new one at each new response.

    The same as `keel_ref.api_rounds`, which is faster. Raises `InvalidArgumentError` if `messages` is no list.
    Spec: MSG-010 to MSG-015.
    """
    grouper = RoundGrouper()
    for row in rows_of(messages):
        grouper.add(row)
    return grouper.rounds()
