"""Arguments of a call that may be missing, and lists of one kind. What is null is missing."""

from __future__ import annotations

from collections.abc import Mapping

from keel_ref.conformance.arguments import Args, argument, list_argument
from keel_ref.errors import InvalidArgumentError


def given(args: Args) -> Args:
    """The arguments without those that are null, which are missing."""
    return {name: value for name, value in args.items() if value is not None}


def object_list(args: Args, name: str) -> list[Args]:
    """A list of objects, each without what is null in it; empty where it is left out."""
    found = list_argument(args, name)
    if not all(isinstance(one, Mapping) for one in found):
        raise InvalidArgumentError(name, "a list of objects")
    return [given(one) for one in found]


def text_list(args: Args, name: str) -> tuple[str, ...]:
    """A list of texts, empty where it is left out."""
    found = list_argument(args, name)
    if not all(isinstance(one, str) for one in found):
        raise InvalidArgumentError(name, "a list of texts")
    return tuple(found)


def optional_text(args: Args, name: str) -> str | None:
    """A text that may be missing."""
    return None if args.get(name) is None else argument(args, name, str, None)


def optional_whole(args: Args, name: str) -> int | None:
    """A whole number of at least 0 that may be missing."""
    value = args.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidArgumentError(name, f"{value!r} is no whole number of at least 0")
    return value
