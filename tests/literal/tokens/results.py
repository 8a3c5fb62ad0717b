"""Media of a request, and results that hold nothing."""

from typing import Any

from tests.literal.tokens.request import Message, Report
from tests.literal.tokens.rows import read_id

MOST_MEDIA = 100
"""Images and documents of one request. [MSG-005]"""

MOST_LEVELS = 200
"""Results inside results are looked into as far as EST-027 allows. [MSG-005]"""

MEDIA = ("image", "document")
"""Types of media."""

# [MEM-071]
SPACE = "".join(map(chr, [*range(0x09, 0x0E), 0x20, 0xA0, 0x1680, *range(0x2000, 0x200B)])) + (
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""White space."""


def has_type(block: Any, *kinds: str) -> bool:
    """Whether it is a block of one of these types."""
    return isinstance(block, dict) and isinstance(block.get("type"), str) and block["type"] in kinds


def inner(block: Any, level: int) -> list[Any]:
    """The list of content of a result, if it may be looked into. Spec: MSG-005, EST-027."""
    if has_type(block, "tool_result") and isinstance(block.get("content"), list) and level + 2 <= MOST_LEVELS:
        content: list[Any] = block["content"]
        return content
    return []


def count_media(block: Any, level: int) -> int:
    """Media in a block that stands on this level, itself included. Spec: MSG-005."""
    if has_type(block, *MEDIA):
        return 1
    return sum(count_media(item, level + 2) for item in inner(block, level))


def limit_media(messages: list[Message], report: Report) -> None:
    """Remove the oldest media above the limit. Spec: MSG-005."""
    blocks = [block for message in messages for block in message.blocks]
    surplus = sum(count_media(block.value, 1) for block in blocks) - MOST_MEDIA
    for message in messages:
        kept = []
        for block in message.blocks:
            if surplus > 0 and has_type(block.value, *MEDIA):
                surplus -= 1
                report.add("media-cap", block.row)
                continue
            removed = remove_media(block.value, 1, surplus)
            surplus -= removed
            for _ in range(removed):
                report.add("media-cap", block.row)
            kept.append(block)
        message.blocks = kept


def remove_media(block: Any, level: int, surplus: int) -> int:
    """Take media out of a result, the first ones first; how many. Spec: MSG-005."""
    removed = 0
    kept = []
    items = inner(block, level)
    for item in items:
        if removed < surplus and has_type(item, *MEDIA):
            removed += 1
            continue
        removed += remove_media(item, level + 2, surplus - removed)
        kept.append(item)
    items[:] = kept
    return removed


def is_blank(text: Any) -> bool:
    """Whether a text is missing or holds nothing but white space. Spec: MSG-020, MEM-071."""
    return text is None or (isinstance(text, str) and text.strip(SPACE) == "")


def is_nothing(content: Any) -> bool:
    """Whether the content of a result holds nothing. Spec: MSG-020."""
    if isinstance(content, list):
        return all(has_type(item, "text") and is_blank(item.get("text")) for item in content)
    return is_blank(content)


def fill_results(messages: list[Message], report: Report) -> None:
    """Give empty results a short text. Spec: MSG-020."""
    for message in messages:
        for block in message.blocks:
            if has_type(block.value, "tool_result") and is_nothing(block.value.get("content")):
                block.value["content"] = "The tool completed without output."
                report.add("empty-result", block.row, read_id(block.value["tool_use_id"]))
