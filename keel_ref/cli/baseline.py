"""`keel-ref baseline`: keep the expected-failure file in step with an implementation."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from keel_ref.cli.options import Subparsers, add_limits, at_least, read_limits
from keel_ref.conformance.compare import plain_text
from keel_ref.conformance.exits import ExitCode, UsageError

if TYPE_CHECKING:
    from keel_ref.conformance.expected_text import ExpectedText
    from keel_ref.conformance.runner import Run
    from keel_ref.conformance.suite import Suite

EXAMPLE = """\
examples:
  keel-ref baseline write -- node adapter.mjs     list what fails today in keel-expected.toml; comments stay
  keel-ref baseline check -- node adapter.mjs     say how the file differs from what fails; ends with 1 if it does
  keel-ref baseline prune -- node adapter.mjs     take out what fails no more; nothing is added

The suite is always run as a whole: after a filtered run the file would be wrong.
"""
ACTIONS = ("write", "check", "prune")
"""What can be done with the file."""
FILTERS = ("--profile", "--area", "--level", "-k", "--id", "--clause", "--tier", "--shard")
"""Options of `check` that leave tests out; taken only to say why they are refused."""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "baseline",
        usage="keel-ref baseline {write,check,prune} [options] [-- CMD ...]",
        description="Keep the file of expected failures exact: every failure is in it, and nothing that passes.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("action", choices=ACTIONS, help="write, check or prune")
    add("--expected", type=Path, metavar="FILE", help="the file to keep (default: keel-expected.toml)")
    add("--accept-suite", action="store_true", help="check or prune a file that was written for another suite")
    add("--reason", metavar="TEXT", help="what new entries say; better one for each, by hand")
    add("--issue", default="", metavar="URL", help="where what is new will be mended")
    add("--strict-should", action="store_true", help="a failing SHOULD needs an entry too")
    add("-j", dest="jobs", type=at_least(1), default=1, metavar="N", help="processes side by side (default: 1)")
    add_limits(parser)
    for flag in FILTERS:
        add(flag, dest="filters", action="append", default=[], help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the whole suite, compare, and change the file where that was asked for."""
    from keel_ref.conformance.baseline import REASON, Kind, apply_changes, find_changes, find_stale, pin_run
    from keel_ref.conformance.expected import FILE_NAME
    from keel_ref.conformance.suite import load_suite

    if options.filters:
        raise UsageError("a baseline stands on the whole suite; what a filter leaves out would look mended")
    path = options.expected or Path(FILE_NAME)
    suite = load_suite()
    document = _read(path, suite, options)
    run = _run_suite(document, suite, options)
    if options.action == "prune":
        changes = find_stale(document, run)
    else:
        changes = find_changes(document, run, reason=options.reason or REASON, issue=options.issue)
    for change in changes:
        print(f"{change.kind:<6}  {change.id}: {plain_text(change.why)}")
    if options.action == "check":
        print(f"{path}: {len(changes)} differences" if changes else f"{path}: exact")
        return ExitCode.NOT_CONFORMANT if changes else ExitCode.CONFORMANT
    changed = apply_changes(document, changes)
    _write(path, pin_run(changed, run) if options.action == "write" else changed)
    left = sum(change.kind is Kind.LEAVE for change in changes)
    print(f"{path}: {len(changed.blocks)} entries{f', {left} left for you to decide' if left else ''}")
    return ExitCode.NOT_CONFORMANT if left else ExitCode.CONFORMANT


def _read(path: Path, suite: Suite, options: argparse.Namespace) -> ExpectedText:
    """The file as it is; a new one only where it is to be written. Raises `UsageError`."""
    from keel_ref.conformance.expected import check_fit
    from keel_ref.conformance.expected_text import parse_text, start_text

    if options.action == "write" and not path.exists():
        return start_text(suite.version)
    try:
        document = parse_text(path.read_bytes().decode())
    except (OSError, UnicodeDecodeError, UsageError) as error:
        raise UsageError(f"{path}: {error}") from error
    is_other_accepted = options.accept_suite or options.action == "write"
    known = [vector.id for vector in suite.vectors]
    check_fit(document.parse(), str(path), suite=suite.version, known=known, is_other_accepted=is_other_accepted)
    return document


def _run_suite(document: ExpectedText, suite: Suite, options: argparse.Namespace) -> Run:
    """The whole suite, judged by the file. Raises `AdapterError` and `SuiteError`, so that nothing is written then."""
    from keel_ref.conformance.exits import SuiteError
    from keel_ref.conformance.runner import Policy, reference_command, run_suite
    from keel_ref.conformance.select import Selection

    policy = Policy(
        limits=read_limits(options),
        jobs=options.jobs,
        shrink_failures=0,
        is_should_strict=options.strict_should,
        expected=document.parse(),
    )
    run = run_suite(suite, Selection(), options.command or reference_command(), policy)
    if run.error is not None:
        raise run.error
    if run.conclusion.code is ExitCode.SUITE:
        raise SuiteError("; ".join(run.conclusion.reasons))
    return run


def _write(path: Path, document: ExpectedText) -> None:
    """Put the new file in the place of the old one, whole or not at all."""
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_bytes(document.text.encode())
        beside.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from error
