"""`keel-ref session`: what happened in a recorded session, and what comes next."""

from __future__ import annotations

import argparse
import gc
import sys
from typing import TYPE_CHECKING

from keel_ref.cli.options import Paragraphs, Subparsers, at_least, filled, put

if TYPE_CHECKING:
    from keel_ref.conformance.exits import ExitCode
    from keel_ref.session.thresholds import Conditions

EXAMPLE = """\
examples:
  keel-ref session SESSION.jsonl                        how the context grew, what was dropped, and why
  keel-ref session SESSION.jsonl --responses            with every response
  keel-ref session SESSION.jsonl --window 200000        under a window that is known
  keel-ref session ~/.claude/projects/*/*.jsonl --json | jq -r '[.file, .answer] | @tsv'
  keel-ref session SESSION.jsonl --doctor               what is wrong with the file itself
  keel-ref session SESSION.jsonl --repair MENDED.jsonl  a copy without that; the file is never changed

What entered is estimated, what a response held is as the provider counted it. No variable of this process counts, since
the session ran elsewhere; --env says what counted there. The rules S1 to S14 stand in spec/guides/sessions.md.

exit codes:
  0    an answer
  1    --doctor found something wrong
  2    wrong usage, or a file that cannot be read; the others are told all the same"""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "session",
        description="The timeline of a session file: the size of the context at each response, what entered, what made "
        "it smaller and why, what the cache kept, and how many turns are left.",
        epilog=EXAMPLE,
        formatter_class=Paragraphs,
    )
    add = parser.add_argument
    add("sessions", metavar="SESSION", nargs="+", type=filled, help="a session file, one JSON object a line")
    add("--model", metavar="M", type=filled, help="name of the model, in the place of that of the rows")
    add("--window", type=at_least(1), metavar="N", help="window in tokens, in the place of what is known of the model")
    add("--max-output", type=at_least(1), metavar="N", help="maximum output in tokens, in the place of the table's")
    add("--beta", metavar="NAME", action="append", default=[], help="a beta header that was sent; may be repeated")
    add("--env", metavar="K=V", action="append", default=[], help="a variable of that session; may be repeated")
    add("--gate", metavar="NAME=true|false", action="append", default=[], help="a layer that was on or off")
    add("--choice", metavar="NAME=VALUE", action="append", default=[], help="another value for a choice of the spec")
    add("--responses", action="store_true", help="list every response with its figures")
    add("--naive", action="store_true", help="what summing the usage of every row would give, beside the right figure")
    add("--doctor", action="store_true", help="list what is wrong with the file, by line, in the place of the timeline")
    add("--repair", metavar="OUT", type=filled, help="write a mended copy, in the place of the timeline")
    add("--html", metavar="OUT", type=filled, help="write a page for a browser as well")
    add("--force", action="store_true", help="write OUT though it is there already")
    add("--ascii", action="store_true", help="no characters beyond ASCII in the picture")
    add("--json", action="store_true", help="print one JSON object a file (schema keel-session/1)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read each file, and print what is found out. Bad usage raises `UsageError`."""
    from keel_ref.cli.session_input import conditions_of
    from keel_ref.conformance.exits import ExitCode, UsageError
    from keel_ref.errors import KeelError

    for option in ("repair", "html"):
        if getattr(options, option) is not None and len(options.sessions) > 1:
            raise UsageError(f"--{option} takes one session; name it alone")
    about = conditions_of(options)
    code = ExitCode.CONFORMANT
    gc.disable()  # what is made holds no circles, and to look for some takes a third of the time
    for place, path in enumerate(options.sessions):
        if place and not options.json:
            put("\n", sys.stdout)
        try:
            found = _tell(path, options, about)
        except KeelError as error:
            if len(options.sessions) == 1:
                raise
            _complain(error)
            found = ExitCode.USAGE
        code = max(code, found)
    return code


def _tell(path: str, options: argparse.Namespace, about: Conditions) -> ExitCode:
    """One file, in the way that is asked for. Raises `KeelError`."""
    from keel_ref.cli.session_input import open_log
    from keel_ref.conformance.exits import ExitCode
    from keel_ref.session.report import examine, report_object

    if options.repair is not None:
        from keel_ref.cli.session_doctor import repair

        return repair(path, options.repair, replaces=options.force, is_json=options.json)
    if options.html is not None:
        from keel_ref.adapters.new_file import check_new_file

        check_new_file(options.html, path, replaces=options.force)
    log = open_log(path)
    if options.doctor:
        from keel_ref.cli.session_doctor import doctor

        return doctor(log, path, is_json=options.json)
    report = report_object(examine(log, about), path)
    if options.html is not None:
        from keel_ref.adapters.new_file import write_new_file
        from keel_ref.pages.session_page import session_page

        write_new_file(options.html, [session_page(report).encode()], replaces=options.force)
    if options.json:
        from keel_ref.cli.session_json import as_line

        put(as_line(report), sys.stdout)
    else:
        from keel_ref.cli.session_show import can_show, timeline_text

        is_ascii = options.ascii or not can_show()
        text = timeline_text(report, is_ascii=is_ascii, shows_responses=options.responses, shows_naive=options.naive)
        put(text, sys.stdout)
    return ExitCode.CONFORMANT


def _complain(error: Exception) -> None:
    """Tell of one file of several that it cannot be read."""
    from contextlib import suppress

    from keel_ref.conformance.compare import plain_text

    with suppress(OSError):
        print(plain_text(f"keel-ref: {error}"), file=sys.stderr)
