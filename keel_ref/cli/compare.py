"""`keel-ref compare`: two adapters, no oracle; where they differ."""

import argparse
import sys

from keel_ref.cli.explore import duration, seed
from keel_ref.cli.options import Subparsers, add_limits, at_least, count_cores, put, read_limits
from keel_ref.conformance.exits import UsageError

EXAMPLE = """\
example:
  keel-ref compare -- node old/adapter.mjs ---- node new/adapter.mjs
  keel-ref compare --examples 2000 -- ./one ---- ./other

exit codes:
  0 no difference   1 they differ   2 wrong usage   3 an adapter cannot be tested
  4 inconclusive: both claim nothing that could be compared   5 the suite is at fault
"""
SEPARATOR = "----"
"""Between the two commands."""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "compare",
        usage="keel-ref compare [options] -- CMD_A ... ---- CMD_B ...",
        description="Ask two implementations the calls of the suite and programs that are drawn from the model,\n"
        "and show where they differ, as small as it gets. Which of them is right is not said.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--examples", type=at_least(1), metavar="N", help="programs (default: 500, or what --budget allows)")
    add("--budget", type=duration, metavar="TIME", help="time for putting them, such as 60s or 5m")
    add("--seed", type=seed, default=0, metavar="S|random", help="where the draws begin (default: 0)")
    add("-j", dest="jobs", type=at_least(1), metavar="N", help="pairs of processes side by side (default: the cores)")
    add_limits(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Compare, print what differs, and give the exit code."""
    from keel_ref.conformance.compare_adapters import compare, render_comparison, save_comparison
    from keel_ref.conformance.explore_search import Plan
    from keel_ref.conformance.runner import make_subject
    from keel_ref.conformance.suite import load_suite

    commands = split_commands(options.command)
    plan = Plan(
        seed=options.seed,
        examples=options.examples,
        budget_seconds=options.budget,
        jobs=options.jobs or count_cores(),
        limits=read_limits(options),
    )
    suite = load_suite()
    one, other = commands
    pairs = [(make_subject(suite, one, plan.limits), make_subject(suite, other, plan.limits)) for _ in range(plan.jobs)]
    try:
        comparison = compare(suite, pairs, plan)
    finally:
        for pair in pairs:
            for subject in pair:
                subject.close()
    saved = {}
    try:
        saved = dict(save_comparison(comparison, suite))
    except OSError as error:
        print(f"keel-ref: what differs was not saved: {error}", file=sys.stderr)
    put("\n".join(render_comparison(comparison, commands, saved)) + "\n", sys.stdout)
    return int(comparison.code)


def split_commands(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The two commands. Raises `UsageError` where there are not two."""
    if words.count(SEPARATOR) != 1:
        raise UsageError(f"two commands are needed, with {SEPARATOR} between them: -- CMD_A ... {SEPARATOR} CMD_B ...")
    place = words.index(SEPARATOR)
    one, other = words[:place], words[place + 1 :]
    if not one or not other:
        raise UsageError(f"a command is missing; write -- CMD_A ... {SEPARATOR} CMD_B ...")
    return one, other
