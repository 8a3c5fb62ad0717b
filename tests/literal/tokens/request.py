"""Messages while they are put together."""

from typing import Any

import attrs


@attrs.define
class Block:
    """A block of content, and the row from which it comes."""

    row: int
    """Index of the row in the argument; of a stand-in that of the call."""
    value: dict[str, Any]
    """The block."""


@attrs.define
class Message:
    """A message of a request."""

    role: str
    """`user` or `assistant`."""
    blocks: list[Block]
    """Its content."""

    def show(self) -> dict[str, Any]:
        """The message as it travels."""
        return {"role": self.role, "content": [block.value for block in self.blocks]}


class Report:
    """What there is to report. Spec: MSG-007."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        """Entries, in the order in which they came up."""

    def add(self, reason: str, row: int, name: str | None = None) -> None:
        """Note a reason, with the id of a call or result where there is one."""
        self.rows.append({"reason": reason, "row": row} | ({} if name is None else {"id": name}))


def join_neighbours(messages: list[Message]) -> list[Message]:
    """Neighbouring messages of one role become one. Spec: MSG-007 (steps 5 and 10)."""
    joined: list[Message] = []
    for message in messages:
        if joined and joined[-1].role == message.role:
            joined[-1].blocks.extend(message.blocks)
        else:
            joined.append(message)
    return joined
