"""Compactions that became due again at once. Rule S10."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from keel_ref.constants import DEFAULT
from keel_ref.session.drops import Compaction


@frozen(kw_only=True)
class Thrash:
    """Compactions one behind another, each with few responses since the one before."""

    lines: tuple[int, ...]
    """Their boundaries."""
    responses: int
    """Responses from the first of them to the last."""

    @property
    def compactions(self) -> int:
        """How many there are."""
        return len(self.lines)


def find_thrash(compactions: Sequence[Compaction]) -> tuple[Thrash, ...]:
    """Runs of at least two automatic compactions within the stretch of the refill guard. Spec: CMP-076."""
    return tuple(_runs([one for one in compactions if one.trigger == "auto"]))


def _runs(compactions: Sequence[Compaction]) -> Iterator[Thrash]:
    run: list[Compaction] = []
    for one in compactions:
        if run and _number(one) - _number(run[-1]) > DEFAULT.refill_cap_requests:  # [CMP-076]
            yield from _thrash(run)
            run = []
        run.append(one)
    yield from _thrash(run)


def _thrash(run: Sequence[Compaction]) -> Iterator[Thrash]:
    if len(run) > 1:
        yield Thrash(lines=tuple(one.line for one in run), responses=_number(run[-1]) - _number(run[0]))


def _number(compaction: Compaction) -> int:
    return compaction.after_response or 0
