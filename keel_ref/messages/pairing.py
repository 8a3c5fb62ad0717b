"""Calls and results find together: no half of a pair is left. Spec: MSG-006, MSG-007."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from attrs import define, field, frozen

from keel_ref.messages.drafts import Draft, Placed, paired_id
from keel_ref.messages.rows import Reported, Role, RowReason

STAND_IN_TEXT: Final = "[keel-ref: the result of this call is missing]"
"""What a stand-in says; the wording is free. Spec: MSG-006."""


@frozen
class Call:
    """Where the call with some id stands."""

    message: int
    row: int


@define
class Pairing:
    """Pairs the calls and results of drafts, which it takes apart."""

    pending: Collection[str]
    """Ids of calls that are still under way."""
    reported: list[Reported]
    _calls: dict[str, Call] = field(factory=dict, init=False)
    _results: dict[str, Placed] = field(factory=dict, init=False)
    _order: dict[str, int] = field(factory=dict, init=False)

    def paired(self, drafts: list[Draft]) -> list[Draft]:
        """The drafts with every result directly behind its call. Spec: MSG-007, steps 6 to 8."""
        for place, draft in enumerate(drafts):
            draft.blocks = [placed for placed in draft.blocks if self._keep_call(placed, place)]
        for place, draft in enumerate(drafts):
            draft.blocks = [placed for placed in draft.blocks if not self._take_result(placed, place)]
        return list(self._gathered(drafts))

    def _keep_call(self, placed: Placed, place: int) -> bool:
        if placed.kind != "tool_use":
            return True
        name = str(placed.block["id"])
        if name in self._calls:
            self._report(RowReason.DUPLICATE_CALL, placed.row, name)  # [MSG-007] the first one stays
            return False
        self._calls[name] = Call(place, placed.row)
        return True

    def _take_result(self, placed: Placed, place: int) -> bool:
        """Take a result out of its place; whether the block was one. Spec: MSG-007, step 7."""
        if placed.kind != "tool_result":
            return False
        name = paired_id(placed.block)
        call = None if name is None else self._calls.get(name)
        if name is None or call is None or call.message >= place:
            self._report(RowReason.ORPHAN_RESULT, placed.row, name)  # [MSG-006] no call before it
        elif name in self._results:
            self._report(RowReason.DUPLICATE_RESULT, placed.row, name)  # [MSG-007] the first one stays
        else:
            self._order[name] = len(self._order)
            self._results[name] = placed
        return True

    def _gathered(self, drafts: list[Draft]) -> Iterator[Draft]:
        """The drafts, and behind each one with calls its results. Spec: MSG-007, step 8."""
        answers: list[Placed] = []
        for draft in drafts:
            if answers and draft.role is Role.USER:
                draft.blocks = [*answers, *draft.blocks]  # [MSG-007] at the beginning of the message behind the calls
            elif answers:
                yield Draft(Role.USER, answers)
            answers = self._answers(draft)
            yield draft
        if answers:
            yield Draft(Role.USER, answers)

    def _answers(self, draft: Draft) -> list[Placed]:
        """The results of the calls of a draft as they stood, then stand-ins in the order of the calls."""
        names = [str(placed.block["id"]) for placed in draft.blocks if placed.kind == "tool_use"]
        found = [self._results[name] for name in names if name in self._results]
        found.sort(key=lambda placed: self._order[paired_id(placed.block) or ""])
        return [*found, *(self._stand_in(name) for name in names if self._needs_stand_in(name))]

    def _needs_stand_in(self, name: str) -> bool:
        if name in self._results:
            return False
        is_pending = name in self.pending
        self._report(RowReason.PENDING_CALL if is_pending else RowReason.MISSING_RESULT, self._calls[name].row, name)
        return not is_pending

    def _stand_in(self, name: str) -> Placed:
        block = {"type": "tool_result", "tool_use_id": name, "is_error": True, "content": STAND_IN_TEXT}
        return Placed(block, self._calls[name].row)  # [MSG-006] marked as what it is

    def _report(self, reason: RowReason, row: int, name: str | None) -> None:
        self.reported.append(Reported(reason=reason, row=row, id=name))
