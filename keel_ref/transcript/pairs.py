"""Calls and results of what the next turn sees that do not match. Spec: TRN-023, MSG-007."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from keel_ref.transcript.log import Kind, LogRow, Problem, Reason


def find_unmatched(rows: Sequence[LogRow], view: Sequence[int]) -> Iterator[Problem]:
    """Results whose call is not in the view, and calls that somebody passed over without a result. Spec: TRN-023."""
    calls: dict[str, int] = {}
    answered: set[str] = set()
    last_prompt = -1
    for index, place in enumerate(view):
        row = rows[place]
        if row.is_prompt:
            last_prompt = index
        for block in row.blocks:
            if block.id is None:
                continue
            if block.kind == "tool_use" and row.kind is Kind.ASSISTANT:
                calls.setdefault(block.id, index)
            elif block.kind == "tool_result" and row.kind is Kind.USER:
                answered.add(block.id)
                if block.id not in calls:
                    yield Problem(line=row.line, reason=Reason.ORPHAN_RESULT, detail=block.id)
    for name, index in calls.items():
        if name not in answered and index < last_prompt:  # [TRN-023] the last calls may still be at work
            yield Problem(line=rows[view[index]].line, reason=Reason.MISSING_RESULT, detail=name)
