"""Arguments of the functions of this area, and what all of them share."""

from typing import Any

from tests.literal.memory.errors import LiteralError
from tests.literal.tokens.count import count_messages
from tests.literal.tokens.measure import Measure
from tests.literal.tokens.rows import get_content, get_role, read_id
from tests.literal.window.numbers import WHITE, is_whole

INVALID = "invalid_argument"
"""The kind of error of a bad argument."""

CLEARED = "[Old tool result content cleared]"
"""The text of a cleared result. [CMP-054]"""


class Decisions:
    """What a layer did, or did not do, about each thing. Spec: CMP-003."""

    def __init__(self, layer: str) -> None:
        self.layer = layer
        self.rows: list[dict[str, Any]] = []
        """Rows `{layer, why, row?, id?, path?, tokens?}`."""

    def add(self, why: str, **where: Any) -> None:
        """Note a reason, with what applies of row, id, path and tokens."""
        self.rows.append({"layer": self.layer, "why": why} | {k: v for k, v in where.items() if v is not None})


def read_count(args: dict[str, Any], name: str, default: int | None) -> int | None:
    """A whole number of at least 0. Raises LiteralError. Spec: introduction to CMP-110."""
    value = args.get(name)
    if value is None:
        return default
    if not is_whole(value) or value < 0:
        raise LiteralError(INVALID, name)
    return int(value)


def need_count(args: dict[str, Any], name: str, default: int | None = None) -> int:
    """A whole number of at least 0 that is there, or has a default. Raises LiteralError."""
    value = read_count(args, name, default)
    if value is None:
        raise LiteralError(INVALID, name)
    return value


def read_text(args: dict[str, Any], name: str) -> str | None:
    """A text, or none. Raises LiteralError."""
    value = args.get(name)
    if value is not None and not isinstance(value, str):
        raise LiteralError(INVALID, name)
    return value


def read_flag(args: dict[str, Any], name: str, *, default: bool = False) -> bool:
    """True or false. Raises LiteralError."""
    value = args.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise LiteralError(INVALID, name)
    return value


def read_list(args: dict[str, Any], name: str) -> list[Any]:
    """A list, empty where it is missing. Raises LiteralError."""
    value = args.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise LiteralError(INVALID, name)
    return value


def read_texts(args: dict[str, Any], name: str) -> list[str]:
    """A list of texts. Raises LiteralError."""
    value = read_list(args, name)
    if not all(isinstance(item, str) for item in value):
        raise LiteralError(INVALID, name)
    return value


def read_object(args: dict[str, Any], name: str) -> dict[str, Any] | None:
    """An object, or none. Raises LiteralError."""
    value = args.get(name)
    if value is not None and not isinstance(value, dict):
        raise LiteralError(INVALID, name)
    return value


def is_blank(text: str) -> bool:
    """Whether a text is white space alone, or nothing. Spec: MEM-071."""
    return text.strip(WHITE) == ""


def find_blocks(row: Any, kind: str, role: str | None) -> list[dict[str, Any]]:
    """The blocks of a type that stand directly in the content of a row of a role. Spec: CMP-020."""
    if not isinstance(row, dict) or (role is not None and get_role(row) != role):
        return []
    content = get_content(row)
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, dict) and block.get("type") == kind]


def find_calls(row: Any) -> list[dict[str, Any]]:
    """The calls with an id that stand directly in an assistant row. Spec: CMP-020."""
    return [call for call in find_blocks(row, "tool_use", "assistant") if read_id(call.get("id")) is not None]


def find_results(row: Any) -> list[dict[str, Any]]:
    """The results that stand directly in a user row. Spec: CMP-020."""
    return find_blocks(row, "tool_result", "user")


def put_content(row: dict[str, Any], content: Any) -> dict[str, Any]:
    """The row with another content under `content`; a `text` that stood for it is gone. Spec: CMP-036."""
    changed = row | {"content": content}
    if row.get("content") is None:
        changed.pop("text", None)
    return changed


def change_results(row: Any, contents: dict[int, Any]) -> Any:
    """The row with other contents of some of its results, numbered among its results."""
    if not contents:
        return row
    number = -1
    blocks = []
    for block in get_content(row):
        if isinstance(block, dict) and block.get("type") == "tool_result":
            number += 1
            blocks.append(block | {"content": contents[number]} if number in contents else block)
        else:
            blocks.append(block)
    return put_content(row, blocks)


def count_plain(rows: list[Any], choices: dict[str, str]) -> int:
    """The plain estimate of rows. Raises LiteralError. Spec: EST-012."""
    return int(count_messages(rows, Measure("documented", "any", choices), padded=False)["tokens"])


def count_padded(rows: list[Any], choices: dict[str, str]) -> int:
    """The padded estimate of rows. Raises LiteralError. Spec: EST-021."""
    return int(count_messages(rows, Measure("documented", "any", choices), padded=True)["tokens"])


def find_first_changed(before: list[Any], after: list[Any]) -> int | None:
    """Index of the first row that differs. Spec: CMP-036, CMP-058."""
    return next((index for index, row in enumerate(before) if row != after[index]), None)


def size_text(text: str, unit: str) -> int:
    """The size of a text in a unit. Spec: CMP-026."""
    if unit == "utf8":
        return len(text.encode("utf-8", "surrogatepass"))
    return sum(2 if character > "\uffff" else 1 for character in text)


def take_beginning(text: str, most: int, unit: str) -> str:
    """The longest beginning of at most a size; no character is split. Spec: CMP-025, CMP-116."""
    size = 0
    for index, character in enumerate(text):
        size += size_text(character, unit)
        if size > most:
            return text[:index]
    return text


def take_tokens(text: str, most: int, choices: dict[str, str]) -> str:
    """The longest beginning whose estimate at ratio 4 is at most that. Spec: CMP-116, CMP-119, CMP-138."""
    return take_beginning(text, 4 * most + 1, choices["tokens.unit"])  # (size + 2) // 4 <= most


def estimate_text(text: str, choices: dict[str, str]) -> int:
    """The estimate of a text at ratio 4. Spec: EST-001."""
    return (size_text(text, choices["tokens.unit"]) + 2) // 4
