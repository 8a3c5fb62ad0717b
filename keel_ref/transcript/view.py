"""What the next turn of a session sees. Spec: TRN-022, MSG-002."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from keel_ref.transcript.log import LogRow


@frozen(kw_only=True)
class View:
    """The slice of a conversation from its last boundary on."""

    order: tuple[int, ...]
    """Places of its rows; each once."""
    kept: frozenset[int]
    """Those that the boundary kept."""


def find_view(rows: Sequence[LogRow], conversation: Sequence[int]) -> View:
    """From the last boundary on, with what that one kept behind its summary. Spec: TRN-022."""
    start = next(
        (index for index in range(len(conversation) - 1, -1, -1) if rows[conversation[index]].boundary is not None), 0
    )
    order = tuple(conversation[start:])
    about = rows[order[0]].boundary if order else None
    if about is None or about.head is None or about.tail is None:
        return View(order=order, kept=frozenset())
    names = {rows[place].uuid: index for index, place in enumerate(conversation)}
    head, tail = names.get(about.head), names.get(about.tail)
    if head is None or tail is None or not head <= tail < start:
        return View(order=order, kept=frozenset())  # [TRN-022] a segment that cannot be found is not guessed at
    kept = tuple(conversation[head : tail + 1])
    anchor = names.get(about.anchor, start) if about.anchor is not None else start
    cut = max(anchor - start, 0) + 1
    return View(order=(*order[:cut], *kept, *order[cut:]), kept=frozenset(kept))  # [TRN-015]
