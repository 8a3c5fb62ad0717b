"""A recording as the checks need it: no texts, only what was measured of them, and where each thing stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from attrs import field, frozen

UNATTRIBUTED = "not attributed"
"""What a record says was there, and nothing that can be seen accounts for. Spec: CTX-107."""


class Kind(StrEnum):
    """What a piece of a window is."""

    USER = "user"
    ASSISTANT = "assistant"
    CALL = "call"
    RESULT = "result"
    ATTACHMENT = "attachment"
    SUMMARY = "summary"
    FIXED = "fixed"
    """The system prompt and the definitions of tools."""


class Cut(StrEnum):
    """What is known of a result that is a part."""

    NONE = "none"
    """Nothing says that it is one."""
    CLEARED = "cleared"
    """It has the text of CMP-054."""
    TOLD = "told"
    """It says so, and where the rest is."""
    NO_PLACE = "no-place"
    """It says so, and not where the rest is."""
    SILENT = "silent"
    """The record shows that it is one, and it does not say so."""


@frozen(kw_only=True)
class Piece:
    """A block of a message, or a text that stands by itself."""

    kind: Kind
    source: str
    """Whose share of the window it is, in words."""
    tokens: int
    """What it costs by the documented rule. Spec: EST-012."""
    units: int = 0
    """Size of a result's text in UTF-16 units. Spec: CMP-020."""
    tool: str | None = None
    """Of a call its tool, of a result that of its call."""
    id: str | None = None
    """Of a call its id, of a result that of its call."""
    path: str | None = None
    """The file that is read, written or attached."""
    digest: str | None = None
    """Of a call, the same for the same tool and input."""
    is_error: bool = False
    """Whether a result says that the call failed."""
    is_text_alone: bool = True
    """Whether a result holds nothing but text. Spec: CMP-020."""
    is_stub: bool = False
    """Whether a read says only that the file is as it was."""
    cut: Cut = Cut.NONE
    whole_units: int | None = None
    """How large the whole was by the record, in UTF-16 units; None where it does not say."""


@frozen(kw_only=True)
class Boundary:
    """A compaction."""

    trigger: str | None
    tokens_before: int | None
    """The use at which it began, as the client recorded it. Spec: CMP-150."""


@frozen(kw_only=True)
class Step:
    """A row of the conversation."""

    line: int
    """Where it stands in the file, counted from 1."""
    pieces: tuple[Piece, ...] = ()
    boundary: Boundary | None = None
    response: int | None = None
    """Which of the responses it is a part of; None: of none."""
    is_api_error: bool = False
    """Whether the client wrote it in the place of an answer. Spec: EST-019."""
    is_prompt: bool = False
    """Whether a person wrote it."""
    is_summary: bool = False
    is_kept: bool = False
    """Whether it stood above the last boundary already, and was kept. Spec: CMP-154."""


@frozen(kw_only=True)
class Response:
    """One answer of the model, over all its rows. Spec: EST-013, EST-017."""

    line: int
    """Of its first row."""
    start: int
    """Index of the step with its first row."""
    sent: int
    """What the request held by its usage, in tokens; 0: it recorded none. Spec: EST-014."""
    output: int
    """The largest output that a row of it recorded, in tokens."""

    @property
    def total(self) -> int:
        """What the next request holds at least."""
        return self.sent + self.output


@frozen(kw_only=True)
class Problem:
    """Something of the file that could not be taken as it stands."""

    line: int
    reason: str


@frozen(kw_only=True)
class Recording:
    """A session or a request."""

    name: str
    model: str | None
    steps: tuple[Step, ...]
    responses: tuple[Response, ...] = ()
    """In the order of their first steps."""
    problems: tuple[Problem, ...] = ()
    uncounted: Mapping[str, int] = field(factory=dict)
    """Attachments of which the record does not say how they were shown, by kind."""
    has_restored_rows: bool = False
    """Whether the record lists what a compaction put back at all."""

    def boundaries(self) -> Iterator[int]:
        """Indices of the steps that are compactions."""
        return (index for index, step in enumerate(self.steps) if step.boundary is not None)

    def pieces(self, start: int, end: int) -> Iterator[tuple[Step, Piece]]:
        """The pieces of some steps, each with its step."""
        for step in self.steps[start:end]:
            for piece in step.pieces:
                yield step, piece
