"""`keel-ref adapter`: write a first adapter, or see how one reads nasty lines."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from attrs import asdict

from keel_ref.cli.options import Subparsers, add_limits, read_limits
from keel_ref.cli.smoke import paint
from keel_ref.conformance.compare import plain_text
from keel_ref.conformance.exits import ExitCode, UsageError

EXAMPLE = """\
examples:
  keel-ref adapter new --lang node adapter/     a skeleton of less than 100 lines, with a README
  keel-ref adapter check -- node adapter.mjs    huge lines, split lines, unknown fields, nonsense
"""


def register(subparsers: Subparsers) -> None:
    """Add the verb, and under it `new` and `check`."""
    parser = subparsers.add_parser(
        "adapter",
        description="Write a first adapter that works, or send an adapter nastier lines than a run would.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = parser.add_subparsers(prog="keel-ref adapter", metavar="new|check", required=True)
    new = verbs.add_parser(
        "new", help="write a skeleton", epilog="example: keel-ref adapter new --lang python adapter/"
    )
    new.add_argument("--lang", required=True, metavar="LANG", help="python or node")
    new.add_argument("folder", type=Path, metavar="DIR", help="where to write; nothing is overwritten")
    new.set_defaults(run=run_new)
    check = verbs.add_parser(
        "check",
        usage="keel-ref adapter check [options] -- CMD ...",
        help="fuzz the envelope",
        epilog="example: keel-ref adapter check -- node adapter.mjs",
    )
    add_limits(check)
    check.add_argument("--json", action="store_true", help="print one JSON object (schema keel-adapter-check/1)")
    check.set_defaults(run=run_check)


def run_new(options: argparse.Namespace) -> int:
    """Write the skeleton and say what to do next."""
    from keel_ref.conformance.adapter_kit import SKELETONS, write_skeleton

    if options.command:
        raise UsageError("adapter new starts nothing, so it takes no command behind --")
    for path in write_skeleton(options.lang, options.folder):
        print(f"wrote {path}")
    print(f"next: cd {options.folder} && keel-ref smoke -- {SKELETONS[options.lang].command}")
    return ExitCode.CONFORMANT


def run_check(options: argparse.Namespace) -> int:
    """Put every probe to the adapter, showing each finding as soon as it is known."""
    from keel_ref.conformance.citations import place_in_spec
    from keel_ref.conformance.envelope import probe
    from keel_ref.conformance.runner import reference_command
    from keel_ref.conformance.smoke import Colour
    from keel_ref.conformance.suite import load_suite

    findings = []
    for finding in probe(options.command or reference_command(), load_suite(), limits=read_limits(options)):
        findings.append(finding)
        if not options.json:
            print(f"{paint(finding.colour)}  {finding.name}: {plain_text(finding.reason)}", flush=True)
    if options.json:
        document = {"schema": "keel-adapter-check/1", "findings": [asdict(finding) for finding in findings]}
        print(json.dumps(document, indent=2))
    is_red = any(finding.colour is Colour.RED for finding in findings)
    if is_red and not options.json:
        print(f"read: {place_in_spec('protocol.md#lines')}")
    return ExitCode.NOT_CONFORMANT if is_red else ExitCode.CONFORMANT
