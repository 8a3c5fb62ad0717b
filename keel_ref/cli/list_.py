"""`keel-ref list`: the registries, for people and for programs, and their files to take along."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from keel_ref.cli.options import Subparsers
from keel_ref.conformance.exits import ExitCode

KINDS = ("tests", "clauses", "capabilities", "choices", "errors", "functions")
"""What can be listed."""
EXAMPLE = """\
examples:
  keel-ref list tests                       every test with its clauses
  keel-ref list capabilities --json         what can be claimed, for a program
  keel-ref list tests --export vectors/     the files themselves, for people who will not use this runner
"""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "list",
        description="What there is to test, to claim, to choose, to call and to refuse, one row for each.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("kind", choices=KINDS, metavar="KIND", help=", ".join(KINDS))
    add("--json", action="store_true", help="print one JSON object (schema keel-list/1)")
    add("--export", type=Path, metavar="DIR", help="copy the files of the kind into DIR, which must be empty or new")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print one row for each entry; copy the files where that was asked."""
    from keel_ref.conformance.listing import export_files, list_rows
    from keel_ref.conformance.suite import load_suite

    rows = list_rows(options.kind, load_suite())
    if options.export is not None:
        paths = export_files(options.kind, options.export)
        if not options.json:
            print(f"{len(paths)} files in {options.export}")
            return ExitCode.CONFORMANT
    if options.json:
        document = {"schema": "keel-list/1", "kind": options.kind, "entries": [row.data for row in rows]}
        print(json.dumps(document, indent=2))
        return ExitCode.CONFORMANT
    widths = [max((len(row.cells[place]) for row in rows), default=0) for place in (0, 1)]
    for row in rows:
        first, second, rest = row.cells
        print(f"{first:<{widths[0]}}  {second:<{widths[1]}}  {rest}".rstrip())
    return ExitCode.CONFORMANT
