"""A list made ready for a request: order, pairs, media, empty results."""

import copy
from typing import Any

import attrs

from tests.literal.memory.errors import LiteralError
from tests.literal.tokens.pairs import gather, keep_calls, keep_results
from tests.literal.tokens.request import Block, Message, Report, join_neighbours
from tests.literal.tokens.results import fill_results, limit_media
from tests.literal.tokens.rows import INVALID, SILENT, find_view, get_content, get_response_id, get_role, read_id

SENT = ("user", "assistant", "attachment")
"""Roles that are sent. [MSG-001]"""


@attrs.frozen
class Sent:
    """A row that is sent."""

    index: int
    """Index in the argument."""
    role: str
    """`user`, `assistant` or `attachment`."""
    row: dict[str, Any]
    """The row."""
    blocks: list[Block]
    """What step 4 has left of its content."""


def prepare(args: dict[str, Any], rows: list[Any]) -> dict[str, Any]:
    """The messages of a request. Raises LiteralError. Spec: MSG-001, MSG-003 to MSG-007, MSG-020."""
    pending = args.get("pending", [])
    if not isinstance(pending, list) or not all(isinstance(name, str) for name in pending):
        raise LiteralError(INVALID, "pending")  # [MSG-007]
    report = Report()
    sent = move_attachments(select(rows, report))
    for row in sent:
        row.blocks.extend(read_blocks(row, report))
    messages = join_neighbours(join_fragments([row for row in sent if row.blocks]))
    keep_calls(messages, report)
    keep_results(messages, report)
    messages = gather(messages, pending, report)
    limit_media(messages, report)
    fill_results(messages, report)
    messages = join_neighbours([message for message in messages if message.blocks])  # [MSG-007] step 10
    return {"messages": [message.show() for message in messages], "reported": report.rows}


def select(rows: list[Any], report: Report) -> list[Sent]:
    """Rows of the view that are sent. Spec: MSG-001, MSG-002."""
    found: list[Sent] = []
    start = find_view(rows)
    for index, row in list(enumerate(rows))[start:]:
        role = get_role(row)
        if not isinstance(row, dict):
            report.add("bad-row", index)
        elif role in SENT:
            found.append(Sent(index, role, row, []))
        elif role not in SILENT:
            report.add("unknown-role", index)
    return found


def move_attachments(sent: list[Sent]) -> list[Sent]:
    """Attachments directly behind the step that caused them. Spec: MSG-004."""
    front: list[Sent] = []
    # each other row, the attachments that belong directly behind it, whether it is a place
    groups: list[tuple[Sent, list[Sent], bool]] = []
    for row in sent:
        if row.role != "attachment":
            groups.append((row, [], is_place(row)))
            continue
        places = [behind for _, behind, takes in groups if takes]
        (places[-1] if places else front).append(row)  # [MSG-004]
    return [*front, *(row for group in groups for row in (group[0], *group[1]))]


def is_place(row: Sent) -> bool:
    """Whether attachments stop behind a row: an assistant row, or a user row with a result. Spec: MSG-004."""
    if row.role == "assistant":
        return True
    content = get_content(row.row)
    return isinstance(content, list) and any(
        isinstance(item, dict) and item.get("type") == "tool_result" for item in content
    )


def read_blocks(sent: Sent, report: Report) -> list[Block]:
    """What is left of the content of a row. Spec: MSG-007 (step 4)."""
    content = get_content(sent.row)
    if content is None or content in ("", []):
        report.add("empty", sent.index)
        return []
    if isinstance(content, str):
        return [Block(sent.index, {"type": "text", "text": content})]
    if not isinstance(content, list):
        report.add("bad-content", sent.index)
        return []
    kept: list[Block] = []
    for item in content:
        reason = find_fault(item, sent.role)
        if reason is None:
            kept.append(Block(sent.index, copy.deepcopy(item)))
        else:
            report.add(reason, sent.index, find_id(item))
    return kept


def find_id(item: Any) -> str | None:
    """The id of a call or result, if it has one. Spec: MSG-007."""
    keys = {"tool_use": "id", "tool_result": "tool_use_id"}
    kind = item.get("type") if isinstance(item, dict) else None
    return read_id(item.get(keys[kind])) if isinstance(kind, str) and kind in keys else None


def find_fault(item: Any, role: str) -> str | None:
    """Why an item of content is left out; none if it stays. Spec: MSG-007 (step 4)."""
    if not isinstance(item, dict) or not isinstance(item.get("type"), str):
        return "bad-block"
    match item["type"]:
        case "text":
            text = item.get("text")
            if text is None or text == "":
                return "empty"
            is_bad = not isinstance(text, str)
        case "tool_use":
            is_bad = role != "assistant" or read_id(item.get("id")) is None
        case "tool_result":
            is_bad = role != "user"
        case _:
            is_bad = False  # [MSG-007] passes, whatever its type
    return "bad-block" if is_bad else None


def join_fragments(sent: list[Sent]) -> list[Message]:
    """One message for each row, fragments of one response joined. Spec: MSG-007 (step 5)."""
    messages: list[Message] = []
    last: Sent | None = None
    home: Message | None = None
    is_clear = False
    for row in sent:
        if row.role != "assistant":
            is_results = all(block.value["type"] == "tool_result" for block in row.blocks)
            is_clear = is_clear and (row.role == "attachment" or is_results)
            messages.append(Message("user", list(row.blocks)))
            continue
        name = get_response_id(row.row)
        if is_clear and last is not None and home is not None and name and name == get_response_id(last.row):
            home.blocks.extend(row.blocks)  # [MSG-007] a part of the same answer
        else:
            home = Message("assistant", list(row.blocks))
            messages.append(home)
        last = row
        is_clear = True
    return messages
