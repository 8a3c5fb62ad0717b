"""P-3: what was cut, and whether the model was told. Spec: CMP-024, CMP-152, MSG-021."""

from __future__ import annotations

from collections.abc import Iterator

from keel_ref.audit.finding import Finding, Level
from keel_ref.audit.question import Question
from keel_ref.audit.recording import Cut, Kind, Piece, Step


def a8_silent_cuts(asked: Question) -> Iterator[Finding]:
    """A result that is a part and does not say so. Spec: CMP-024, MSG-021."""
    shown: dict[str, int] = {}
    for step, piece in asked.pieces(0, len(asked.recording.steps)):
        if piece.kind is Kind.CALL and piece.id is not None and not step.is_kept:
            shown.pop(piece.id, None)  # the id of another call now
        if piece.kind is not Kind.RESULT or step.is_kept:
            continue
        before = shown.get(piece.id or "", 0)
        if piece.id is not None:
            shown[piece.id] = max(before, piece.units)
        if piece.cut is Cut.SILENT or (piece.cut is Cut.NONE and piece.units < before):
            whole = max(before, piece.whole_units or 0) or None
            yield Finding(
                check="A8",
                level=Level.ERROR,
                line=step.line,
                message=f"a result of {_tool(piece)} shows {piece.units:,} units"
                + (f" of {whole:,}" if whole and whole > piece.units else ", just a documented limit")
                + ", and does not say that it is a part",
                evidence={"tool": piece.tool, "units": piece.units, "whole_units": whole, "id": piece.id},
            )


def a9_no_place(asked: Question) -> Iterator[Finding]:
    """A result that says it is a part, and not where the rest is. Spec: CMP-024."""
    for step, piece in _results(asked):
        if piece.cut is Cut.NO_PLACE:
            yield Finding(
                check="A9",
                level=Level.NOTE,
                line=step.line,
                message=f"a result of {_tool(piece)} says that it is a part, and not where the rest is",
                evidence={"tool": piece.tool, "units": piece.units, "whole_units": piece.whole_units, "id": piece.id},
            )


def a10_no_summary(asked: Question) -> Iterator[Finding]:
    """A compaction that an answer follows, with no summary between the two. Spec: CMP-152, CMP-153."""
    steps = asked.recording.steps
    for index in asked.recording.boundaries():
        for place in range(index + 1, len(steps)):
            step = steps[place]
            if step.is_summary or step.boundary is not None:
                break
            if step.response is not None and not step.is_kept:
                yield Finding(
                    check="A10",
                    level=Level.ERROR,
                    line=steps[index].line,
                    message=f"a compaction left no summary before the next answer (line {step.line:,})",
                    evidence={"lines": [step.line]},
                )
                break


def _results(asked: Question) -> Iterator[tuple[Step, Piece]]:
    for step, piece in asked.pieces(0, len(asked.recording.steps)):
        if piece.kind is Kind.RESULT and not step.is_kept:
            yield step, piece


def _tool(piece: Piece) -> str:
    return piece.tool or "an unknown tool"
