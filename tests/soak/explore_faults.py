"""Explores the model with one fault in it, over the wire, for each fault that is sown: `make explore-faults`.

Says which faults programs find, how many steps the smallest program has, and how long making it small took.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import frozen

from keel_ref.choices import registered
from keel_ref.conformance.explore import explore
from keel_ref.conformance.explore_search import DEFAULT_EXAMPLES, Plan
from keel_ref.conformance.runner import make_subject
from keel_ref.conformance.shrink import Ending
from keel_ref.conformance.shrink_program import ShrunkProgram, shrink_program
from keel_ref.conformance.suite import load_suite
from tests.mutants.mutant import Mutant
from tests.mutants.seeded import SEEDED

CHOICES: Final = (
    "compaction.abort_counts",
    "compaction.inflated_summary",
    "compaction.oversize_restore",
    "compaction.refill_guard",
    "compaction.restore_recency",
    "tokens.fragments",
    "window.warning_base",
)
"""Choices that a program can show."""
OTHERWISE: Final[Mapping[str, str]] = {name: registered()[name][1] for name in CHOICES}
"""The other value of each, for a fault that the defaults do not show."""


MAX_FAILING: Final = 3
"""Failing programs to choose the smallest from."""
SHRINK_SECONDS: Final = 60
"""Time for making one small, enough also on a busy machine."""


@frozen(kw_only=True)
class Hunt:
    """What exploration made of one fault."""

    fault: str
    clause: str
    steps: int | None = None
    """Steps of the smallest program that shows it; None: no program does."""
    is_minimal: bool = False
    shrink_seconds: float = 0.0
    """Making one small; the longest, where several ways of failing were made small."""
    shrink_processor_seconds: float = 0.0
    """The same on the processors, of this process and the one that is explored: a busy machine does not count."""
    tries: int = 0
    """Candidates that were sent for the smallest program."""
    seconds: float = 0.0
    """All of it: start of the process, drawing, sending, making small."""
    way: str = ""
    """Where it shows, and the choices under which it does."""
    program: str = ""
    """The smallest program, as JSON."""


def hunt(mutant: Mutant, *, seed: int, examples: int) -> Hunt:
    """Explore one fault, under the defaults first, then under the other values of all choices."""
    found = _hunt(mutant, {}, seed=seed, examples=examples)
    return found if found.steps is not None else _hunt(mutant, OTHERWISE, seed=seed, examples=examples)


def _hunt(mutant: Mutant, choices: Mapping[str, str], *, seed: int, examples: int) -> Hunt:
    plan = Plan(seed=seed, examples=examples, jobs=1, max_failing=MAX_FAILING, shrink_seconds=SHRINK_SECONDS)
    times: list[float] = []
    suite = load_suite()
    declared = [word for name, value in choices.items() for word in ("--choice", f"{name}={value}")]
    command = (sys.executable, "-m", "tests.mutants.serve_mutant", mutant.name, *declared)
    subject = make_subject(suite, command, plan.limits)
    begun = time.monotonic()
    try:
        with _timed(times):
            found = explore(suite, [subject], plan)
    finally:
        subject.close()
    about = Hunt(fault=mutant.name, clause=mutant.clause, seconds=round(time.monotonic() - begun, 1))
    findings = [finding for finding in found.findings if not finding.is_nondeterministic]
    if not findings:
        return about
    smallest = min(findings, key=lambda finding: len(finding.seen.item.steps))
    item = smallest.seen.item
    return Hunt(
        fault=about.fault,
        clause=about.clause,
        seconds=about.seconds,
        steps=len(item.steps),
        is_minimal=smallest.ending is Ending.ONE_MINIMAL,
        shrink_seconds=round(max(finding.shrink_seconds for finding in findings), 2),
        shrink_processor_seconds=round(max(times, default=0.0), 2),
        tries=smallest.tries,
        way=f"{smallest.name}{', other choices' if choices else ''}",
        program=json.dumps([item.config, item.steps]),
    )


@contextmanager
def _timed(times: list[float]) -> Iterator[None]:
    """Keep what each shrinking costs on the processors."""

    def timed(*args: Any, **named: Any) -> ShrunkProgram:
        begun = _processor_seconds()
        try:
            return shrink_program(*args, **named)
        finally:
            times.append(_processor_seconds() - begun)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("keel_ref.conformance.explore_findings.shrink_program", timed)
        yield


def _processor_seconds() -> float:
    """What this process and its children used so far; children only where the system shows them."""
    ticks = 0
    for path in Path("/proc/self/task").glob("*/children"):
        for child in path.read_text(encoding="utf-8").split():
            fields = Path(f"/proc/{child}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def summary(found: Sequence[Hunt]) -> Iterator[str]:
    """What came of all of them, in one line."""
    shown = [one for one in found if one.steps is not None]
    sizes = [one.steps for one in shown if one.steps is not None]
    minimal = sum(one.is_minimal for one in shown)
    longest = max((one.shrink_processor_seconds for one in shown), default=0.0)
    yield (
        f"{len(shown)} of {len(found)} found; median {statistics.median(sizes or [0])} steps, "
        f"most {max(sizes, default=0)}; {minimal} one-minimal; made small in {longest} s of the processors at most"
    )


def kept(lines: Path | None) -> set[str]:
    """Faults of which the file speaks already, from a run that was broken off."""
    if lines is None or not lines.exists():
        return set()
    return {json.loads(line)["fault"] for line in lines.read_text(encoding="utf-8").splitlines()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Explore every fault, or those whose name holds a word, print what came of it, and keep it where that is asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=DEFAULT_EXAMPLES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="faults whose name, or whose module, holds this")
    parser.add_argument("--lines", type=Path, help="goes on with a file to which a JSON object for each fault is added")
    options = parser.parse_args(arguments)
    found: list[Hunt] = []
    there = kept(options.lines)
    for mutant in SEEDED:
        if options.only not in f"{mutant.name} {mutant.module}" or mutant.name in there:
            continue
        one = hunt(mutant, seed=options.seed, examples=options.examples)
        found.append(one)
        said = "not found" if one.steps is None else f"{one.steps} steps"
        remark = "" if one.is_minimal or one.steps is None else "  not minimal"
        shrunk = f"{one.shrink_processor_seconds:5.2f} s, {one.shrink_seconds:5.2f} s of {one.seconds:6.1f} s"
        sys.stdout.write(f"{one.fault:48} {said:>10}  {shrunk}  {one.way}{remark}\n")
        sys.stdout.flush()
        if options.lines:
            with options.lines.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps({name: getattr(one, name) for name in Hunt.__annotations__}) + "\n")
    sys.stdout.write("".join(f"{line}\n" for line in summary(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
