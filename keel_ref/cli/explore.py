"""`keel-ref explore`: put programs that are drawn from the model, and make small what fails."""

import argparse
import secrets
import sys
from typing import TYPE_CHECKING

from keel_ref.cli.options import Subparsers, add_limits, at_least, count_cores, is_terminal, put, read_limits
from keel_ref.conformance.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from keel_ref.conformance.explore import Exploration
    from keel_ref.conformance.explore_search import Plan
    from keel_ref.conformance.failures import SavedFailure
    from keel_ref.conformance.suite import Suite

EXAMPLE = """\
example:
  keel-ref explore -- node adapter.mjs
  keel-ref explore --budget 60s --seed random -- ./adapter
  keel-ref explore --examples 5000 -j 2 -- ./adapter

The same seed and number of programs give the same output, whatever -j is.

exit codes:
  0 no program fails   1 a program fails   2 wrong usage   3 the adapter cannot be tested
  4 inconclusive: programs are not claimed, the time ended early, or only nondeterminism   5 the suite is at fault
"""
AREAS = ("compaction",)
"""Areas that programs are about."""
MAX_SEED = 2**32 - 1


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "explore",
        usage="keel-ref explore [options] [-- CMD ...]",
        description="Draw programs from the model, run them on the implementation, and make the first that fail as\n"
        "small as they get. Without CMD it explores the built-in reference.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--examples", type=at_least(1), metavar="N", help="programs (default: 500, or what --budget allows)")
    add("--budget", type=duration, metavar="TIME", help="time for putting them, such as 60s or 5m")
    add("--seed", type=seed, default=0, metavar="S|random", help="where the draws begin (default: 0)")
    add("--area", choices=AREAS, default=AREAS[0], metavar="A", help=f"what to explore: {', '.join(AREAS)}")
    add("-j", dest="jobs", type=at_least(1), metavar="N", help="processes side by side (default: the cores)")
    add("--shrink", type=duration, metavar="TIME", help="time for making one failure smaller (default: 10s)")
    add("--repeat-failures", type=at_least(1), default=5, metavar="N", help="repeat what fails (default: 5)")
    add("--choice", action="append", default=[], metavar="NAME=VALUE", help="a choice of the built-in reference")
    add_limits(parser)
    parser.set_defaults(run=run)


def duration(text: str) -> float:
    """An argparse type for a time: seconds, or with an s or m behind them."""
    number, factor = (text[:-1], {"s": 1, "m": 60}[text[-1]]) if text[-1:] in ("s", "m") else (text, 1)
    if not number.isascii() or not number.isdecimal() or not 0 < int(number) * factor <= 7 * 24 * 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is no time such as 60s or 5m, and at most a week")
    return float(int(number) * factor)


def seed(text: str) -> int:
    """An argparse type for a seed; `random` draws one, which the report names."""
    if text == "random":
        return secrets.randbelow(MAX_SEED)
    if not text.isascii() or not text.isdecimal() or int(text) > MAX_SEED:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 to {MAX_SEED}, and not random")
    return int(text)


def run(options: argparse.Namespace) -> int:
    """Explore, print what was found, and give the exit code."""
    from keel_ref.conformance.explore_search import Plan
    from keel_ref.conformance.suite import load_suite

    if options.command and options.choice:
        raise UsageError("--choice is for the built-in reference; an adapter declares its own in hello")
    plan = Plan(
        seed=options.seed,
        examples=options.examples,
        budget_seconds=options.budget,
        jobs=options.jobs or count_cores(),
        repeats=options.repeat_failures,
        shrink_seconds=options.shrink,
        limits=read_limits(options),
    )
    exploration = explore_command(load_suite(), options.command, options.choice, plan)
    return int(exploration.code)


def explore_command(
    suite: "Suite", command: tuple[str, ...], choices: list[str], plan: "Plan", *, is_quiet: bool = False
) -> "Exploration":
    """Explore a command, or without one the built-in reference; save what fails and print what was found.

    The quiet print it on stderr.
    """
    from keel_ref.conformance.explore import explore
    from keel_ref.conformance.explore_report import render_exploration, save_findings
    from keel_ref.conformance.report_terminal import COLOURED, PLAIN
    from keel_ref.conformance.runner import SHOWN_REFERENCE, make_subject, reference_command

    shown = command or (*SHOWN_REFERENCE, *(word for choice in choices for word in ("--choice", choice)))
    subjects = [make_subject(suite, command or reference_command(choices), plan.limits) for _ in range(plan.jobs)]
    try:
        exploration = explore(suite, subjects, plan)
    finally:
        for subject in subjects:
            subject.close()
    saved: Mapping[str, SavedFailure] = {}
    try:
        saved = save_findings(exploration, suite, shown)
    except OSError as error:
        print(f"keel-ref: failures were not saved: {error}", file=sys.stderr)
    palette = COLOURED if is_terminal() and not is_quiet else PLAIN
    put(render_exploration(exploration, suite, saved, palette), sys.stderr if is_quiet else sys.stdout)
    return exploration
