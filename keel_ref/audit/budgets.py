"""P-1: what passed a documented budget. Spec: CMP-021, CMP-030, CMP-114, WIN-013."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from keel_ref.audit.finding import Finding, Level
from keel_ref.audit.gather import RESTORED
from keel_ref.audit.question import LINES_SHOWN, Question
from keel_ref.audit.recording import UNATTRIBUTED, Kind, Piece, Response, Step
from keel_ref.compaction.result_limits import limits_of
from keel_ref.constants import Constants

HALF_PER_MILLE: Final = 500
OVERDUE_RESPONSES: Final = 4
"""Requests in a row at or above the threshold: three attempts may fail, and none is made after them. Spec: CMP-073."""


def a1_one_source(asked: Question) -> Iterator[Finding]:
    """A source that has more than half of a window at its warning threshold. Spec: CTX-106, WIN-015."""
    if asked.peak.tokens < asked.limits.warning:
        return
    for share in asked.shares:
        if share.per_mille > HALF_PER_MILLE and share.source != UNATTRIBUTED:
            yield Finding(
                check="A1",
                level=Level.NOTE,
                line=share.line or asked.peak.line or 1,
                message=f"{share.source} have {share.tokens:,} of {asked.peak.tokens:,} tokens at the peak",
                evidence={"source": share.source, "tokens": share.tokens, "peak_tokens": asked.peak.tokens},
            )


def a2_large_results(asked: Question) -> Iterator[Finding]:
    """A result above the limit of its tool, shown whole. Spec: CMP-021, CMP-022, CMP-023."""
    limits = limits_of({}, {}, asked.constants)
    for step, piece in asked.pieces(0, len(asked.recording.steps)):
        if piece.kind is not Kind.RESULT or step.is_kept or not piece.is_text_alone:
            continue  # [CMP-023] what is not text alone stays as it is
        limit = limits.limit(piece.tool)  # [CMP-021]
        if limit is not None and piece.units > limit:  # [CMP-022] exactly the limit stays
            yield Finding(
                check="A2",
                level=Level.WARNING,
                line=step.line,
                message=f"a result of {piece.tool or 'some tool'} has {piece.units:,} units; its limit is {limit:,}",
                evidence={"tool": piece.tool, "units": piece.units, "limit": limit, "tokens": piece.tokens},
            )


def a3_large_messages(asked: Question) -> Iterator[Finding]:
    """Results that are sent as one message, and are too large together. Spec: CMP-029, CMP-030."""
    cap = asked.constants.message_cap_units
    for group in _messages(asked.recording.steps):
        held = [(step, piece) for step in group for piece in step.pieces if piece.kind is Kind.RESULT]
        units = sum(piece.units for _, piece in held)
        if units > cap:  # [CMP-030]
            yield Finding(
                check="A3",
                level=Level.WARNING,
                line=held[0][0].line,
                message=f"{len(held):,} results of one message have {units:,} units together; at most {cap:,} are sent",
                evidence={"units": units, "limit": cap, "results": len(held), "lines": _lines(held)},
            )


def a4_restored(asked: Question) -> Iterator[Finding]:
    """Files put back beyond five, 5,000 tokens each, or 50,000 in all. Spec: CMP-114, CMP-116, CMP-117."""
    for index in asked.recording.boundaries():
        held = list(restored_after(asked, index))
        yield from _restored_findings(asked.recording.steps[index], held, asked.constants)


def a5_overdue(asked: Question) -> Iterator[Finding]:
    """Requests at or above the threshold of automatic compaction, and none came. Spec: WIN-013, WIN-016, CMP-073."""
    for start, end in asked.segments():
        run: list[Response] = []
        for one in [*asked.responses(start, end), None]:
            if one is not None and one.total >= asked.limits.auto:
                run.append(one)
                continue
            yield from _overdue_finding(asked, run)
            run = []


def restored_after(asked: Question, index: int) -> Iterator[tuple[Step, Piece]]:
    """The files that the compaction at that step put back: what stands behind it and before the next answer."""
    for place in range(index + 1, len(asked.recording.steps)):
        step = asked.recording.steps[place]
        if step.response is not None and not step.is_kept:
            return
        if step.boundary is not None or step.is_prompt:
            return
        for piece in step.pieces:
            if piece.kind is Kind.ATTACHMENT and piece.tool in RESTORED:
                yield step, piece


def _restored_findings(boundary: Step, held: Sequence[tuple[Step, Piece]], constants: Constants) -> Iterator[Finding]:
    whole = [(step, piece) for step, piece in held if piece.tool == "file"]
    total = sum(piece.tokens for _, piece in whole)
    broken = [
        (len(held), constants.restore_cap_files, "files were put back"),  # [CMP-114]
        (total, constants.restore_cap_tokens, "tokens of files were put back"),  # [CMP-117]
    ]
    for amount, cap, words in broken:
        if amount > cap:
            yield Finding(
                check="A4",
                level=Level.WARNING,
                line=boundary.line,
                message=f"{amount:,} {words}; at most {cap:,} are documented",
                evidence={"amount": amount, "limit": cap, "lines": _lines(held)},
            )
    cap = constants.restore_file_cap_tokens
    for step, piece in whole:
        if piece.tokens > cap + FRAME_TOKENS:  # [CMP-116] measured without what says which file it is
            yield Finding(
                check="A4",
                level=Level.WARNING,
                line=step.line,
                message=f"a file of {piece.tokens:,} tokens was put back whole; above {cap:,} it is only named",
                evidence={"path": piece.path, "tokens": piece.tokens, "limit": cap},
            )


FRAME_TOKENS: Final = 1_100
"""What the words around a file may add: a path of 4,096 units, and a line of ours."""


def _overdue_finding(asked: Question, run: Sequence[Response]) -> Iterator[Finding]:
    limits = asked.limits
    above = [one for one in run if one.sent >= limits.blocking]
    if len(run) < OVERDUE_RESPONSES and not above:
        return
    is_sure = asked.is_window_known
    worst = max(run, key=lambda one: one.total)
    level = Level.NOTE if not is_sure else Level.ERROR if above else Level.WARNING
    limit, words = (limits.blocking, "blocking limit") if above else (limits.auto, "threshold of compaction")
    count = len(above or run)
    yield Finding(
        check="A5",
        level=level,
        line=(above or run)[0].line,
        message=f"{count:,} requests in a row at or above the {words} of {limit:,} tokens, up to {worst.total:,}"
        + ("" if is_sure else "; the window is assumed"),
        evidence={
            "requests": count,
            "limit": limit,
            "window": limits.window,
            "highest": worst.total,
            "lines": [one.line for one in run[:LINES_SHOWN]],
        },
    )


def _messages(steps: Sequence[Step]) -> Iterator[Sequence[Step]]:
    """Rows of the user that are sent as one message: nothing of the model stands between them. Spec: CMP-029.

    The rows of one response, between which its results may stand, are one message of the model. Spec: MSG-010.
    """
    group: list[Step] = []
    current: int | None = None
    for step in steps:
        if step.boundary is not None or (step.response is not None and step.response != current):
            yield group
            group, current = [], step.response
        elif step.response is None and not step.is_kept:
            group.append(step)
    yield group


def _lines(held: Sequence[tuple[Step, Piece]]) -> list[int]:
    return list(dict.fromkeys(step.line for step, _ in held))[:LINES_SHOWN]
