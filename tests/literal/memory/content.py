"""From the bytes of a file to the text that is sent."""

from enum import Enum

import attrs

from tests.literal.memory.comments import remove_comments
from tests.literal.memory.frontmatter import split_frontmatter
from tests.literal.memory.space import BYTE_ORDER_MARK, trim

MAX_MEMORY_LINES = 200
"""Lines of an attached text that are kept. [MEM-145]"""

MAX_MEMORY_BYTES = 4_096
"""Bytes of an attached text that are kept. [MEM-145]"""


class Moment(Enum):
    """When memory is given."""

    START = "start"
    ON_DEMAND = "on demand"


@attrs.frozen
class Content:
    """What a file holds."""

    decoded: str
    """All of it."""
    block: str | None
    """Frontmatter, if there is some."""
    text: str
    """What is sent."""


def read_content(data: bytes, moment: Moment, byte_order_mark: str) -> Content:
    """The text of a file. Spec: MEM-100, MEM-101, MEM-106, MEM-144."""
    decoded = data.decode("utf-8", "replace")  # [MEM-106]
    text = decoded
    if byte_order_mark == "ignored":
        text = text.removeprefix(BYTE_ORDER_MARK)  # [MEM-101]
    block, text = split_frontmatter(text)  # [MEM-040]
    text = remove_comments(text)  # [MEM-102]
    if moment is Moment.START:
        text = trim(text)  # [MEM-100]
    return Content(decoded, block, text)


def cut_attached(text: str) -> str:
    """An attached text within the limits of a surfaced memory. Spec: MEM-145."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()  # a final LF begins no further line
    if len(lines) > MAX_MEMORY_LINES:
        text = "\n".join(lines[:MAX_MEMORY_LINES])
    data = text.encode("utf-8")
    return text if len(data) <= MAX_MEMORY_BYTES else data[:MAX_MEMORY_BYTES].decode("utf-8", "ignore")
