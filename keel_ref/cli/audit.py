"""`keel-ref audit`: what the principles ask of any agent, asked of a recording, with line numbers."""

from __future__ import annotations

import argparse
import os
import sys

from keel_ref.cli.options import Paragraphs, Subparsers, at_least, parse_pairs, put

EXAMPLE = """\
examples:
  keel-ref audit ~/.claude/projects/x/SESSION.jsonl      shares of the window, then what was found, worst first
  keel-ref audit ~/.claude/projects/x/*.jsonl --fail-on error
  keel-ref audit request.json                            a request of the Messages API
  keel-ref audit SESSION.jsonl --json | jq '.recordings[0].findings[] | .message'
  keel-ref audit SESSION.jsonl --sarif > audit.sarif      for code scanning

Each check has a name, A1 to A14; spec/guides/audit.md says what each of them looks at, and what it cannot tell.
Amounts are estimates by the documented rule unless they are called recorded.

exit codes:
  0    an answer, and nothing as bad as --fail-on says
  1    something found is as bad as --fail-on says, or worse
  2    wrong usage, or a file that cannot be read"""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "audit",
        description="Five principles asked of recorded sessions or of a request: who fills the window, what passed a "
        "budget, what was cut in silence, what went on without a bound, and which estimates were too low.",
        epilog=EXAMPLE,
        formatter_class=Paragraphs,
    )
    add = parser.add_argument
    add("sources", nargs="+", metavar="SESSION|REQUEST.json", help="what is looked at; - is standard input")
    add("--fail-on", choices=["note", "warning", "error"], metavar="LEVEL", help="end with 1 from note, warning, error")
    add("--model", metavar="M", help="name of the model, in the place of what the recording says")
    add("--window", type=at_least(1), metavar="N", help="window in tokens, in the place of what the table says")
    add("--max-output", type=at_least(1), metavar="N", help="maximum output in tokens, in the place of the table's")
    add("--env", metavar="K=V", action="append", default=[], help="set a variable over the process's own")
    add("--choice", metavar="NAME=VALUE", action="append", default=[], help="another value for a choice of the spec")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object (schema keel-audit/1)")
    form.add_argument("--sarif", action="store_true", help="print a SARIF 2.1.0 log")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Look at each recording, ask, and print. Bad input raises `KeelError` or `UsageError`."""
    from keel_ref.audit.finding import Level
    from keel_ref.audit.report import reaches
    from keel_ref.choices import Choices
    from keel_ref.cli.audit_json import write_json
    from keel_ref.cli.audit_sarif import write_sarif
    from keel_ref.cli.audit_source import Asked, look_at
    from keel_ref.cli.audit_text import write_text

    asked = Asked(
        model=(options.model or "").strip() or None,
        window=options.window,
        max_output=options.max_output,
        env={**os.environ, **parse_pairs("--env", options.env)},
        choices=Choices.of(parse_pairs("--choice", options.choice)),
    )
    audits = [look_at(asked, source) for source in options.sources]
    write = write_json if options.json else write_sarif if options.sarif else write_text
    put(write(audits), sys.stdout)
    return int(options.fail_on is not None and reaches(audits, Level(options.fail_on)))
