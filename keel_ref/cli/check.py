"""`keel-ref check`: run the suite against an implementation and say what it gets wrong."""

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from keel_ref.cli.options import (
    Subparsers,
    add_limits,
    at_least,
    count_cores,
    filled,
    is_terminal,
    parse_pairs,
    put,
    read_limits,
    split_commas,
)
from keel_ref.conformance.exits import UsageError
from keel_ref.conformance.limits import Limits

if TYPE_CHECKING:
    from keel_ref.conformance.failures import SavedFailure
    from keel_ref.conformance.runner import Policy, Run
    from keel_ref.conformance.select import Selection
    from keel_ref.conformance.subject import Observer
    from keel_ref.conformance.suite import Suite
    from keel_ref.conformance.wiretap import LoneCalls

EXAMPLE = """\
example:
  keel-ref check                                    the built-in reference, through the same wire
  keel-ref check -- node adapter.mjs                somebody's implementation
  keel-ref check --area memory -k '*include*' -- ./adapter
  keel-ref check --expected keel-expected.toml --report junit=keel.xml -- ./adapter

exit codes:
  0 conformant in all that is claimed   1 not conformant          2 wrong usage
  3 the adapter cannot be tested        4 inconclusive            5 the suite is at fault
"""
REPORTS_NOW = ("json", "junit")
REPORTS_LATER = ("html", "md", "badge", "tap")


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "check",
        usage="keel-ref check [options] [-- CMD ...]",
        description="Run the suite against the implementation that CMD starts and that speaks the wire on its stdin\n"
        "and stdout. Without CMD it runs against the built-in reference, through the same wire.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_selection(parser.add_argument_group("which tests"))
    _add_policy(parser.add_argument_group("how strictly, and how long"))
    _add_output(parser.add_argument_group("what comes out"))
    parser.set_defaults(run=run)


def _add_selection(group: "argparse._ArgumentGroup") -> None:
    add = group.add_argument
    add("--revision", type=filled, metavar="R", help="revision of the specification (default: the only one here)")
    add("--profile", default="full", metavar="P", help="core, compaction, tokens, context, transcript or full")
    add("--area", type=filled, action="append", default=[], metavar="A", help="tests of an area; may be repeated")
    add(
        "--level", action="append", default=[], metavar="L", choices=("must", "should", "may"), help="must, should, may"
    )
    add("-k", dest="globs", action="append", default=[], metavar="GLOB", help="tests whose id matches; may be repeated")
    add("--id", action="append", default=[], metavar="ID", help="one test; may be repeated")
    add("--clause", type=filled, action="append", default=[], metavar="C", help="tests of a clause, e.g. MEM-005")
    tiers = "V (vectors), K (corpus), X (exploration); default: V,K"
    add("--tier", type=filled, action="append", default=[], metavar="T", help=tiers)
    add("--shard", type=filled, metavar="I/N", help="one of N parts, by the hash of the id")


def _add_policy(group: "argparse._ArgumentGroup") -> None:
    add = group.add_argument
    natural, positive = at_least(0), at_least(1)
    add("--expected", type=filled, metavar="FILE", help="the file of known failures (keel-expected.toml)")
    add("--accept-suite", action="store_true", help="use an expected file that was written for another suite")
    add("--require-capabilities", type=filled, action="append", default=[], metavar="A,B", help="code 4 unless claimed")
    add("--min-tests", type=natural, default=0, metavar="N", help="code 4 if fewer tests run")
    add("--strict-should", action="store_true", help="a failing SHOULD fails the run")
    add_limits(group)
    add(
        "--max-respawns",
        type=natural,
        default=Limits().max_respawns,
        metavar="N",
        help="restarts before code 3 (default: %(default)s)",
    )
    add("-j", dest="jobs", type=positive, metavar="N", help="processes side by side (default: the cores)")
    add("--seed", type=int, default=0, metavar="S", help="where exploration begins; named in the report")
    add("--repeat-failures", type=natural, default=5, metavar="N", help="repeat what fails (default: 5)")
    add("--shrink", type=natural, default=30, metavar="S", help="seconds for making failures smaller (default: 30)")
    add("--errata", default="latest", metavar="latest|none|FILE", help="withdrawn tests (default: latest)")
    add("--reveal-ids", action="store_true", help="tell the adapter which test is running")
    add("--fs", default="inline", choices=("inline", "disk"), help="how file trees travel (default: inline)")
    add("--validate-wire", action="store_true", help="hold both directions to the schema of the wire")
    add("--choice", action="append", default=[], metavar="NAME=VALUE", help="a choice of the built-in reference")


