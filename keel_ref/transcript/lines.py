"""One line of a session file: the object that it says, or why it says none. Spec: TRN-002, EST-033."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NoReturn

import orjson

from keel_ref.constants import DEFAULT
from keel_ref.tokens.transcript import BLANKS, parse_line
from keel_ref.transcript.log import Reason

_BRACKETS: Final = (b"{", b"[")
_SPACES: Final = " \t\r\n"


def read_line(line: bytes) -> Mapping[str, Any] | Reason | None:
    """The object of a line, with or without its LF; why it is none; None for a blank line. Spec: TRN-002."""
    body = line.removesuffix(b"\n")
    if len(body) > DEFAULT.line_cap_bytes:
        return Reason.LONG_LINE  # [TRN-002]
    if not body.strip(BLANKS):
        return None
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return parse_line(body) or _why(body, is_ended=len(body) < len(line))  # a lone surrogate is no JSON to it
    if sum(body.count(bracket) for bracket in _BRACKETS) > DEFAULT.nesting_cap_levels and _is_deep(value):
        return Reason.DEEP_LINE  # [TRN-002]
    return value if isinstance(value, dict) else Reason.NOT_AN_OBJECT


def _why(body: bytes, *, is_ended: bool) -> Reason:
    """What is wrong with a line that says no object."""
    try:
        text = body.decode("utf-8").strip(_SPACES)
        value, end = _DECODER.raw_decode(text)
    except RecursionError:
        return Reason.DEEP_LINE
    except ValueError:
        return Reason.BROKEN_LINE if is_ended else Reason.INCOMPLETE_LINE  # [TRN-002] it may still be written
    rest = text[end:].lstrip(_SPACES)
    if not rest:
        return Reason.DEEP_LINE if _is_deep(value) else Reason.NOT_AN_OBJECT
    is_joined = isinstance(value, dict) and rest.startswith("{")
    return Reason.JOINED_LINES if is_joined else Reason.BROKEN_LINE


def _refuse(word: str) -> NoReturn:
    raise ValueError(word)  # NaN and the infinities are no JSON


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse)


def _is_deep(value: object) -> bool:
    """Whether objects and lists stand inside one another more than the bound allows."""
    level, held = 0, [value]
    while held:
        level += 1
        if level > DEFAULT.nesting_cap_levels:
            return True
        below: list[object] = []
        for one in held:
            if isinstance(one, dict):
                below += [part for part in one.values() if isinstance(part, dict | list)]
            elif isinstance(one, list):
                below += [part for part in one if isinstance(part, dict | list)]
        held = below
    return False
