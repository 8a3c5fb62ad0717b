"""What a row is, and where the view begins."""

from typing import Any

from tests.literal.memory.errors import LiteralError

INVALID = "invalid_argument"
"""The kind of error of a bad argument."""

COUNTED = ("user", "assistant", "attachment")
"""Roles whose content counts. [EST-012]"""

SILENT = ("system", "progress")
"""Roles that are neither counted nor sent. [EST-012] [MSG-001]"""


def read_rows(args: dict[str, Any]) -> list[Any]:
    """The argument `messages`. Raises LiteralError. Spec: MSG-001, EST-026."""
    messages = args.get("messages")
    if not isinstance(messages, list):
        raise LiteralError(INVALID, "messages is no list")
    return messages


def get_role(row: Any) -> str | None:
    """The role of a row, if it is a text. Spec: MSG-001."""
    role = row.get("role") if isinstance(row, dict) else None
    return role if isinstance(role, str) else None


def is_assistant(row: Any) -> bool:
    """Whether it is an assistant row, error rows and kept rows included. Spec: MSG-001."""
    return get_role(row) == "assistant"


def get_content(row: dict[str, Any]) -> Any:
    """The content; `text` stands for it where it is missing. Spec: MSG-001."""
    content = row.get("content")
    return row.get("text") if content is None else content


def get_response_id(row: dict[str, Any]) -> str | None:
    """The response id: a string that is not empty, or none. Spec: MSG-001, EST-017."""
    return read_id(row.get("id"))


def read_id(value: Any) -> str | None:
    """An id, or none. Spec: MSG-001, MSG-007."""
    return value if isinstance(value, str) and value != "" else None


def is_boundary(row: Any) -> bool:
    """Whether it is the row that a compaction leaves behind. Spec: MSG-002."""
    return get_role(row) == "system" and row.get("subtype") == "compact_boundary"  # [MSG-002]


def find_view(rows: list[Any]) -> int:
    """Index of the first row of the view. Spec: MSG-002."""
    found = 0
    for index, row in enumerate(rows):
        if is_boundary(row):
            found = index  # [MSG-002] the last one wins, and belongs to the view
    return found