def _add_output(group: "argparse._ArgumentGroup") -> None:
    add = group.add_argument
    add("--report", action="append", default=[], metavar="KIND=FILE", help="json or junit; may be repeated")
    add("--json", action="store_true", help="the JSON report on stdout, everything else on stderr")
    add("--trace", choices=("failed", "all"), help="keep wire lines in .keel/trace")


def run(options: argparse.Namespace) -> int:
    """Run, report, and give the exit code."""
    from keel_ref.choices import Choices
    from keel_ref.conformance.runner import SHOWN_REFERENCE, reference_command, run_suite
    from keel_ref.conformance.suite import load_suite

    reports = _parse_reports(options)
    if options.fs == "disk":
        raise UsageError("--fs disk: not part of this version yet; trees travel inline")
    if options.command and options.choice:
        raise UsageError("--choice is for the built-in reference; an adapter declares its own in hello")
    Choices.of(parse_pairs("--choice", options.choice))  # refused here, or the reference would be called at fault
    suite = load_suite(errata=options.errata)
    selection, policy = _read_selection(options), _read_policy(options, suite)
    if selection.tiers == ("X",):
        raise UsageError("--tier X alone is `keel-ref explore`; here it goes with V or K, as in --tier V,K,X")
    command = options.command or reference_command(options.choice)
    shown = (*SHOWN_REFERENCE, *(word for choice in options.choice for word in ("--choice", choice)))
    with _watching(options) as (watch, finish):
        run = run_suite(
            suite,
            selection,
            command,
            policy,
            shown_command=options.command or shown,
            watch=watch,
        )
        finish(run)
    if "X" in selection.tiers:
        run = _explore(run, options)
    _put_out(run, options, reports)
    return int(run.conclusion.code)


def _explore(run: "Run", options: argparse.Namespace) -> "Run":
    """The run with what exploration found; an adapter that was given up before is not explored."""
    from keel_ref.cli.explore import explore_command
    from keel_ref.conformance.conclude import add_exploration
    from keel_ref.conformance.explore_search import Plan

    if run.error is not None:
        return run
    policy = run.policy
    plan = Plan(seed=policy.seed, jobs=policy.jobs, repeats=policy.repeat_failures, limits=policy.limits)
    exploration = explore_command(run.suite, options.command, options.choice, plan, is_quiet=options.json)
    conclusion = add_exploration(run.conclusion, exploration.code, exploration.reasons)
    return evolve(run, exploration=exploration, conclusion=conclusion)


def _parse_reports(options: argparse.Namespace) -> "list[tuple[str, Path]]":
    """Each report's kind and place; a place that is none is found out before the run, not behind it."""
    reports: list[tuple[str, Path]] = []
    for text in options.report:
        kind, equals, name = text.partition("=")
        if kind in REPORTS_LATER:
            raise UsageError(f"--report {kind}: not part of this version yet; there are {', '.join(REPORTS_NOW)}")
        if kind not in REPORTS_NOW or not equals or not name:
            raise UsageError(f"--report {text}: write KIND=FILE with KIND one of {', '.join(REPORTS_NOW)}")
        path = Path(name)
        if path.is_dir() or not path.absolute().parent.is_dir():
            raise UsageError(f"--report {text}: {path} is a folder, or lies in none that exists")
        reports.append((kind, path))
    return reports


def _read_selection(options: argparse.Namespace) -> "Selection":
    from keel_ref.conformance.clauses import Level
    from keel_ref.conformance.select import DEFAULT_TIERS, Selection, parse_shard

    return Selection(
        revision=options.revision or "",
        profile=options.profile,
        areas=split_commas(options.area),
        levels=tuple(Level(level.upper()) for level in options.level),
        globs=tuple(options.globs),
        ids=tuple(options.id),
        clauses=split_commas(options.clause),
        tiers=split_commas(options.tier) or DEFAULT_TIERS,
        shard=parse_shard(options.shard) if options.shard else None,
    )


