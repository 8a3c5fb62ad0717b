"""The pieces of one row, measured, without their texts. Spec: CTX-106, EST-012."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any, Final

from attrs import define, field

from keel_ref.audit.notices import cut_of, is_stub, text_of
from keel_ref.audit.recording import Kind, Piece
from keel_ref.context import message_parts
from keel_ref.context.message_parts import Part, pieces_of
from keel_ref.messages.rows import as_list, as_object, content_of, has_mark
from keel_ref.text import size_utf16
from keel_ref.tokens.blocks import RowCounter
from keel_ref.tokens.measures import RoughMeasure
from keel_ref.tokens.serialise import serialised

NO_TOOL: Final = "an unknown tool"
WORDS: Final = {Part.USER: "the user's words", Part.ASSISTANT: "the model's words"}
ATTACHED: Final = {
    "file": "files attached",
    "file_reference": "files named",
    "instructions": "memory files",
    "nested_memory": "memory files",
    "skill_listing": "the list of skills",
}
"""In words, kinds of attachments that people know under another name."""
DIGEST_BYTES: Final = 8
PATH_KEYS: Final = ("file_path", "notebook_path", "path")
"""Arguments of tools that name a file."""


@define
class Meter:
    """Measures rows in the order of the conversation, and remembers the calls."""

    measure: RoughMeasure = field(factory=RoughMeasure)
    counter: RowCounter = field(init=False)
    calls: dict[str, Piece] = field(factory=dict)
    inputs: dict[str, Mapping[str, Any]] = field(factory=dict)
    """Of each call, its limit and offset, by its id."""

    def __attrs_post_init__(self) -> None:
        self.counter = RowCounter(self.measure)

    def pieces(self, index: int, row: Mapping[str, Any], record: object = None) -> Iterator[Piece]:
        """The pieces of a row; `record` is what the client kept of its results beside what it sent.

        Raises `NotSerialisableError` for a row that no request can hold. Spec: CTX-106.
        """
        blocks = as_list(content_of(row))
        for place, part in enumerate(pieces_of(self.counter, index, row)):
            held = {} if blocks is None or place >= len(blocks) else as_object(blocks[place]) or {}
            match part.part:
                case Part.TOOL_CALL:
                    yield self._call(part, held)
                case Part.TOOL_RESULT:
                    yield self._result(part, held, record)
                case Part.ATTACHMENT:
                    yield _attached(part, row)
                case _ if has_mark(row, "summary"):
                    yield Piece(kind=Kind.SUMMARY, source="summaries", tokens=part.tokens)
                case _:
                    kind = Kind.USER if part.part is Part.USER else Kind.ASSISTANT
                    yield Piece(kind=kind, source=_source(part.part, held), tokens=part.tokens)

    def fixed(self, source: str, text: str) -> Piece:
        """A text that comes with every request. Spec: CTX-101."""
        return Piece(kind=Kind.FIXED, source=source, tokens=self.measure.text(text))

    def _call(self, part: message_parts.Piece, block: Mapping[str, Any]) -> Piece:
        given = as_object(block.get("input")) or {}
        tool = part.name or NO_TOOL
        path = next((given[key] for key in PATH_KEYS if isinstance(given.get(key), str)), None)
        made = Piece(
            kind=Kind.CALL,
            source=f"calls of {tool}",
            tokens=part.tokens,
            tool=tool,
            id=part.id,
            path=path,
            digest=_digest(f"{tool}\0{serialised(given, 1)}"),
        )
        if part.id is not None:
            self.calls[part.id] = made  # ids may start anew in one file; a result answers the call before it
            self.inputs[part.id] = {key: given.get(key) for key in ("limit", "offset")}
        return made

    def _result(self, part: message_parts.Piece, block: Mapping[str, Any], record: object) -> Piece:
        text, is_text_alone = text_of(block.get("content"))
        call = self.calls.get(part.id or "")
        tool = NO_TOOL if call is None else call.tool or NO_TOOL
        cut, whole = cut_of(text, record, self.inputs.get(part.id or "", {}))
        return Piece(
            kind=Kind.RESULT,
            source=f"results of {tool}",
            tokens=part.tokens,
            units=size_utf16(text),
            tool=None if call is None else tool,
            id=part.id,
            path=None if call is None else call.path,
            digest=None if call is None else call.digest,
            is_error=block.get("is_error") is True,
            is_text_alone=is_text_alone,
            is_stub=is_stub(record),
            cut=cut,
            whole_units=whole,
        )


def _source(part: Part, block: Mapping[str, Any]) -> str:
    match block.get("type"):
        case "thinking" | "redacted_thinking":
            return "the model's thinking"
        case "image" | "document":
            return "images and documents"
        case _:
            return WORDS.get(part, "other")


def _attached(part: message_parts.Piece, row: Mapping[str, Any]) -> Piece:
    kind, path = row.get("attachment"), row.get("path")
    name = kind if isinstance(kind, str) else "unknown"
    return Piece(
        kind=Kind.ATTACHMENT,
        source=ATTACHED.get(name, f"attachments ({name})"),
        tokens=part.tokens,
        tool=name,
        path=path if isinstance(path, str) else None,
    )


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).hexdigest()
