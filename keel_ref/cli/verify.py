"""`keel-ref verify`: a recorded session, predicted against recorded."""

from __future__ import annotations

import argparse
import sys

from keel_ref.cli.options import Paragraphs, Subparsers, at_least, filled, parse_pairs, put

EXAMPLE = """\
examples:
  keel-ref verify SESSION.jsonl                         what its own record says
  keel-ref verify SESSION.jsonl --truth TRUTH.json      and what somebody saw beside it: attempts, files, times
  keel-ref verify SESSION.jsonl --window 200000         under a window that is known
  keel-ref verify SESSION.jsonl --cwd . --home ~        and the instruction files that it lists, against those of now
  keel-ref verify SESSION.jsonl --json | jq '.findings[] | select(.verdict == "differs")'

Each difference is named by the clause that decides. What a record does not say is unknown, and the answer says what
would help. No variable of this process counts, since the session ran elsewhere; --env says what counted there. The
rules V1 to V7 stand in spec/guides/recordings.md.

exit codes:
  0    everything that is known is exact
  1    something differs
  2    wrong usage, or a file that cannot be read"""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "verify",
        description="Compares a session file with what the rules predict: where compactions began and at which size, "
        "where none did, which files came back, and which instruction files were loaded.",
        epilog=EXAMPLE,
        formatter_class=Paragraphs,
    )
    add = parser.add_argument
    add("session", metavar="SESSION", type=filled, help="a session file, one JSON object a line")
    add("--truth", metavar="FILE", type=filled, help="what somebody saw of it beside its record, as JSON")
    add("--model", metavar="M", type=filled, help="name of the model, in the place of those of the rows")
    add("--window", type=at_least(1), metavar="N", help="window in tokens, in the place of what the table says")
    add("--max-output", type=at_least(1), metavar="N", help="maximum output in tokens, in the place of the table's")
    add("--beta", metavar="NAME", action="append", default=[], help="a beta header that was sent; may be repeated")
    add("--env", metavar="K=V", action="append", default=[], help="a variable of that session; may be repeated")
    add("--gate", metavar="NAME=true|false", action="append", default=[], help="a layer that was on or off")
    add("--choice", metavar="NAME=VALUE", action="append", default=[], help="another value for a choice of the spec")
    add("--cwd", metavar="DIR", type=filled, help="load the instruction files of this folder, to compare")
    add("--home", metavar="DIR", type=filled, help="the user's home folder, for --cwd (default: none)")
    add("--json", action="store_true", help="print one JSON object (schema keel-verify/1)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Compare, and print; 0 when nothing differs. Bad input raises `KeelError`."""
    from keel_ref.choices import Choices
    from keel_ref.cli.verify_input import memory_now, open_record, open_truth, parse_gates
    from keel_ref.cli.verify_show import report_json, report_text
    from keel_ref.conformance.exits import ExitCode, UsageError
    from keel_ref.recording.findings import Verdict
    from keel_ref.recording.verify import Conditions, verify

    if options.home is not None and options.cwd is None:
        raise UsageError("--home belongs to --cwd; name the folder whose instruction files are to be compared")
    conditions = Conditions(
        model=options.model,
        window=options.window,
        max_output=options.max_output,
        betas=tuple(options.beta),
        env=parse_pairs("--env", options.env),
        gates=parse_gates(options.gate),
        choices=Choices.of(parse_pairs("--choice", options.choice)),
    )
    record = open_record(options.session)
    truth = None if options.truth is None else open_truth(options.truth)
    memory = None if options.cwd is None else memory_now(record, options.cwd, options.home, conditions)
    report = verify(record, truth=truth, conditions=conditions, memory=memory)
    put((report_json if options.json else report_text)(options.session, report), sys.stdout)
    return ExitCode.NOT_CONFORMANT if report.count(Verdict.DIFFERS) else ExitCode.CONFORMANT
