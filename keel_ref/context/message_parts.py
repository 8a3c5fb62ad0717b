"""The messages, divided by what they are, and by tool. Spec: CTX-105, CTX-106."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from attrs import define, field, frozen

from keel_ref.choices import Choices
from keel_ref.context.holdings import MessageParts
from keel_ref.messages.rows import (
    SILENT,
    Reported,
    Role,
    as_list,
    as_object,
    content_of,
    role_of,
    rows_of,
    type_of,
    with_content,
)
from keel_ref.messages.view import view_start
from keel_ref.tokens.blocks import RowCounter
from keel_ref.tokens.measures import RoughMeasure


class Part(StrEnum):
    """What a piece of the messages is. Spec: CTX-106."""

    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    ATTACHMENT = "attachment"
    ASSISTANT = "assistant"
    USER = "user"


@frozen(kw_only=True)
class Piece:
    """A block of a row, or a row as a whole."""

    tokens: int
    """What it costs."""
    part: Part
    """What it is."""
    name: str | None = None
    """Of a call the tool, of an attachment its kind."""
    id: str | None = None
    """Of a call its id, of a result the id of its call."""


@frozen(kw_only=True)
class ToolShare:
    """What one tool has in the messages; amounts in tokens."""

    name: str | None
    """None for results whose call is not among the messages."""
    calls: int = 0
    call_tokens: int = 0
    results: int = 0
    result_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Calls and results."""
        return self.call_tokens + self.result_tokens


@frozen(kw_only=True)
class AttachmentShare:
    """What one kind of attachment has in the messages."""

    name: str
    count: int
    tokens: int


@define
class Breakdown:
    """Adds up pieces of messages as they come, by part, by tool and by kind of attachment."""

    tokens: dict[Part, int] = field(factory=lambda: dict.fromkeys(Part, 0))
    """By part."""
    _names: dict[str, str] = field(factory=dict)
    _calls: dict[str | None, list[int]] = field(factory=dict)
    _results: dict[str | None, list[int]] = field(factory=dict)
    _attachments: dict[str | None, list[int]] = field(factory=dict)

    def add(self, piece: Piece) -> None:
        """One piece. A result belongs to the tool of the call that came before it under its id."""
        self.tokens[piece.part] += piece.tokens
        match piece.part:
            case Part.TOOL_CALL:
                _add(self._calls, piece.name, piece.tokens)
                if piece.name is not None and piece.id is not None:
                    self._names[piece.id] = piece.name
            case Part.TOOL_RESULT:
                _add(self._results, None if piece.id is None else self._names.get(piece.id), piece.tokens)
            case Part.ATTACHMENT:
                _add(self._attachments, piece.name or "attachment", piece.tokens)
            case Part.ASSISTANT | Part.USER:
                pass

    def parts(self) -> MessageParts:
        """The five parts. Spec: CTX-106."""
        return MessageParts(**{str(part): tokens for part, tokens in self.tokens.items()})

    def tools(self) -> tuple[ToolShare, ...]:
        """By tool, the largest first, then by name."""
        shares = [self._tool(name) for name in {**self._calls, **self._results}]
        return tuple(sorted(shares, key=lambda share: (-share.tokens, share.name is None, share.name or "")))

    def attachments(self) -> tuple[AttachmentShare, ...]:
        """By kind, the largest first, then by name."""
        rows = [
            AttachmentShare(name=name or "", count=had[0], tokens=had[1]) for name, had in self._attachments.items()
        ]
        return tuple(sorted(rows, key=lambda row: (-row.tokens, row.name)))

    def _tool(self, name: str | None) -> ToolShare:
        calls, results = self._calls.get(name, [0, 0]), self._results.get(name, [0, 0])
        return ToolShare(name=name, calls=calls[0], call_tokens=calls[1], results=results[0], result_tokens=results[1])


def break_down(messages: Sequence[Any], *, choices: Choices | None = None) -> tuple[Breakdown, tuple[Reported, ...]]:
    """What the view of a list costs, by part, and what could not be taken as it stands. Spec: CTX-105, CTX-106.

    Nothing is cleared first, and nothing padded. Raises `InvalidArgumentError` if `messages` is no list,
    `NotSerialisableError` for a row that no request can hold.
    """
    rows = rows_of(messages)
    counter = RowCounter(RoughMeasure(choices or Choices()))
    found = Breakdown()
    for index in range(view_start(rows), len(rows)):  # [CTX-105] the view, as it stands
        for piece in pieces_of(counter, index, rows[index]):
            found.add(piece)
    return found, counter.sorted_reports()


def pieces_of(counter: RowCounter, index: int, row: object) -> Iterator[Piece]:
    """The pieces of the row at that index; what is wrong with it is reported to the counter. Spec: CTX-106.

    Raises `NotSerialisableError` for a row that no request can hold.
    """
    found, role = as_object(row), role_of(row)
    if role in SILENT:
        return
    own = _part_of(role)
    blocks = None if found is None or own is Part.ATTACHMENT else as_list(content_of(found))
    if found is None or blocks is None:
        yield Piece(tokens=counter.count(index, row), part=own, name=_text(found or {}, "kind"))
        return
    if role is None:
        counter.count(index, with_content(found, []))  # reports what is wrong with the row itself
    for place, block in enumerate(blocks):
        tokens, part = counter.count_block(index, place, block), _part_of_block(block, own)
        held = as_object(block) or {}
        key = "id" if part is Part.TOOL_CALL else "tool_use_id"
        yield Piece(tokens=tokens, part=part, name=_text(held, "name"), id=_text(held, key))


def _part_of(role: Role | None) -> Part:
    """The part of what is no call and no result. Spec: CTX-106."""
    match role:
        case Role.ATTACHMENT:
            return Part.ATTACHMENT
        case Role.ASSISTANT:
            return Part.ASSISTANT
        case _:
            return Part.USER  # [CTX-106] also of rows whose role nobody knows


def _part_of_block(block: object, own: Part) -> Part:
    """The part of a block in a row whose own part is known. Spec: CTX-106."""
    kind = f"_{type_of(block)}"
    if kind.endswith("_tool_use"):  # [CTX-106] tool_use, server_tool_use, mcp_tool_use
        return Part.TOOL_CALL
    return Part.TOOL_RESULT if kind.endswith("_tool_result") else own  # [CTX-106]


def _text(block: Mapping[str, Any], key: str) -> str | None:
    value = block.get(key)
    return value if isinstance(value, str) else None


def _add(shares: dict[Any, list[int]], name: str | None, tokens: int) -> None:
    had = shares.setdefault(name, [0, 0])
    had[0] += 1
    had[1] += tokens
