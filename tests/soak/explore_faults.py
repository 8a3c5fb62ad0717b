"""Explores the model with one fault in it, over the wire, for each fault: `make explore-faults`.

Says which faults programs find, how many steps the smallest program has, and how long making it small took.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from attrs import frozen

from keel_ref.conformance.explore import explore
from keel_ref.conformance.explore_search import Plan
from keel_ref.conformance.runner import make_subject
from keel_ref.conformance.shrink import Ending
from keel_ref.conformance.suite import load_suite
from tests.mutants.compaction import PROGRAM_MUTANTS
from tests.mutants.mutant import Mutant


@frozen(kw_only=True)
class Hunt:
    """What exploration made of one fault."""

    name: str
    steps: int | None
    """Steps of the smallest program that shows it; None: no program does."""
    is_minimal: bool = False
    seconds: float = 0.0
    """The whole run, start-up of the process included."""


def hunt(mutant: Mutant, *, seed: int, examples: int) -> Hunt:
    """Explore one fault with one process."""
    plan = Plan(seed=seed, examples=examples, jobs=1)
    suite = load_suite()
    command = (sys.executable, "-m", "tests.mutants.serve_mutant", mutant.name)
    subject = make_subject(suite, command, plan.limits)
    begun = time.monotonic()
    try:
        found = explore(suite, [subject], plan)
    finally:
        subject.close()
    seconds = time.monotonic() - begun
    if found.error is not None and not found.findings:
        return Hunt(name=mutant.name, steps=0, seconds=seconds)  # it does not even start, or dies all the time
    findings = [finding for finding in found.findings if not finding.is_nondeterministic]
    if not findings:
        return Hunt(name=mutant.name, steps=None, seconds=seconds)
    smallest = min(findings, key=lambda finding: len(finding.seen.item.steps))
    is_minimal = smallest.ending is Ending.ONE_MINIMAL
    return Hunt(name=mutant.name, steps=len(smallest.seen.item.steps), is_minimal=is_minimal, seconds=seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Explore every fault, or those whose name holds a word, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="faults whose name, or whose module, holds this")
    options = parser.parse_args(arguments)
    mutants = [one for one in PROGRAM_MUTANTS if options.only in f"{one.name} {one.module}"]
    with ThreadPoolExecutor(2) as pool:
        hunts = list(pool.map(lambda one: hunt(one, seed=options.seed, examples=options.examples), mutants))
    for one in sorted(hunts, key=lambda found: (found.steps is None, found.steps or 0, found.name)):
        size = "not found" if one.steps is None else f"{one.steps} steps"
        remark = "" if one.is_minimal or one.steps is None else "  not minimal"
        sys.stdout.write(f"{one.name:55} {size:>10}  {one.seconds:6.1f} s{remark}\n")
    sizes = [one.steps for one in hunts if one.steps]
    median, most = statistics.median(sizes or [0]), max(sizes, default=0)
    sys.stdout.write(f"{len(sizes)} of {len(hunts)} found; median {median} steps, most {most}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
