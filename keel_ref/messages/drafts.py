"""Messages under construction: blocks that know their row, and the steps that make them from rows. Spec: MSG-007."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import define, frozen

from keel_ref.messages.rows import (
    COUNTED,
    SILENT,
    Reported,
    Role,
    RowReason,
    as_list,
    as_object,
    content_of,
    response_id,
    role_of,
    type_of,
)

Block = Mapping[str, Any]


@frozen
class Placed:
    """A block, and the row that it comes from."""

    block: Block
    row: int

    @property
    def kind(self) -> str:
        """The type of the block."""
        return str(self.block["type"])


@frozen
class SentRow:
    """A row that is sent."""

    index: int
    role: Role
    row: Mapping[str, Any]

    @property
    def has_results(self) -> bool:
        """Whether it is a user row with at least one result."""
        blocks = as_list(content_of(self.row)) or ()
        return self.role is Role.USER and any(type_of(block) == "tool_result" for block in blocks)


@define
class Draft:
    """A message under construction."""

    role: Role
    """`user` or `assistant`."""
    blocks: list[Placed]
    response: str | None = None
    """The response id of an assistant message."""
    is_transparent: bool = False
    """Whether two parts of one response may stand around it: an attachment, or results alone."""


def sent_rows(rows: Sequence[Any], view: int, reported: list[Reported]) -> Iterator[SentRow]:
    """The rows of the view that are sent, in order. Spec: MSG-001, MSG-002."""
    for index in range(view, len(rows)):
        found = as_object(rows[index])
        if found is None:
            reported.append(Reported(reason=RowReason.BAD_ROW, row=index))
            continue
        role = role_of(found)
        if role in COUNTED:
            yield SentRow(index, role, found)
        elif role not in SILENT:
            reported.append(Reported(reason=RowReason.UNKNOWN_ROLE, row=index))


def attachments_moved(rows: Iterable[SentRow]) -> list[SentRow]:
    """The rows with each attachment directly behind the step that caused it. Spec: MSG-004."""
    front: list[SentRow] = []
    others: list[list[SentRow]] = []
    place = front
    for row in rows:
        if row.role is Role.ATTACHMENT:
            place.append(row)  # [MSG-004] several that come to one place keep their order
            continue
        others.append([row])
        if row.role is Role.ASSISTANT or row.has_results:
            place = others[-1]
    return [*front, *(row for group in others for row in group)]


def drafts_of(rows: Iterable[SentRow], reported: list[Reported]) -> list[Draft]:
    """One draft for each row that has a block left. Spec: MSG-007, step 4."""
    drafts = []
    for row in rows:
        blocks = list(_blocks(row, reported))
        if not blocks:
            continue
        is_assistant = row.role is Role.ASSISTANT
        only_results = row.role is Role.USER and all(placed.kind == "tool_result" for placed in blocks)
        drafts.append(
            Draft(
                role=Role.ASSISTANT if is_assistant else Role.USER,
                blocks=blocks,
                response=response_id(row.row) if is_assistant else None,
                is_transparent=only_results or row.role is Role.ATTACHMENT,
            )
        )
    return drafts


def responses_joined(drafts: Iterable[Draft]) -> list[Draft]:
    """Fragments of one response become one message, also over the results of its calls. Spec: MSG-007, step 5."""
    joined: list[Draft] = []
    last: Draft | None = None
    for draft in drafts:
        if draft.role is Role.ASSISTANT:
            if last is not None and draft.response is not None and draft.response == last.response:
                last.blocks.extend(draft.blocks)
                continue
            last = draft
        elif not draft.is_transparent:
            last = None  # [MSG-007] what a person wrote in between ends the response
        joined.append(draft)
    return neighbours_joined(joined)


def neighbours_joined(drafts: Iterable[Draft]) -> list[Draft]:
    """Neighbouring messages of one role become one, blocks in order; one without a block goes. Spec: MSG-007."""
    joined: list[Draft] = []
    for draft in drafts:
        if not draft.blocks:
            continue
        if joined and joined[-1].role is draft.role:
            joined[-1].blocks.extend(draft.blocks)
        else:
            joined.append(draft)
    return joined


def _blocks(row: SentRow, reported: list[Reported]) -> Iterator[Placed]:
    """The blocks of a row that a request may hold. Spec: MSG-007, step 4."""
    content = content_of(row.row)
    if isinstance(content, str) and content:
        yield Placed({"type": "text", "text": content}, row.index)
        return
    blocks = as_list(content)
    if content is None or content == "" or (blocks is not None and not blocks):
        reported.append(Reported(reason=RowReason.EMPTY, row=row.index))
        return
    if blocks is None:
        reported.append(Reported(reason=RowReason.BAD_CONTENT, row=row.index))
        return
    for item in blocks:
        block = as_object(item)
        problem = RowReason.BAD_BLOCK if block is None else _problem(block, row.role)
        if block is None or problem is not None:
            named = None if block is None else paired_id(block)
            reported.append(Reported(reason=problem or RowReason.BAD_BLOCK, row=row.index, id=named))
        else:
            yield Placed(block, row.index)


def paired_id(block: Block) -> str | None:
    """The id by which a call or a result finds its partner; what is empty or no text is none. Spec: MSG-007."""
    key = {"tool_use": "id", "tool_result": "tool_use_id"}.get(str(block.get("type")), "")
    name = block.get(key)
    return name if isinstance(name, str) and name else None


def _problem(block: Block, role: Role) -> RowReason | None:
    """Why no request may hold the block at this place. Spec: MSG-007, step 4."""
    match block.get("type"):
        case "text":
            text = block.get("text")
            if text is None or text == "":
                return RowReason.EMPTY
            return None if isinstance(text, str) else RowReason.BAD_BLOCK
        case "tool_use":
            return None if role is Role.ASSISTANT and paired_id(block) is not None else RowReason.BAD_BLOCK
        case "tool_result":
            return None if role is Role.USER else RowReason.BAD_BLOCK
        case str():
            return None
        case _:
            return RowReason.BAD_BLOCK
