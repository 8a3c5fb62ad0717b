"""P-4: what went on by itself, and for how long. Spec: CMP-076, CMP-077."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import define, field

from keel_ref.audit.finding import Finding, Level
from keel_ref.audit.question import LINES_SHOWN, Question
from keel_ref.audit.recording import Kind, Piece, Step

CAP: Final = 3
"""Failures in a row at which every breaker of the described client opens. Spec: CMP-077."""
ENDLESS: Final = 10
"""Failures in a row from which on nobody can speak of a cap."""


@define
class _Run:
    """Failures of one call."""

    tool: str
    lines: list[int] = field(factory=list)


def a11_repeated_calls(asked: Question) -> Iterator[Finding]:
    """One call, with the same input, that failed at least three times in a row. Spec: CMP-077."""
    runs: dict[str, _Run] = {}
    for step in asked.recording.steps:
        if step.is_kept:
            continue
        if step.is_prompt:  # a person who says "again" is no loop
            yield from _repeated(runs)
            runs = {}
        for piece in step.pieces:
            if piece.kind is Kind.RESULT and piece.digest is not None:
                yield from _judged(runs, step, piece, piece.digest)
    yield from _repeated(runs)


def a12_refills(asked: Question) -> Iterator[Finding]:
    """Compactions by the client itself, each at most three requests behind the one before. Spec: CMP-076."""
    cap, rises = asked.constants.refill_cap_requests, asked.constants.refill_cap_rises
    chain: list[Step] = []
    for start, end in asked.segments():
        boundary = asked.recording.steps[start] if asked.recording.steps else None
        if boundary is None or boundary.boundary is None or boundary.boundary.trigger == "manual":
            yield from _refilled(chain, rises)
            chain = []
            continue
        chain.append(boundary)
        sent = asked.responses(start, end)
        if len(sent) > cap:  # [CMP-076] with more the count becomes 0
            yield from _refilled(chain, rises)
            chain = []
    yield from _refilled(chain, rises)


def a13_failed_requests(asked: Question) -> Iterator[Finding]:
    """Error rows in the place of answers, one after another. Spec: CMP-077, EST-019."""
    lines: list[int] = []
    for step in asked.recording.steps:
        if step.is_api_error:
            lines.append(step.line)
        elif step.response is not None or step.is_prompt:
            yield from _failed(lines)
            lines = []
    yield from _failed(lines)


def _judged(runs: dict[str, _Run], step: Step, piece: Piece, digest: str) -> Iterator[Finding]:
    if piece.is_error:
        runs.setdefault(digest, _Run(piece.tool or "an unknown tool")).lines.append(step.line)
    elif digest in runs:
        yield from _repeated({digest: runs.pop(digest)})  # [CMP-077] a success sets the count to 0


def _repeated(runs: dict[str, _Run]) -> Iterator[Finding]:
    for run in runs.values():
        if len(run.lines) >= CAP:  # [CMP-077]
            yield _finding("A11", run.lines, f"the same call of {run.tool} failed {len(run.lines):,} times in a row")


def _refilled(chain: Sequence[Step], rises: int) -> Iterator[Finding]:
    if len(chain) < rises:
        return
    lines = [step.line for step in chain]
    yield Finding(
        check="A12",
        level=Level.ERROR if len(chain) > rises else Level.WARNING,  # [CMP-076] the guard ends it after three
        line=lines[0],
        message=f"{len(chain):,} compactions followed one another, each at most three requests behind the last",
        evidence={"count": len(chain), "limit": rises, "lines": lines[:LINES_SHOWN]},
    )


def _failed(lines: Sequence[int]) -> Iterator[Finding]:
    if len(lines) >= CAP:  # [CMP-077]
        yield _finding("A13", lines, f"{len(lines):,} requests in a row ended in an error")


def _finding(check: str, lines: Sequence[int], message: str) -> Finding:
    return Finding(
        check=check,
        level=Level.ERROR if len(lines) >= ENDLESS else Level.WARNING,
        line=lines[0],
        message=message,
        evidence={"count": len(lines), "limit": CAP, "lines": list(lines[:LINES_SHOWN])},
    )
