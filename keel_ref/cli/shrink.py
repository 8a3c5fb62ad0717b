"""`keel-ref shrink`: make a saved failure smaller than it was made when it was found."""

import argparse
import sys
from pathlib import Path

from keel_ref.cli.explore import duration
from keel_ref.cli.options import Subparsers, add_limits, put, read_limits
from keel_ref.conformance.exits import ExitCode, UsageError

EXAMPLE = """\
example:
  keel-ref shrink .keel/failures/program-pass-compact-0-12.json --budget 60s -- node adapter.mjs

exit codes:
  0 it is as small as it gets, or smaller than before; the file holds it   2 no such failure
  3 the adapter cannot be tested   4 inconclusive: it does not fail any more
"""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "shrink",
        usage="keel-ref shrink FILE [--budget 20s] [-- CMD ...]",
        description="Make a saved failure smaller, and write what it comes down to in its place.\n"
        "Without CMD it goes to the built-in reference.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="a failure file")
    add("--budget", type=duration, default=20.0, metavar="TIME", help="time for it (default: 20s)")
    add_limits(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Shrink, print what it came down to, and give the exit code."""
    from keel_ref.conformance.hello import check_claims
    from keel_ref.conformance.replay import load_saved
    from keel_ref.conformance.runner import make_subject, reference_command
    from keel_ref.conformance.shrink_saved import render_smaller, shrink_saved, write_smaller
    from keel_ref.conformance.suite import load_suite

    saved = load_saved(options.file)
    suite = load_suite()
    subject = make_subject(suite, options.command or reference_command(), read_limits(options))
    try:
        check_claims(subject.start(), suite)
        smaller = shrink_saved(saved, subject, suite, max_seconds=options.budget)
    finally:
        subject.close()
    if smaller is None:
        put(f"{saved.name} does not fail any more; `keel-ref replay` removes what is fixed\n", sys.stdout)
        return int(ExitCode.INCONCLUSIVE)
    try:
        write_smaller(saved, smaller, suite, subject)
    except OSError as error:
        raise UsageError(f"{options.file}: cannot be written ({error.strerror})") from error
    put("\n".join(render_smaller(saved, smaller)) + "\n", sys.stdout)
    return int(ExitCode.CONFORMANT)
