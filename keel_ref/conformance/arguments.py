"""Arguments of a call, read from the form of the wire."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from keel_ref.errors import InvalidArgumentError

T = TypeVar("T")
Args = Mapping[str, Any]


def argument(args: Args, name: str, kind: type[T], default: T | None) -> T:
    """An argument of the right type, or its default; without a default it has to be there."""
    value = args.get(name, default)
    if not isinstance(value, kind):
        problem = "is missing" if name not in args else f"is no {kind.__name__}"
        raise InvalidArgumentError(name, problem)
    return value


def list_argument(args: Args, name: str) -> Sequence[Any]:
    """A list, empty where it is left out."""
    return argument(args, name, list, [])


def text_or_bytes(args: Args) -> str | bytes:
    """The text of a call, given as `text`, or as bytes in `b64`."""
    if ("text" in args) == ("b64" in args):
        raise InvalidArgumentError("text", "give either text or b64")
    return argument(args, "text", str, None) if "text" in args else _bytes("b64", args["b64"])


def _bytes(name: str, value: object) -> bytes:
    try:
        return base64.b64decode(value if isinstance(value, str) else "", validate=True)
    except ValueError as error:
        raise InvalidArgumentError(name, f"is no base64 ({error})") from error
