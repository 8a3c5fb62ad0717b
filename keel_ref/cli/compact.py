"""`keel-ref compact`: a session file made small enough to go on with."""

from __future__ import annotations

import argparse
import gc
from collections.abc import Iterator
from contextlib import contextmanager

from keel_ref.cli.options import Paragraphs, Subparsers, at_least, filled

EXAMPLE = """\
examples:
  keel-ref compact SESSION.jsonl --dry-run          what would go, stay and come back; no call is made
  keel-ref compact SESSION.jsonl --out NEW.jsonl    ask the model for a summary and write a new session
  keel-ref compact SESSION.jsonl --out NEW.jsonl --keep 3
                                                    the last three rounds stay as they are behind it

The old file is never changed: the new one holds every line of it, then a boundary, the summary, what is kept and the
files that the session had read, as they lie on the disk now. A summary costs one call of the size of the session, with
the key in ANTHROPIC_API_KEY; the package is brought by `pip install "keel-ref[api]"`.

exit codes:
  0    compacted, or the dry run is told
  1    not compacted: no valid summary, nothing to summarise, or switched off
  2    wrong usage, no key, a file that cannot be read or written
  5    our own fault
  130  broken off; nothing was written"""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "compact",
        description="Compacts a session file: a summary written by a model takes the place of what was said since the "
        "last boundary, and the files that were read come back as they are now. Clauses CMP-079, CMP-090 to CMP-155.",
        epilog=EXAMPLE,
        formatter_class=Paragraphs,
    )
    add = parser.add_argument
    add("session", metavar="SESSION", type=filled, help="a session file, one JSON object a line")
    add("--out", metavar="FILE", type=filled, help="the new session file")
    add("--force", action="store_true", help="write FILE though it is there already")
    add("--dry-run", action="store_true", help="call nobody and write nothing; say what would happen")
    add("--keep", type=at_least(0), default=0, metavar="N", help="keep the last N rounds as they are (default: 0)")
    add("--cwd", metavar="DIR", type=filled, help="folder of relative paths (default: that of the session)")
    add("--model", metavar="M", type=filled, help="who writes the summary (default: the model of the last answer)")
    add("--window", type=at_least(1), metavar="N", help="tokens of the window (default: what is known of the model)")
    add("--max-output", type=at_least(1), metavar="N", help="most tokens of an answer (default: as known of the model)")
    add("--preset", choices=("documented", "released"), default="released", help="which layers (default: %(default)s)")
    add("--base-url", metavar="URL", type=filled, help="where the interface is (default: the package's own choice)")
    add("--timeout", type=at_least(1), default=600, metavar="SECONDS", help="patience with one call (default: 600)")
    add("--json", action="store_true", help="print one JSON object (schema keel-compact/1)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Plan, and unless it is a dry run, ask for the summary and write the new file."""
    import os
    import sys

    from keel_ref.adapters.session_file import read_session
    from keel_ref.cli.compact_plan import make_plan, session_state
    from keel_ref.cli.compact_show import plan_json, plan_text, session_lines
    from keel_ref.cli.options import put
    from keel_ref.conformance.exits import ExitCode, UsageError

    if not options.dry_run:
        _check_output(options)
        if not (os.environ.get("ANTHROPIC_API_KEY") or os.environ.get("ANTHROPIC_AUTH_TOKEN")):
            raise UsageError(
                "no key: a summary is written by a model; set ANTHROPIC_API_KEY, or give --dry-run, which calls nobody"
            )
    with _without_collector():
        session = read_session(options.session)
        put(session_lines(session), sys.stderr)
        state = session_state(session, options, os.environ)
        plan = make_plan(session, state, options) if options.dry_run else None
    if plan is None:
        from keel_ref.cli.compact_run import compact_session

        return compact_session(session, state, options)
    put(plan_json(plan) if options.json else plan_text(plan), sys.stdout)
    return ExitCode.CONFORMANT if plan.refused is None else ExitCode.NOT_CONFORMANT


@contextmanager
def _without_collector() -> Iterator[None]:
    """While a whole session is read into objects, to look for circles among them is time for nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _check_output(options: argparse.Namespace) -> None:
    """What can be known of FILE before a call is paid for. Raises `KeelError`."""
    from keel_ref.adapters.session_file import check_place
    from keel_ref.conformance.exits import UsageError

    if options.out is None:
        raise UsageError("--out is missing; name the new session file, or give --dry-run")
    check_place(options.out, options.session, replaces=options.force)
