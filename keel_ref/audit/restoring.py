"""P-2: whether a compaction made room, and gave back what was needed. Spec: CMP-111, CMP-114, CMP-071."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from keel_ref.audit.budgets import restored_after
from keel_ref.audit.finding import Finding, Level
from keel_ref.audit.question import Question
from keel_ref.audit.recording import Kind, Piece, Response, Step

SOON_RESPONSES: Final = 5
"""Answers behind a compaction within which a read counts as soon."""
ROOM_PERCENT: Final = 80
"""Of the use before; what keeps so much has made hardly any room."""
READ_TOOL: Final = "Read"


def a6_read_again(asked: Question) -> Iterator[Finding]:
    """A file that was known before a compaction, was not put back, and was read again soon. Spec: CMP-111, CMP-114."""
    steps = asked.recording.steps
    known: dict[str, int] = {}
    segments = list(asked.segments())
    for number, (start, end) in enumerate(segments):
        if number:
            restored = {piece.path for _, piece in restored_after(asked, start)}
            kept = {piece.path for step, piece in asked.pieces(start, end) if step.is_kept and piece.path}
            yield from _read_again(asked, steps[start], _soon(asked, start, end), known, restored | kept)
        for step, piece in asked.pieces(start, end):
            if piece.kind is Kind.RESULT and piece.path and not piece.is_error:
                known[piece.path] = step.line


def a7_no_room(asked: Question) -> Iterator[Finding]:
    """A compaction behind which the window was still as good as full. Spec: CMP-071, CMP-094."""
    previous: Response | None = None
    for number, (start, end) in enumerate(asked.segments()):
        responses = [one for one in asked.responses(start, end) if one.sent]
        boundary = asked.recording.steps[start] if number else None
        if boundary is not None and boundary.boundary is not None and responses:
            before = boundary.boundary.tokens_before or (previous.total if previous else None)
            yield from _no_room(asked, boundary, before, responses[0])
        previous = responses[-1] if responses else previous


def _soon(asked: Question, start: int, end: int) -> Sequence[Step]:
    """The steps up to the last answer that counts as soon."""
    responses = asked.responses(start, end)
    stop = responses[SOON_RESPONSES].start if len(responses) > SOON_RESPONSES else end
    return asked.recording.steps[start:stop]


def _read_again(
    asked: Question, boundary: Step, soon: Sequence[Step], known: dict[str, int], spared: set[str | None]
) -> Iterator[Finding]:
    told: set[str] = set()
    for step in soon:
        for piece in step.pieces:
            if step.is_kept or not _is_read(piece) or piece.path is None:
                continue
            if piece.path in spared or piece.path in told or piece.path not in known:
                continue
            told.add(piece.path)
            is_sure = asked.recording.has_restored_rows
            yield Finding(
                check="A6",
                level=Level.WARNING if is_sure else Level.NOTE,
                line=step.line,
                message=f"{piece.path} was read again behind the compaction at line {boundary.line:,}"
                + ("; it was not put back" if is_sure else "; the record does not list what was put back"),
                evidence={
                    "path": piece.path,
                    "tokens": piece.tokens,
                    "boundary_line": boundary.line,
                    "known_line": known[piece.path],
                },
            )


def _is_read(piece: Piece) -> bool:
    """Whether a result shows a file anew; one that says it is unchanged shows that the client still had it."""
    is_sound = piece.kind is Kind.RESULT and not piece.is_error and not piece.is_stub
    return is_sound and piece.tool == READ_TOOL


def _no_room(asked: Question, boundary: Step, before: int | None, after: Response) -> Iterator[Finding]:
    is_due = asked.is_window_known and after.sent >= asked.limits.auto  # [CMP-071] at once due again
    is_small = before is not None and after.sent * 100 >= before * ROOM_PERCENT
    if is_due or is_small:
        was = "an unknown use" if before is None else f"{before:,} tokens"
        yield Finding(
            check="A7",
            level=Level.WARNING,
            line=boundary.line,
            message=f"a compaction at {was} left {after.sent:,} in the next request (line {after.line:,})",
            evidence={"before": before, "after": after.sent, "lines": [after.line]},
        )
