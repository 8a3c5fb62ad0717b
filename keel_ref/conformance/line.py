"""One line of the wire: UTF-8, one JSON object, whole numbers only, of bounded size and depth. Spec: protocol.md."""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from typing import Any, Final, NoReturn, cast

from keel_ref.errors import KeelError

MAX_LINE_BYTES: Final = 8 * 1024 * 1024
"""The longest line that either side may send, its line end not counted."""
MAX_INTEGER: Final = 2**53 - 1
"""The largest number that every language reads exactly; larger ones travel as decimal text."""
MAX_DEPTH: Final = 100
"""Objects and lists that may stand inside one another."""

_MAX_DIGITS = len(str(MAX_INTEGER))
_ESCAPED = re.compile("[\x80-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ud800-\udfff]")
"""Characters that some reader takes for a line end or swallows, and surrogates, which UTF-8 cannot hold."""


class WireError(KeelError):
    """A line is no message of the wire; `str()` says what is wrong with it."""

    code = "malformed_request"

    def __init__(self, problem: str, *, place: str = "") -> None:
        """Say what is wrong in words that are the same each time, and where."""
        super().__init__(f"{problem} ({place})" if place else problem)
        self.problem = problem


def encode_line(message: Mapping[str, Any]) -> bytes:
    """The line of a message, its line end included. Raises `WireError` for what the wire cannot carry."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    if not text.isascii():
        text = _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    line = text.encode()
    if len(line) > MAX_LINE_BYTES:
        raise WireError(f"the line holds {len(line)} bytes, more than {MAX_LINE_BYTES}")
    _check_values(message)
    return line + b"\n"


def decode_line(line: bytes) -> dict[str, Any]:
    """The message of a line, with or without its line end. Raises `WireError` saying why it is none."""
    line = line.removesuffix(b"\n")
    if len(line) > MAX_LINE_BYTES:
        raise WireError(f"the line holds more than {MAX_LINE_BYTES} bytes")
    if line.startswith(b"\xef\xbb\xbf"):
        raise WireError("the line begins with a byte order mark")
    try:
        message = json.loads(
            line.decode(), parse_int=_whole_number, parse_float=_refuse_number, parse_constant=_refuse_number
        )
    except UnicodeDecodeError as error:
        raise WireError("not UTF-8", place=f"byte {error.start + 1}") from error
    except json.JSONDecodeError as error:
        raise WireError("not JSON", place=f"{error.msg} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise WireError(f"nested deeper than {MAX_DEPTH} levels") from error
    if not isinstance(message, dict):
        raise WireError("JSON, but not an object")
    if line.count(b"[") + line.count(b"{") > MAX_DEPTH:
        _check_values(message)
    return cast(dict[str, Any], message)


def _whole_number(digits: str) -> int:
    if len(digits.lstrip("-")) > _MAX_DIGITS or abs(int(digits)) > MAX_INTEGER:
        raise WireError(f"the number {digits[:40]} is beyond 2^53-1; write it as text")
    return int(digits)


def _refuse_number(digits: str) -> NoReturn:
    raise WireError(f"the number {digits[:40]} is not whole; write a ratio as [num, den]")


def _check_values(message: object) -> None:
    """Refuse what would not come back as it was sent: fractions, huge numbers, bottomless nesting."""
    level: list[object] = [message]
    depth = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise WireError(f"nested deeper than {MAX_DEPTH} levels")
        inner: list[object] = []
        for container in level:
            inner.extend(container.values() if isinstance(container, Mapping) else cast(list[object], container))
        for value in inner:
            _check_number(value)
        level = [value for value in inner if isinstance(value, Mapping | list | tuple)]


def _check_number(value: object) -> None:
    """Refuse a number that would not come back as it was sent."""
    if isinstance(value, float):
        _refuse_number(str(value))
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        raise WireError(f"the number {value} is beyond 2^53-1; write it as text")


def number_to_wire(number: int) -> int | str:
    """A whole number as the wire writes it: as decimal text where it is beyond 2^53-1."""
    return number if abs(number) <= MAX_INTEGER else str(number)


def path_to_wire(path: str) -> str | dict[str, str]:
    """A path as the wire writes it: text, or its bytes where it carries stray bytes as U+DC80 to U+DCFF."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return {"b64": base64.b64encode(path.encode("utf-8", "surrogateescape")).decode()}
    return path


def path_from_wire(value: object) -> str:
    """A path from the wire; bytes that are not UTF-8 become U+DC80 to U+DCFF. Raises `WireError`."""
    if isinstance(value, str):
        return value
    return bytes_from_wire(value).decode("utf-8", "surrogateescape")


def bytes_from_wire(value: object) -> bytes:
    """The bytes of `{"b64": …}`. Raises `WireError`."""
    if not isinstance(value, Mapping) or not isinstance(value.get("b64"), str):
        raise WireError('bytes travel as {"b64": "…"}')
    try:
        return base64.b64decode(value["b64"], validate=True)
    except binascii.Error as error:
        raise WireError(f"not base64: {error}") from error


_ABSENT: Final = object()


def take_field(message: Mapping[str, Any], name: str, kind: type, default: object = _ABSENT) -> Any:
    """A field of a message, which must be of one kind. Raises `WireError`."""
    value = message.get(name, default)
    if value is _ABSENT:
        raise WireError(f"the field {name!r} is missing")
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise WireError(f"the field {name!r} is not {_KINDS[kind]}")
    return value


_KINDS: Final[Mapping[type, str]] = {int: "a whole number", str: "a text", list: "a list", dict: "an object"}
