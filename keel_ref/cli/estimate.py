"""`keel-ref estimate`: what texts, session files and lists of messages cost, in tokens."""

from __future__ import annotations

import argparse
import sys

from keel_ref.cli.options import Paragraphs, Subparsers, at_least

METHODS = ("bound", "documented", "both")
KINDS = ("text", "json", "session", "messages")
EXAMPLE = """\
examples:
  keel-ref estimate README.md src/*.py              what these texts cost at most
  git diff | keel-ref estimate --max-tokens 20000   exit 1 if the text is larger
  keel-ref estimate ~/.claude/projects/*/*.jsonl    session files: rows, tokens, since the last boundary
  keel-ref estimate --as messages request.json      the messages of a request
  keel-ref estimate --method both --json *.md | jq .total

What a file is taken for, unless --as says it: a .jsonl file, and what comes from standard input or another pipe, for a
session file when one of its first lines is a row of one; every other file for a text, one that counts as JSON under the
documented rule if its name ends in .json, .jsonl or .jsonc. Nothing is taken for a list of messages unless --as
messages says so. What is no UTF-8, lines that are broken, and a .jsonl file that is no session are told on stderr.

families: {families}

exit codes:
  0    counted
  1    above --max-tokens
  2    wrong usage, a file that cannot be read or is not what --as says,
       or an output that cannot be written
  130  broken off"""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    from keel_ref.tokens.families import FAMILIES

    parser = subparsers.add_parser(
        "estimate",
        description="What texts, session files and lists of messages cost in tokens: by the bound, which is made to be "
        "at or above the real count of a family of tokenizers, or by the documented rule of the described client.",
        epilog=EXAMPLE.format(families=", ".join(FAMILIES)),
        formatter_class=Paragraphs,
    )
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="files; - is standard input, which is also read if none is named")
    add("--method", choices=METHODS, default="bound", help="which estimate (default: %(default)s)")
    add(
        "--family",
        default="any",
        metavar="NAME",
        help="family of tokenizers (below), or a file that `calibrate` wrote (default: any, for all of them)",
    )
    add(
        "--as",
        dest="kind",
        choices=KINDS,
        help="take every file for this (messages: a list, or an object with one; default: see below)",
    )
    add("--max-tokens", type=at_least(0), metavar="N", help="end with 1 if the total is above N")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print one JSON object (schema keel-estimate/1)")
    output.add_argument("--quiet", action="store_true", help="print problems only")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Count what can be counted, and print it; the code says whether all was, and whether it is too much."""
    from keel_ref.cli.estimate_count import Question, count_file
    from keel_ref.cli.estimate_input import NotReadableError, total_bytes
    from keel_ref.cli.estimate_show import Answer, problem_line, remark_lines, too_many_line, write_json, write_text
    from keel_ref.cli.families import read_family
    from keel_ref.cli.options import put
    from keel_ref.cli.progress import watch_bytes
    from keel_ref.conformance.exits import ExitCode

    names = _names(options.files)
    methods = METHODS[:2] if options.method == "both" else (options.method,)
    question = Question(
        methods=methods, family=read_family(options.family), kind=options.kind, is_shown=not options.quiet
    )
    answer = Answer(question=question, limit=options.max_tokens)
    with watch_bytes(total_bytes(names)) as progress:
        for name in names:
            try:
                answer.counted.append(count_file(name, question, progress))
            except NotReadableError as error:
                answer.problems.append(error)
    for problem in answer.problems:
        put(problem_line(problem), sys.stderr)
    if not options.quiet:
        put(remark_lines(answer), sys.stderr)
        put((write_json if options.json else write_text)(answer), sys.stdout)
    if answer.is_too_many:
        put(too_many_line(answer), sys.stderr)
    if answer.problems:
        return ExitCode.USAGE
    return ExitCode.NOT_CONFORMANT if answer.is_too_many else ExitCode.CONFORMANT


def _names(given: list[str]) -> list[str]:
    """The files to read. Raises `UsageError` where there is nothing to read, or standard input is named twice."""
    from keel_ref.conformance.exits import UsageError

    if not given and (sys.stdin is None or sys.stdin.isatty()):
        raise UsageError("nothing to count; name a file, or - for what is typed until Ctrl-D")
    if given.count("-") > 1:
        raise UsageError("- stands there twice; standard input can be read once")
    return given or ["-"]
