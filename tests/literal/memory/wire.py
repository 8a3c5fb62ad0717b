"""Paths and texts on the wire."""

import base64
import binascii
from typing import Any

from tests.literal.memory.errors import LiteralError


def read_base64(value: Any, kind: str) -> bytes:
    """Bytes that travel in base 64."""
    if not isinstance(value, str):
        raise LiteralError(kind, "b64 is no text")
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise LiteralError(kind, "b64 is no base 64") from None


def read_path(value: Any, kind: str) -> str:
    """A path as text, with a surrogate for each byte that is not UTF-8."""
    if isinstance(value, dict) and set(value) == {"b64"}:
        return read_base64(value["b64"], kind).decode("utf-8", "surrogateescape")
    if not isinstance(value, str):
        raise LiteralError(kind, "a path is no text")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise LiteralError(kind, "a path has a lone surrogate") from None
    return value


def show_path(text: str) -> str | dict[str, str]:
    """A path as it travels: as text, or as bytes if it is not UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return {"b64": base64.b64encode(text.encode("utf-8", "surrogateescape")).decode("ascii")}
    return text


def bytes_of_name(name: str) -> bytes:
    """The bytes by which names are ordered. Spec: MEM-031."""
    return name.encode("utf-8", "surrogateescape")
