"""What a session file counts, line by line. Spec: EST-033."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from attrs import define, frozen

from keel_ref.messages.rows import BOUNDARY_SUBTYPE, as_object
from keel_ref.tokens.blocks import RowCounter
from keel_ref.tokens.estimate import parse_method
from keel_ref.tokens.families import ANY, Family
from keel_ref.tokens.json_text import NotJson, parse_json
from keel_ref.tokens.measures import Measure, Method, measure_of

BLANKS: Final = b" \t\r"
"""What a line may hold and still be passed over; a line end ends it."""


@frozen(kw_only=True)
class TranscriptEstimate:
    """What a session file holds; every figure of tokens is an estimate."""

    lines: int
    """All lines, blank and broken ones too."""
    broken: int
    """Lines that are no JSON object."""
    boundaries: int
    """Compactions that left a boundary."""
    attachments: int
    """Rows that the client renders in a form which the file does not say; they cost nothing here."""
    rows: int
    """Counted rows that are no side chain's."""
    tokens: int
    """What those cost."""
    since_boundary: int
    """The part of `tokens` behind the last boundary; all of them without one."""
    sidechain_rows: int
    """Counted rows of sub-agents."""
    sidechain_tokens: int
    """What those cost."""


@define
class TranscriptCounter:
    """Takes the lines of a session file one after another."""

    measure: Measure
    lines: int = 0
    broken: int = 0
    boundaries: int = 0
    attachments: int = 0
    rows: int = 0
    tokens: int = 0
    before_boundary: int = 0
    sidechain_rows: int = 0
    sidechain_tokens: int = 0

    def add(self, line: bytes) -> None:
        """Take in one line, with or without its LF. Spec: EST-033."""
        self.lines += 1
        body = line.removesuffix(b"\n")
        if not body.strip(BLANKS):
            return
        row = parse_line(body)
        if row is None:
            self.broken += 1
            return
        self._add_row(row)

    def result(self) -> TranscriptEstimate:
        """The figures of the lines so far."""
        return TranscriptEstimate(
            lines=self.lines,
            broken=self.broken,
            boundaries=self.boundaries,
            attachments=self.attachments,
            rows=self.rows,
            tokens=self.tokens,
            since_boundary=self.tokens - self.before_boundary,
            sidechain_rows=self.sidechain_rows,
            sidechain_tokens=self.sidechain_tokens,
        )

    def _add_row(self, row: Mapping[str, Any]) -> None:
        match row.get("type"):
            case "user" | "assistant" as role if not _is_for_the_screen(row):
                self._add_counted(role, row)
            case "system" if row.get("subtype") == BOUNDARY_SUBTYPE:
                self.boundaries += 1
                self.before_boundary = self.tokens
            case "attachment":
                self.attachments += 1
            case _:
                pass  # [EST-033] every other object costs nothing

    def _add_counted(self, role: str, row: Mapping[str, Any]) -> None:
        message = as_object(row.get("message")) or {}
        tokens = RowCounter(self.measure).count(0, {"role": role, "content": message.get("content")})
        if row.get("isSidechain") is True:  # [EST-033] a sub-agent's rows are no part of the conversation
            self.sidechain_rows += 1
            self.sidechain_tokens += tokens
        else:
            self.rows += 1
            self.tokens += tokens


def count_lines(
    lines: Iterable[bytes], *, method: str = Method.BOUND, family: str | Family = ANY
) -> TranscriptEstimate:
    """The figures of a session file's lines. Spec: EST-033.

    Raises `InvalidArgumentError` for a method or family that does not exist.
    """
    counter = TranscriptCounter(measure_of(parse_method(method), family=family))
    for line in lines:
        counter.add(line)
    return counter.result()


def parse_line(body: bytes) -> Mapping[str, Any] | None:
    """The object that a line says; None for a broken line. Spec: EST-033."""
    try:
        value = parse_json(body.decode("utf-8"))
    except (UnicodeDecodeError, NotJson):
        return None
    return value if isinstance(value, dict) else None


def _is_for_the_screen(row: Mapping[str, Any]) -> bool:
    """Whether only the user saw the row. A summary is for the model, whatever the other mark says. Spec: EST-033."""
    return row.get("isVisibleInTranscriptOnly") is True and row.get("isCompactSummary") is not True
