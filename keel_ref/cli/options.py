"""Pieces of command lines that several verbs share."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import IO, TypeAlias

from keel_ref.conformance.exits import UsageError

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 (argparse has no public name for it)
"""Where a verb adds its parser."""


def parse_pairs(flag: str, pairs: Sequence[str]) -> dict[str, str]:
    """`NAME=VALUE` words as a map. Raises `UsageError`."""
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (name and equals):
            raise UsageError(f"{flag} {pair}: write NAME=VALUE")
        found[name] = value
    return found


def at_least(lowest: int) -> Callable[[str], int]:
    """An argparse type for whole numbers from a lowest one on."""

    def parse(text: str) -> int:
        try:
            number = int(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from error
        if number < lowest:
            raise argparse.ArgumentTypeError(f"{number} is less than {lowest}")
        return number

    return parse


def split_commas(texts: Sequence[str]) -> tuple[str, ...]:
    """Words of options that may be repeated, or written as one list with commas."""
    return tuple(part for text in texts for part in text.split(",") if part)


def is_terminal() -> bool:
    """Whether stdout is a terminal that wants colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def put(text: str, stream: IO[str]) -> None:
    """Write a text whose reader may have gone; a verdict stands, whether anybody reads it or not."""
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        drop_output()


def drop_output() -> None:
    """Send what would still be written on stdout nowhere, so that nothing fails at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
