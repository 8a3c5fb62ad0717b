"""Which layer made a context smaller, by what the record holds of it. Rules S5 and S6."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from attrs import frozen

from keel_ref.compaction.results import CLEARED_TEXT
from keel_ref.constants import DEFAULT
from keel_ref.session.timeline import Cut, Step
from keel_ref.transcript.log import Kind, LogRow


class Layer(StrEnum):
    """What can make a context smaller."""

    RESULT_BUDGET = "result_budget"
    SNIP = "snip"
    MICRO = "micro"
    COLLAPSE = "collapse"
    SESSION_MEMORY = "session_memory"
    FULL = "full"
    REACTIVE = "reactive"
    MANUAL = "manual"
    CLEAR = "clear"
    UNKNOWN = "unknown"


@frozen
class Cause:
    """A layer and how it is known."""

    layer: Layer
    why: str


MARKS: Final = {
    "snip_boundary": Layer.SNIP,
    "microcompact_boundary": Layer.MICRO,
    "collapse_boundary": Layer.COLLAPSE,
    "context_collapse": Layer.COLLAPSE,
}
"""Subtypes of system rows by which clients may say what they did; none is known of the described version."""
TOO_LONG: Final = "prompt is too long"
CLEAR_COMMAND: Final = "<command-name>/clear</command-name>"
_MINUTE_MS: Final = 60_000


def find_refused(step: Step, rows: Sequence[LogRow]) -> frozenset[int]:
    """Boundaries of a step just before which a request was refused as too long. Spec: CMP-171."""
    found: set[int] = set()
    is_refused = False
    for place in step.before:
        row = rows[place]
        if row.boundary is not None:
            if is_refused:
                found.add(place)
            is_refused = False
        elif row.is_error and _says(row, TOO_LONG):
            is_refused = True
    return frozenset(found)


def cause_of_cut(cut: Cut, *, is_refused: bool) -> Cause:
    """The layer behind a boundary; whether a request had just been refused as too long. Spec: CMP-144, CMP-171."""
    match cut.boundary.trigger:
        case "manual":
            return Cause(Layer.MANUAL, "the boundary says that somebody asked for it")
        case "auto":
            pass
        case None:
            return Cause(Layer.UNKNOWN, "the boundary does not say what set it off")
        case other:
            return Cause(Layer.UNKNOWN, f"the boundary names a trigger that nobody knows: {other}")
    if cut.kept.rows:
        return Cause(Layer.SESSION_MEMORY, "the boundary kept rows, as a compaction with the notes of the session does")
    if is_refused:
        return Cause(Layer.REACTIVE, "a request had been refused as too long just before")
    return Cause(Layer.FULL, "the boundary kept no rows, so a summary took the place of all of them")


def cause_of_drop(
    step: Step, rows: Sequence[LogRow], last_ms: int | None, models: tuple[str | None, str | None]
) -> Cause:
    """The layer behind a context that became smaller without a boundary, or why it cannot be told."""
    between = [rows[place] for place in step.before]
    marks = [MARKS[row.subtype] for row in between if row.kind is Kind.SYSTEM and row.subtype in MARKS]
    if marks:
        return Cause(marks[0], "a row of the client says so")
    if any(_says(row, CLEAR_COMMAND) for row in between):
        return Cause(Layer.CLEAR, "the command /clear stands before it")
    if any(block.head == CLEARED_TEXT for row in between for block in row.blocks):
        return Cause(Layer.MICRO, "results stand in the record with the text that takes the place of a cleared one")
    return Cause(Layer.UNKNOWN, _why_unknown(step, rows, last_ms, models))


def _why_unknown(step: Step, rows: Sequence[LogRow], last_ms: int | None, models: tuple[str | None, str | None]) -> str:
    assert step.response is not None, "a drop is seen at a response"
    if None not in models and models[0] != models[1]:
        return f"the record does not say; another model answers ({models[1]}), which counts the same texts otherwise"
    at_ms = rows[step.response.rows[0]].at_ms
    if at_ms is not None and last_ms is not None and at_ms - last_ms >= DEFAULT.micro_gap_minutes * _MINUTE_MS:
        minutes = (at_ms - last_ms) // _MINUTE_MS
        return (
            f"the record does not say; {minutes:,} minutes had passed, after which a client whose gate time_micro is "
            "open clears old results; the released one has it shut"
        )
    return "the record does not say; snip, collapse and what the provider leaves out write nothing into it"


def _says(row: LogRow, text: str) -> bool:
    return any(text in block.head.lower() for block in row.blocks)
