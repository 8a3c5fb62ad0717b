"""`keel-ref replay`: send saved failures again, and say what became of each."""

import argparse
from pathlib import Path

from keel_ref.cli.options import Subparsers, add_limits, read_limits
from keel_ref.conformance.exits import ExitCode

EXAMPLE = """\
example:
  keel-ref replay .keel/failures/*.json -- node adapter.mjs
  keel-ref replay --all-from .keel/failures -- node adapter.mjs

exit codes:
  0 all fixed; their files are removed   1 some still fail   2 no such failure   3 the adapter cannot be tested
"""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "replay",
        usage="keel-ref replay FILE... [--all-from DIR] [-- CMD ...]",
        description="Send saved failures again, and nothing else: FIXED, STILL FAILS or NOW DIFFERENT.\n"
        "Without CMD they go to the built-in reference.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("files", nargs="*", type=Path, metavar="FILE", help="a failure file")
    add("--all-from", type=Path, metavar="DIR", help="every failure file of a folder")
    add_limits(parser)
    add("--keep", action="store_true", help="keep the files of what is fixed")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Replay, print a line for each, and give the exit code."""
    from keel_ref.conformance.hello import check_claims
    from keel_ref.conformance.replay import Again, find_files, forget, load_saved, render_replayed, replay
    from keel_ref.conformance.runner import make_subject, reference_command
    from keel_ref.conformance.suite import load_suite

    all_saved = [load_saved(path) for path in find_files(options.files, options.all_from)]
    suite = load_suite()
    subject = make_subject(suite, options.command or reference_command(), read_limits(options))
    is_fixed = True
    try:
        check_claims(subject.start(), suite)
        for saved in all_saved:
            replayed = replay(saved, subject, suite)
            print("\n".join(render_replayed(replayed, suite)))
            if replayed.again is not Again.FIXED:
                is_fixed = False
            elif not options.keep:
                forget(saved)
    finally:
        subject.close()
    return ExitCode.CONFORMANT if is_fixed else ExitCode.NOT_CONFORMANT
