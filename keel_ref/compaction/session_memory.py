"""The notes as a summary: a compaction that asks no model. Spec: CMP-139 to CMP-148."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import field, frozen

from keel_ref.choices import Choices, Gates
from keel_ref.compaction.cuts import text_tokens
from keel_ref.compaction.disk_file import GONE, DiskFile, FileState
from keel_ref.compaction.extraction import left_to_wait_ms
from keel_ref.compaction.notes import CutNotes, cut_notes, parse_notes
from keel_ref.compaction.tail import Tail, kept_tail
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.constants import DEFAULT, Constants
from keel_ref.messages.rows import rows_of
from keel_ref.text import is_blank
from keel_ref.tokens.estimate import estimate_messages
from keel_ref.tokens.measures import Method
from keel_ref.units import Tokens

_WHY_NONE: Final = {
    FileState.GONE: Why.NO_NOTES,
    FileState.UNREADABLE: Why.NOTES_UNREADABLE,
    FileState.NOT_REGULAR: Why.NOTES_NOT_REGULAR,
    FileState.TOO_LARGE: Why.NOTES_TOO_LARGE,
}


@frozen(kw_only=True)
class SessionNotes:
    """What is known of the notes of a session."""

    file: DiskFile = GONE
    """The notes as they are on the disk now."""
    path: str = ""
    """Where they lie, for the notice of a cut."""
    last_covered: str | None = None
    """Name (`uuid`) of the last row that they cover; None where that is not known."""
    running_ms: int | None = None
    """For how long an extraction has been running; None where none is."""


@frozen(kw_only=True)
class NotesCompaction:
    """The notes took the place of a summary."""

    notes: CutNotes
    """The summary."""
    start: int
    """Index of the first row that is kept."""
    tokens: Tokens
    """What summary, kept rows and attachments cost. Spec: CMP-146."""
    decisions: tuple[Decision, ...]


@frozen(kw_only=True)
class NoNotesCompaction:
    """The notes cannot be used; a model has to write the summary."""

    why: Why
    """The reason."""
    wait_ms: int = 0
    """Where an extraction is running: for how long to wait before asking again."""
    decisions: tuple[Decision, ...] = field(factory=tuple)


def compact_with_notes(
    messages: Sequence[Any],
    notes: SessionNotes,
    *,
    attachments: Sequence[Any] = (),
    threshold_tokens: int | None = None,
    choices: Choices | None = None,
    gates: Gates | None = None,
    constants: Constants = DEFAULT,
) -> NotesCompaction | NoNotesCompaction:
    """What stays when the notes become the summary, or why they cannot. No model is asked. Spec: CMP-140, CMP-148.

    `threshold_tokens` is the size from which a compaction is due; None: the result may have any size.

    Raises `InvalidArgumentError` if `messages` is no list, `NotSerialisableError` for a row that no request can hold.
    """
    rows = rows_of(messages)
    why_not = _unusable(notes, gates or Gates(), constants)
    if why_not is not None:
        wait_ms = left_to_wait_ms(notes.running_ms, constants=constants) if why_not is Why.EXTRACTION_RUNNING else 0
        return NoNotesCompaction(why=why_not, wait_ms=wait_ms, decisions=(_decision(why_not),))
    cut = cut_notes(notes.file.text, notes.path, choices=choices, constants=constants)
    tail = kept_tail(rows, notes.last_covered, choices=choices, constants=constants)
    remarks = (*_remarks(notes, tail), *cut.decisions)
    tokens = _size(cut, [*rows[tail.start :], *attachments], choices or Choices(), constants)
    if threshold_tokens is not None and tokens >= threshold_tokens:  # [CMP-146] it would be due again at once
        found = _decision(Why.STILL_ABOVE_THRESHOLD, tokens)
        return NoNotesCompaction(why=Why.STILL_ABOVE_THRESHOLD, decisions=(*remarks, found))
    return NotesCompaction(
        notes=cut, start=tail.start, tokens=tokens, decisions=(*remarks, _decision(Why.NOTES_USED, tokens))
    )


def _unusable(notes: SessionNotes, gates: Gates, constants: Constants) -> Why | None:
    """The first reason against the notes, in the order of CMP-141."""
    if not gates.session_memory:
        return Why.NOTES_OFF
    if not gates.sm_compact:
        return Why.SM_COMPACT_OFF
    if left_to_wait_ms(notes.running_ms, constants=constants) > 0:
        return Why.EXTRACTION_RUNNING
    if notes.file.state is not FileState.READ:
        return _WHY_NONE[notes.file.state]  # [CMP-139]
    if is_blank(notes.file.text):
        return Why.NO_NOTES
    if all(is_blank(part.body) for part in parse_notes(notes.file.text)):
        return Why.NOTES_EMPTY  # [CMP-141] headings alone say nothing
    return None


def _remarks(notes: SessionNotes, tail: Tail) -> tuple[Decision, ...]:
    waited = (_decision(Why.EXTRACTION_NOT_AWAITED),) if notes.running_ms is not None else ()  # [CMP-137]
    unknown = () if tail.is_covered_known else (_decision(Why.COVERED_UNKNOWN),)  # [CMP-145]
    return (*waited, *unknown)


def _size(cut: CutNotes, rows: Sequence[Any], choices: Choices, constants: Constants) -> Tokens:
    """Tokens of the summary without notices and of the rows behind it; nothing is padded. Spec: CMP-146."""
    # [CMP-147] attachments are counted, and not looked at for anything else
    behind = estimate_messages(rows, method=Method.DOCUMENTED, choices=choices, constants=constants)
    return Tokens(text_tokens(cut.kept, choices=choices, constants=constants) + behind.tokens)  # [CMP-146]


def _decision(why: Why, tokens: int | None = None) -> Decision:
    return Decision(layer=Layer.COMPACT, why=why, tokens=tokens)
