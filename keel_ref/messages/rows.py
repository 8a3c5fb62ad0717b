"""What a row of a session's list says, whether it is a plain object or one of a client library. Spec: MSG-001, EST-034.

A row that somebody else wrote can hold anything. These functions never fail: what is not understood is None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from attrs import frozen

from keel_ref.errors import InvalidArgumentError

BOUNDARY_SUBTYPE: Final = "compact_boundary"


class Role(StrEnum):
    """Who a row is from. Spec: MSG-001."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    ATTACHMENT = "attachment"
    PROGRESS = "progress"


class RowReason(StrEnum):
    """Why something of a row is not taken as it stands, or was changed. Spec: the list `reported` of errors.json."""

    NO_TEXT = "no-text"
    BAD_CONTENT = "bad-content"
    BAD_BLOCK = "bad-block"
    BAD_ROW = "bad-row"
    UNKNOWN_ROLE = "unknown-role"
    BAD_USAGE = "bad-usage"
    EMPTY = "empty"
    ORPHAN_RESULT = "orphan-result"
    MISSING_RESULT = "missing-result"
    DUPLICATE_CALL = "duplicate-call"
    DUPLICATE_RESULT = "duplicate-result"
    PENDING_CALL = "pending-call"
    EMPTY_RESULT = "empty-result"
    MEDIA_CAP = "media-cap"


COUNTED: Final = frozenset({Role.USER, Role.ASSISTANT, Role.ATTACHMENT})
"""Roles whose content is sent, and so costs something. Spec: MSG-001, EST-012."""
SILENT: Final = frozenset({Role.SYSTEM, Role.PROGRESS})
"""Roles that are never sent."""


@frozen(kw_only=True)
class Reported:
    """One thing that was found in the list, and where."""

    reason: RowReason
    row: int | None = None
    """Index of the row in the argument."""
    block: int | None = None
    """Index of the block in the content of the row."""
    id: str | None = None
    """Id of the call that is concerned."""

    def as_object(self) -> dict[str, Any]:
        """The entry in the form of JSON; what it has not is left out. Spec: EST-026, MSG-007."""
        optional = {"row": self.row, "block": self.block, "id": self.id}
        return {"reason": str(self.reason), **{name: value for name, value in optional.items() if value is not None}}


def as_object(value: object) -> Mapping[str, Any] | None:
    """The object of JSON that the value is, or that a client library would send for it; None for anything else."""
    if isinstance(value, dict):
        return value
    fields_set = getattr(value, "__pydantic_fields_set__", None)
    if not isinstance(fields_set, set) or isinstance(value, type):
        return None
    # [EST-034] the declared fields that were set, in the order of the type, then what the object holds beyond them
    held: Mapping[str, Any] = getattr(value, "__dict__", {})
    declared = getattr(type(value), "__pydantic_fields__", {})
    extra = getattr(value, "__pydantic_extra__", None) or {}
    return {**{name: held[name] for name in declared if name in fields_set and name in held}, **extra}


def as_list(value: object) -> Sequence[Any] | None:
    """The list that the value is; a tuple is one too. Spec: EST-027."""
    return value if isinstance(value, list | tuple) else None


def rows_of(messages: object) -> Sequence[Any]:
    """The argument `messages`. Raises `InvalidArgumentError` for what is no list. Spec: MSG-001."""
    rows = as_list(messages)
    if rows is None:
        problem = f"a list of rows is expected, not {type(messages).__name__}"
        raise InvalidArgumentError("messages", problem)
    return rows


_ROLES: Final[Mapping[str, Role]] = MappingProxyType({str(role): role for role in Role})
"""Looked up for every row, every time a list is counted."""


def role_of(row: object) -> Role | None:
    """The role of a row; None for what is no row, or has none of the five. Spec: MSG-001."""
    found = as_object(row)
    role = None if found is None else found.get("role")
    return _ROLES.get(role) if isinstance(role, str) else None


def content_of(row: Mapping[str, Any]) -> Any:
    """The content of a row; `text` stands for it where it is missing. None: there is none. Spec: MSG-001."""
    content = row.get("content")
    return row.get("text") if content is None else content


def with_content(row: Mapping[str, Any], content: Any) -> dict[str, Any]:
    """The row with another content; a `text` that stood for the old one goes with it. Spec: MSG-001, CMP-036."""
    stood_for_it = row.get("content") is None and row.get("text") is not None
    return {**{key: value for key, value in row.items() if not (stood_for_it and key == "text")}, "content": content}


def response_id(row: object) -> str | None:
    """The response id of an assistant row; what is empty or no text is none. Spec: MSG-001, EST-028."""
    found = as_object(row)
    name = None if found is None else found.get("id")
    return name if isinstance(name, str) and name else None


def is_boundary(row: object) -> bool:
    """Whether a compaction left this row behind. Spec: MSG-002."""
    found = as_object(row)
    return found is not None and found.get("role") == Role.SYSTEM and found.get("subtype") == BOUNDARY_SUBTYPE


def has_mark(row: object, mark: str) -> bool:
    """Whether a mark of the row is true; only the value true is. Spec: MSG-001, EST-019, EST-020."""
    found = as_object(row)
    return found is not None and found.get(mark) is True


def type_of(block: object) -> str | None:
    """The type of a block; None for what is no block. Spec: EST-026."""
    found = as_object(block)
    kind = None if found is None else found.get("type")
    return kind if isinstance(kind, str) else None


def is_media(block: object) -> bool:
    """Whether the block is an image or a document. Spec: EST-011, MSG-005."""
    return type_of(block) in {"image", "document"}