def _read_policy(options: argparse.Namespace, suite: "Suite") -> "Policy":
    from keel_ref.conformance.expected import check_fit, load_expected
    from keel_ref.conformance.runner import Policy

    expected = load_expected(Path(options.expected)) if options.expected else None
    if expected:
        known = [vector.id for vector in suite.vectors]
        check_fit(expected, options.expected, suite=suite.version, known=known, is_other_accepted=options.accept_suite)
    required = split_commas(options.require_capabilities)
    for name in required:
        if name not in suite.capabilities:
            raise UsageError(f"--require-capabilities {name}: no such capability; see `keel-ref list capabilities`")
    return Policy(
        limits=evolve(read_limits(options), max_respawns=options.max_respawns),
        jobs=options.jobs or count_cores(),
        repeat_failures=options.repeat_failures,
        shrink_seconds=options.shrink,
        is_should_strict=options.strict_should,
        required=required,
        min_tests=options.min_tests,
        expected=expected,
        reveal_ids=options.reveal_ids,
        seed=options.seed,
    )


@contextlib.contextmanager
def _watching(
    options: argparse.Namespace,
) -> "Iterator[tuple[Callable[[int], Observer | None], Callable[[Run], None]]]":
    """Who is shown the wire lines of each process, and what is to be done with them behind the run."""
    if not options.trace and not options.validate_wire:
        yield (lambda _: None), (lambda _: None)
        return
    from keel_ref.conformance.wiretap import FOLDER, LoneCalls, SchemaCheck, WholeTrace, watch_all
    from keel_ref.resources import spec_folder

    lone: list[LoneCalls] = []
    with ExitStack() as stack:
        if options.trace:
            try:
                FOLDER.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UsageError(f"--trace: {FOLDER}: cannot be made ({error.strerror})") from error

        def watch(number: int) -> "Observer | None":
            observers: list[Observer] = [SchemaCheck(spec_folder())] if options.validate_wire else []
            if options.trace == "all":
                observers.append(WholeTrace(stack.enter_context((FOLDER / f"process-{number}.txt").open("wb"))))
            elif options.trace == "failed":
                lone.append(LoneCalls())
                observers.append(lone[-1])
            return watch_all(observers)

        yield watch, lambda run: _write_lone_calls(run, lone)


def _write_lone_calls(run: "Run", lone: "list[LoneCalls]") -> None:
    from keel_ref.conformance.wiretap import FOLDER

    for result in run.results if lone else ():
        if result.failure is not None:
            found = [line for tap in lone for line in tap.lines_of(result.vector, is_revealed=run.policy.reveal_ids)]
            (FOLDER / f"{result.vector.id}.txt").write_bytes(b"".join(found))


def _put_out(run: "Run", options: argparse.Namespace, reports: "list[tuple[str, Path]]") -> None:
    """Save failures, write reports, and tell the person."""
    from keel_ref.conformance.failures import SavedFailure, save_failures
    from keel_ref.conformance.report_terminal import COLOURED, PLAIN, render_run

    saved: Mapping[str, SavedFailure] = {}
    try:
        saved = save_failures(run)
    except OSError as error:
        print(f"keel-ref: failures were not saved: {error}", file=sys.stderr)
    for kind, path in reports:
        try:
            path.write_text(_render_report(kind, run, saved), encoding="utf-8")
        except OSError as error:
            raise UsageError(f"--report {kind}={path}: {error.strerror}") from error
    text = render_run(run, saved, COLOURED if is_terminal() and not options.json else PLAIN)
    put(text, sys.stderr if options.json else sys.stdout)
    if options.json:
        put(_render_report("json", run, saved), sys.stdout)


def _render_report(kind: str, run: "Run", saved: "Mapping[str, SavedFailure]") -> str:
    from keel_ref.conformance.report_json import write_report
    from keel_ref.conformance.report_junit import write_junit

    return write_report(run) if kind == "json" else write_junit(run, saved)
