"""What an error of the package `anthropic` says: in one line for people, and by its kind for the turn machine."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

_LINE_CHARACTERS: Final = 200
"""A line or two of a terminal."""
_TOO_LARGE: Final = 413
_BAD_REQUEST: Final = 400
_TOO_LONG: Final = re.compile(r"prompt is too long|exceeds? (?:the )?(?:model's )?(?:maximum )?context", re.IGNORECASE)
_MEDIA: Final = re.compile(
    r"\b(?:image|document|pdf)s?\b.*\b(?:exceed|too large|too many|maximum)|maximum of [0-9,]+ (?:image|document|pdf)",
    re.IGNORECASE,
)


class Refused(StrEnum):
    """Why the provider refused a request, as far as it matters here."""

    TOO_LONG = "too-long"
    """The prompt does not fit the window."""
    TOO_LARGE = "too-large"
    """The bytes of the request, or its media, are above a limit."""
    OTHER = "other"
    """Anything else: who asks, how often, the connection, a fault of the server."""


def why_refused(error: object) -> Refused:
    """What kind of refusal an error is. Spec: CMP-092, CMP-170."""
    status = getattr(error, "status_code", None)
    if status == _TOO_LARGE:
        return Refused.TOO_LARGE
    if status == _BAD_REQUEST:
        text = message_of(error)
        if _TOO_LONG.search(text):
            return Refused.TOO_LONG
        if _MEDIA.search(text):
            return Refused.TOO_LARGE
    return Refused.OTHER


def message_of(error: object) -> str:
    """What the server says is wrong, whole; without a server, what the package says."""
    body = getattr(error, "body", None)
    detail = body.get("error") if isinstance(body, dict) else None
    said = detail.get("message") if isinstance(detail, dict) else None
    return said if isinstance(said, str) else str(error)


def described(error: object) -> str:
    """What went wrong, in one line; the package puts the whole answer of a server into its message."""
    status = getattr(error, "status_code", None)
    body = getattr(error, "body", None)
    detail = body.get("error") if isinstance(body, dict) else None
    said = detail.get("message") if isinstance(detail, dict) else None
    if isinstance(status, int):
        return f"the server answers {status}" + (f": {one_line(said)}" if isinstance(said, str) else "")
    return one_line(str(error)) or type(error).__name__


def one_line(text: str) -> str:
    """The text without line ends, and cut where it is very long."""
    words = " ".join(text.split())
    return words if len(words) <= _LINE_CHARACTERS else f"{words[:_LINE_CHARACTERS]}…"
