"""`keel-ref context`: what fills the window, by category, of a session, a request, or a folder before a session."""

from __future__ import annotations

import argparse
import os
import sys

from keel_ref.cli.options import Paragraphs, Subparsers, at_least, filled, parse_pairs, put

EXAMPLE = """\
examples:
  keel-ref context                                   what a session started in this folder begins with
  keel-ref context ~/.claude/projects/x/SESSION.jsonl   what the next turn of a session holds
  keel-ref context request.json                      what a request of the Messages API holds
  keel-ref context --model 'claude-sonnet-4-5[1m]' SESSION.jsonl
  keel-ref context SESSION.jsonl --json | jq '.by_tool[0]'
  keel-ref context SESSION.jsonl --html context.html    the same as a page for a browser, which needs no network

What is looked at is told by what it holds, not by its name; - is standard input. Amounts are estimates by the
documented rule, size over four, which is too low for most text. What a record says stands beside them, and what cannot
be told is said to be so. The variables of the process are read, then those of --env.

exit codes:
  0    an answer
  2    wrong usage, or nothing that can be read"""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "context",
        description="What fills the window, by category: a session file, a request, or what a new session would begin "
        "with in a folder.",
        epilog=EXAMPLE,
        formatter_class=Paragraphs,
    )
    add = parser.add_argument
    add("source", nargs="?", default=".", metavar="SESSION|REQUEST.json|CWD", help="what is looked at (default: .)")
    add("--model", metavar="M", help="name of the model, in the place of what the source says")
    add("--window", type=at_least(1), metavar="N", help="window in tokens, in the place of what the table says")
    add("--max-output", type=at_least(1), metavar="N", help="maximum output in tokens, in the place of the table's")
    add("--env", metavar="K=V", action="append", default=[], help="set a variable over the process's own")
    add("--choice", metavar="NAME=VALUE", action="append", default=[], help="another value for a choice of the spec")
    add("--home", metavar="DIR", help="the user's home folder, for a CWD (default: the variable HOME)")
    add("--json", action="store_true", help="print one JSON object (schema keel-context/1)")
    add("--html", metavar="FILE", type=filled, help="write a page for a browser as well")
    add("--force", action="store_true", help="write FILE though it is there already")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Look, add up, and print; 0 when there is an answer. Bad input raises `KeelError` or `UsageError`."""
    from keel_ref.adapters.new_file import check_new_file, write_new_file
    from keel_ref.choices import Choices
    from keel_ref.cli.context_found import Asked, answer_of
    from keel_ref.cli.context_show import report_as_json, write_json
    from keel_ref.cli.context_source import look_at
    from keel_ref.cli.context_text import write_text

    if options.html is not None:
        check_new_file(options.html, options.source, replaces=options.force)
    asked = Asked(
        source=options.source,
        model=(options.model or "").strip() or None,
        window=options.window,
        max_output=options.max_output,
        env={**os.environ, **parse_pairs("--env", options.env)},
        choices=Choices.of(parse_pairs("--choice", options.choice)),
        home=options.home,
    )
    answer = answer_of(asked, look_at(asked))
    if options.html is not None:
        from keel_ref.pages.context_page import context_page

        write_new_file(options.html, [context_page(report_as_json(answer)).encode()], replaces=options.force)
    put((write_json if options.json else write_text)(answer), sys.stdout)
    return 0
