"""`keel-ref calibrate`: a family of one's own, fitted to one's own texts and one's own tokenizer."""

from __future__ import annotations

import argparse

from keel_ref.cli.options import Paragraphs, Subparsers, at_least

API_CALLS = 200
"""Calls at most, if nothing is said, where each goes over a network."""
LOCAL_CALLS = 2_000
"""The same for a tokenizer on this disk."""
EXAMPLE = """\
examples:
  keel-ref calibrate docs/*.md src/*.py --tokenizer tokenizer.json --out mine.json
  keel-ref calibrate docs/*.md src/*.py --model MODEL --out mine.json --dry-run    what would be sent; sends nothing
  keel-ref estimate --family mine.json README.md

Pieces of 2,000 characters are drawn from the texts, always the same ones, and counted; one file in three is held out to
try the table on. With --model each piece is sent to the provider to be counted, with the key from ANTHROPIC_API_KEY;
{api_calls} calls at most, retries among them, unless --max-calls says otherwise. Every count is kept in the state file
at once: what was broken off goes on with the same command, and no piece is asked for twice. A file that is no UTF-8 is
left out, and of a very large one only the beginning is used; both are told on stderr.

What holds of the table: each piece that it was fitted to is at or above its count. Weights end at 255; where some would
be above, the others are raised instead. Only a piece whose count is above what 255 everywhere gives (about 4 tokens a
byte) can lie below; then that is said, and the exit code is 1. Of other texts nothing is promised; the pieces held out
show what to expect.

The file gives the family its name, which may be none of the published ones: {families}

exit codes:
  0    written, and every fitted piece is at or above its count
  1    written, but some fitted piece is not
  2    wrong usage, no key, a file that cannot be read or written
  4    stopped before all was counted; the same command goes on
  130  broken off"""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    from keel_ref.tokens.families import FAMILIES

    parser = subparsers.add_parser(
        "calibrate",
        description="Fit the bound to your own texts and your own tokenizer: a published table, scaled so that every "
        "piece that it is fitted to is at or above its count; how it does on the pieces held out is told. Writes a "
        "file for `--family` and keel_ref.load_family.",
        epilog=EXAMPLE.format(api_calls=API_CALLS, families=", ".join(FAMILIES)),
        formatter_class=Paragraphs,
    )
    add = parser.add_argument
    add("texts", nargs="+", metavar="TEXT", help="files such as those that will be estimated; better many than few")
    counter = parser.add_mutually_exclusive_group(required=True)
    counter.add_argument("--tokenizer", metavar="FILE", help="count by this tokenizer.json")
    counter.add_argument("--model", help="count by the provider's counting call for this model")
    add("--base-url", metavar="URL", help="another address of the provider's interface (only with --model)")
    add("--out", required=True, metavar="FILE", help="where the table goes")
    add(
        "--family",
        metavar="BASE",
        help="the table to scale: a published family, or a file that this wrote (default: the nearest one)",
    )
    default = f"default: {API_CALLS} with --model, {LOCAL_CALLS} with --tokenizer"
    add("--max-calls", type=at_least(2), metavar="N", help=f"counts at most, retries among them ({default})")
    add("--state", metavar="FILE", help="where counts are kept (default: OUT.state with --model, else nowhere)")
    add("--dry-run", action="store_true", help="say what would be counted and sent, and stop")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Draw, count what is not counted yet, fit, write."""
    from keel_ref.cli.calibrate_run import Job, count_windows, dry_run, plan_job
    from keel_ref.cli.calibrate_write import write_table
    from keel_ref.conformance.exits import ExitCode

    most = options.max_calls or (API_CALLS if options.model else LOCAL_CALLS)
    job: Job = plan_job(options, most)
    if options.dry_run:
        return dry_run(job)
    counts = count_windows(job)
    if counts is None:
        return ExitCode.INCONCLUSIVE
    return write_table(job, counts)
