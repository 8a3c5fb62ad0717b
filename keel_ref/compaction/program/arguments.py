"""Arguments of the steps of a program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from keel_ref.errors import InvalidArgumentError

LARGEST: Final = 2_000_000
"""The largest number of tokens of one step."""
LARGEST_TIME: Final = 2**53 - 1
"""The largest time, and the largest usage."""

Args = Mapping[str, Any]


def read_whole(args: Args, name: str, *, default: int | None = None) -> int:
    """A whole number of tokens, or the number of a pair. Raises `InvalidArgumentError`."""
    value = args.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST:
        problem = "is missing" if name not in args else f"{value!r} is no whole number from 0 to {LARGEST}"
        raise InvalidArgumentError(name, problem)
    return value


def read_optional_whole(args: Args, name: str) -> int | None:
    """A time or a usage; None where it is missing. Raises `InvalidArgumentError`."""
    value = args.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_TIME:
        raise InvalidArgumentError(name, f"{value!r} is no whole number of at least 0")
    return value


def read_text(args: Args, name: str, *, default: str | None = None) -> str:
    """A text that is not empty. Raises `InvalidArgumentError`."""
    value = args.get(name, default)
    if not isinstance(value, str) or not value:
        problem = "is missing" if name not in args else f"{value!r} is no text"
        raise InvalidArgumentError(name, problem)
    return value


def read_name(args: Args, name: str, *, default: str, longest: int) -> str:
    """A short text of ASCII characters. Raises `InvalidArgumentError`."""
    value = read_text(args, name, default=default)
    if len(value) > longest or not value.isascii() or not value.isalnum():
        raise InvalidArgumentError(name, f"{value!r} is no name of at most {longest} ASCII letters and digits")
    return value


def read_list(args: Args, name: str) -> list[Any]:
    """A list; empty where it is missing. Raises `InvalidArgumentError`."""
    value = args.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise InvalidArgumentError(name, f"{value!r} is no list")
    return value
