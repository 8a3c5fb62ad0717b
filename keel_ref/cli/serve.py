"""`keel-ref serve`: speak the wire on stdin and stdout as the reference implementation."""

import argparse

from keel_ref.cli.options import Subparsers, parse_pairs
from keel_ref.conformance.exits import ExitCode, UsageError

EXAMPLE = """\
example:
  keel-ref serve --choice memory.identity=real --gate team_memory=true
  head -2 .keel/failures/ID.ndjson | keel-ref serve
"""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "serve",
        description="Speak the wire on stdin and stdout as the reference implementation, until bye or end of input.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--choice", action="append", default=[], metavar="NAME=VALUE", help="declare a choice other than its default")
    add("--gate", action="append", default=[], metavar="NAME=true|false", help="open or shut a gate for every call")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Answer until `bye` or the end of input."""
    from keel_ref.choices import Choices
    from keel_ref.conformance.config import CallConfig, resolve_gates
    from keel_ref.conformance.serve import serve

    choices = Choices.of(parse_pairs("--choice", options.choice)).names()
    gates: dict[str, bool] = {}
    for name, value in parse_pairs("--gate", options.gate).items():
        if value not in ("true", "false"):
            raise UsageError(f"--gate {name}={value}: write true or false")
        gates[name] = value == "true"
    serve(CallConfig(choices=choices, gates=resolve_gates(gates)))
    return ExitCode.CONFORMANT
