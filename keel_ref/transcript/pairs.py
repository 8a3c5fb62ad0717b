"""Calls and results of what the next turn sees that do not match. Spec: TRN-023, MSG-007."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from keel_ref.transcript.log import Kind, LogRow, Problem, Reason


def find_unmatched(rows: Sequence[LogRow], view: Sequence[int]) -> Iterator[Problem]:
    """Results whose call is not above them in the view, and calls that were passed over. Spec: TRN-023."""
    calls: dict[str, int] = {}
    answered: set[str] = set()
    for index, place in enumerate(view):
        row = rows[place]
        for block in row.blocks:
            if block.id is None:
                continue
            if block.kind == "tool_use" and row.kind is Kind.ASSISTANT:
                calls.setdefault(block.id, index)
            elif block.kind == "tool_result" and row.kind is Kind.USER:
                answered.add(block.id)
                if block.id not in calls:
                    yield Problem(line=row.line, reason=Reason.ORPHAN_RESULT, detail=block.id)
    last_prompt = _last(view, lambda place: rows[place].is_prompt)
    last_answer = _last(view, lambda place: rows[place].kind is Kind.ASSISTANT and not rows[place].is_error)
    for name, index in calls.items():
        row = rows[view[index]]
        is_last = last_prompt < index and (last_answer <= index or _is_one(row, rows[view[last_answer]]))
        if name not in answered and not is_last:  # [TRN-023] the last calls may still be at work
            yield Problem(line=row.line, reason=Reason.MISSING_RESULT, detail=name)


def _last(view: Sequence[int], holds: Callable[[int], bool]) -> int:
    return next((index for index in range(len(view) - 1, -1, -1) if holds(view[index])), -1)


def _is_one(row: LogRow, other: LogRow) -> bool:
    """Whether both rows are of one response, as far as their ids say."""
    return row.message_id is not None and row.message_id == other.message_id
