"""`keel-ref smoke`: eight rungs for a new adapter, the first red one explained."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import asdict

from keel_ref.cli.options import Subparsers, add_limits, is_terminal, read_limits
from keel_ref.conformance.compare import plain_text
from keel_ref.conformance.exits import ExitCode

if TYPE_CHECKING:
    from keel_ref.conformance.smoke import Rung

EXAMPLE = """\
example:
  keel-ref smoke -- node adapter.mjs

It ends with 0 if no rung is red, with 3 if the adapter could not shake hands (rungs 1 to 4), else with 1.
"""
_LAST_OF_HANDSHAKE = 4
_COLOURS = {"green": "\x1b[32m", "red": "\x1b[31m", "skipped": "\x1b[2m"}


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "smoke",
        usage="keel-ref smoke [options] -- CMD ...",
        description="Climb eight rungs with an adapter, from 'does it start' to 'does it survive nonsense'. "
        "The first red rung is explained and ends it. Without CMD the built-in reference climbs.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_limits(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object (schema keel-smoke/1)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Climb, showing each rung as soon as it is known."""
    from keel_ref.conformance.runner import reference_command
    from keel_ref.conformance.smoke import NAMES, Colour, climb
    from keel_ref.conformance.suite import load_suite

    rungs: list[Rung] = []
    for rung in climb(options.command or reference_command(), load_suite(), limits=read_limits(options)):
        rungs.append(rung)
        if not options.json:
            print("\n".join(_render(rung)), flush=True)
    if options.json:
        print(json.dumps({"schema": "keel-smoke/1", "rungs": [asdict(rung) for rung in rungs]}, indent=2))
    last = rungs[-1]
    if last.colour is not Colour.RED:
        return ExitCode.CONFORMANT
    if not options.json and len(rungs) < len(NAMES):
        print(f"  rungs {len(rungs) + 1} to {len(NAMES)} were not tried")
    return ExitCode.ADAPTER if last.number <= _LAST_OF_HANDSHAKE else ExitCode.NOT_CONFORMANT


def _render(rung: Rung) -> Iterator[str]:
    """A rung in one line; a red one with what was sent, what came back and where to read."""
    from keel_ref.conformance.citations import place_in_spec

    note = f": {plain_text(rung.note)}" if rung.note else ""
    yield f"{rung.number}  {paint(rung.colour)}  {rung.name}{note}"
    for label, lines in (("sent", rung.sent), ("received", rung.received), ("stderr", rung.stderr)):
        for number, line in enumerate(lines):
            yield f"     {'' if number else label:<9} {plain_text(line)}"
    if rung.section:
        if not rung.received:
            yield f"     {'received':<9} nothing"
        yield f"     {'read':<9} {place_in_spec(rung.section)}"


def paint(colour: str) -> str:
    """The word for a colour, in that colour on a terminal."""
    word = f"{colour:<7}"
    return f"{_COLOURS[colour]}{word}\x1b[0m" if is_terminal() else word
