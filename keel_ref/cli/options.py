"""Pieces of command lines that several verbs share."""

import argparse
import os
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING, TypeAlias

from keel_ref.conformance.exits import UsageError

if TYPE_CHECKING:
    from keel_ref.conformance.limits import Limits

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 (argparse has no public name for it)
"""Where a verb adds its parser."""
REFERENCE_TIMEOUT_MS = 10_000
"""Patience with the built-in reference, whose slowness on a busy machine is no finding."""


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


def add_limits(parser: "argparse.ArgumentParser | argparse._ArgumentGroup") -> None:
    """Add how long an adapter may take."""
    from keel_ref.conformance.limits import Limits  # not needed by the verbs that ask nobody

    add, limits = parser.add_argument, Limits()
    default = f"default: {limits.timeout_ms}; the built-in reference: {REFERENCE_TIMEOUT_MS}"
    add("--timeout", type=at_least(1), metavar="MS", help=f"time for one answer ({default})")
    add(
        "--handshake-timeout",
        type=at_least(1),
        default=limits.handshake_timeout_ms,
        metavar="MS",
        help="time to start (default: %(default)s)",
    )


def read_limits(options: argparse.Namespace) -> "Limits":
    """The limits that the options set."""
    from keel_ref.conformance.limits import Limits

    patience = Limits().timeout_ms if options.command else REFERENCE_TIMEOUT_MS
    return Limits(timeout_ms=options.timeout or patience, handshake_timeout_ms=options.handshake_timeout)


def count_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def filled(text: str) -> str:
    """An argparse type for words that must not be empty: an unset variable shall not select everything."""
    if not text.strip(", "):
        raise argparse.ArgumentTypeError("it is empty; leave the option out, or set the variable that stands there")
    return text


def split_commas(texts: Sequence[str]) -> tuple[str, ...]:
    """Words of options that may be repeated, or written as one list with commas."""
    return tuple(part for text in texts for part in text.split(",") if part)


class Paragraphs(argparse.HelpFormatter):
    """Fills the paragraphs of a description or epilog; one with an indented line, such as a list, stays as it is."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        filler = textwrap.TextWrapper(width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
        return "\n\n".join(
            paragraph if "\n " in paragraph else filler.fill(" ".join(paragraph.split()))
            for paragraph in text.split("\n\n")
        )


def is_terminal() -> bool:
    """Whether stdout is a terminal that wants colours."""
    is_ours = sys.stdout is not None and sys.stdout.isatty()
    return is_ours and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def put(text: str, stream: IO[str] | None) -> None:
    """Write a text whose reader may have gone; a verdict stands, whether anybody reads it or not.

    Raises `UsageError` where it cannot be written for another reason, such as a disk that is full.
    """
    if stream is None:  # closed before we were started
        return
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        drop_output(stream)
    except OSError as error:
        drop_output(stream)
        problem = f"what was found cannot be written ({error.strerror or error})"
        raise UsageError(f"{problem}; send the output to where there is room") from error


def drop_output(stream: IO[str]) -> None:
    """Send what would still be written on a stream nowhere, so that nothing fails at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
