"""What stands in front of the conversation: instruction memory and the date. Spec: CTX-020 to CTX-023, CTX-086."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from keel_ref.context.system_context import ContextEntry
from keel_ref.errors import InvalidArgumentError

MEMORY_KEY: Final = "claudeMd"
DATE_KEY: Final = "currentDate"
META: Final = "is_meta"
TAG: Final = "system-reminder"
CLOSING: Final = "What stands above may have nothing to do with the task at hand; take it up only where it matters."
"""Our own words for the closing remark of CTX-020."""

_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def user_context(memory_text: str | None, date: str) -> tuple[ContextEntry, ...]:
    """The entries that there are; the date is always one, and the last. Spec: CTX-021, CTX-022, CTX-086.

    Raises `InvalidArgumentError` for what is no date.
    """
    if not _DATE.fullmatch(date):
        raise InvalidArgumentError("date", f"{date!r} is no date of the form YYYY-MM-DD")  # [CTX-022]
    memory = (ContextEntry(MEMORY_KEY, memory_text),) if memory_text else ()  # [CTX-021] [CTX-086] left out when empty
    return (*memory, ContextEntry(DATE_KEY, f"Today's date is {date}."))  # [CTX-021] [CTX-022]


def context_message(entries: Sequence[ContextEntry]) -> dict[str, Any]:
    """The one message that carries the entries. Spec: CTX-020."""
    sections = "\n\n".join(f"# {entry.key}\n{entry.value}" for entry in entries)
    text = f"<{TAG}>\nFor the questions that follow:\n\n{sections}\n\n{CLOSING}\n</{TAG}>\n"
    return {"role": "user", META: True, "content": text}  # [CTX-020]


def with_user_context(messages: Sequence[Any], entries: Sequence[ContextEntry]) -> tuple[Any, ...]:
    """What a call sends: the message in front, the rows as every layer left them. Spec: CTX-020, CTX-023."""
    return (context_message(entries), *messages)  # [CTX-023] made for the call, kept nowhere
