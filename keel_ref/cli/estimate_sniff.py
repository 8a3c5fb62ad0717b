"""Whether a file is a session file, judged by its beginning. Spec: EST-033."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from keel_ref.messages.rows import BOUNDARY_SUBTYPE
from keel_ref.tokens.transcript import BLANKS, parse_line

HEAD_LINES: Final = 20
"""How many of the first lines that are not blank are looked at."""
FIRST_TYPES: Final = frozenset({"file-history-snapshot", "queue-operation"})
"""Types of rows that stand in session files only, often as the first."""
_DECODER: Final = json.JSONDecoder()
_BLANK: Final = " \t\r\n"


def is_session(head: bytes, *, is_whole: bool = True) -> bool:
    """Whether one of the first lines is a row of a session file.

    Where the head is not the whole file, its last line is cut off somewhere, and is judged by what stands before that.
    """
    lines = head.split(b"\n")
    torn = b"" if is_whole else lines.pop()
    written = [line for line in lines if line.strip(BLANKS)][:HEAD_LINES]
    if any(_is_row(parse_line(line) or {}) for line in written):
        return True
    return len(written) < HEAD_LINES and _is_row(beginning_of_object(torn.decode("utf-8", "replace")))


def _is_row(row: Mapping[str, Any]) -> bool:
    match row.get("type"):
        case "user" | "assistant" if isinstance(row.get("message"), dict):
            return True
        case "system" if row.get("subtype") == BOUNDARY_SUBTYPE:
            return True
        case "summary" if isinstance(row.get("leafUuid"), str):
            return True
        case str(kind) if kind in FIRST_TYPES:
            return True
        case kind:
            has_message = isinstance(row.get("message"), dict)
            return isinstance(row.get("sessionId"), str) and (isinstance(kind, str) or (kind is None and has_message))


def beginning_of_object(text: str) -> Mapping[str, Any]:
    """The keys at the top of an object of JSON that is cut off somewhere, with their values.

    An object in the midst of which it ends is `{}`, a number is what stands there; any other value that is cut off is
    left out.
    """
    found: dict[str, Any] = {}
    place = _behind(text, 0, "{")
    while place is not None:
        try:
            key, place = _DECODER.raw_decode(text, _skipped(text, place))
            place = _behind(text, place, ":")
            if not isinstance(key, str) or place is None:
                break
            start = _skipped(text, place)
            if text[start : start + 1] == "{":
                found[key] = {}  # unless the whole of it is read
            found[key], place = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            break
        place = _behind(text, place, ",")
    return found


def _behind(text: str, place: int, sign: str) -> int | None:
    """The place behind a sign that comes next; None where another does."""
    place = _skipped(text, place)
    return place + 1 if text[place : place + 1] == sign else None


def _skipped(text: str, place: int) -> int:
    while text[place : place + 1] and text[place] in _BLANK:
        place += 1
    return place
