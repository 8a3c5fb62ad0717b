"""A single fault of the model, and what the vectors of a clause say to it.

A fault counts as caught when a vector that names its clause gets another answer than expected. A crash is no answer: it
counts for those faults only that consist in a crash.
"""

import json
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from attrs import evolve, field, frozen

ROOT = Path(__file__).parents[2]
WORKERS = 2


@frozen(kw_only=True)
class Mutant:
    """One fault, written as a change of one place of one module."""

    name: str
    """What is wrong, in a few words joined by hyphens."""
    clause: str
    """The clause that the fault breaks; empty to run every vector of the area."""
    module: str
    """The module that holds the fault."""
    old: str
    """A piece of its source that stands there once."""
    new: str
    """What the fault makes of it."""
    areas: tuple[str, ...] = ("memory",)
    """The areas whose vectors are run."""
    is_crash: bool = False
    """Does the fault consist in a crash or a refusal, so that no answer is the sign of it?"""


@frozen(kw_only=True)
class Report:
    """What came of the vectors under one fault."""

    ran: int = 0
    """Vectors that were run."""
    wrong: Mapping[str, str] = field(factory=dict)
    """Vectors that got another answer than expected, each with the first difference."""
    crashed: Mapping[str, str] = field(factory=dict)
    """Vectors that got no answer: an exception, or an error in place of a result."""
    broken: str = ""
    """Why the fault could not be put in place, or could not be run to its end; empty when all went well."""


def run_all(mutants: Sequence[Mutant]) -> Mapping[str, Report]:
    """What comes of each mutant, by its name. Two processes share the work."""
    waiting = deque(mutants)
    with ThreadPoolExecutor(WORKERS) as pool:
        shares = [pool.submit(_work_off, waiting) for _ in range(min(WORKERS, len(mutants)))]
    return {name: report for share in shares for name, report in share.result()}


def _work_off(waiting: deque[Mutant]) -> list[tuple[str, Report]]:
    """Take mutants from the queue, one after the other, until none is left."""
    done: list[tuple[str, Report]] = []
    command = [sys.executable, "-m", "tests.mutants.run_mutant"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, encoding="utf-8") as runner:
        assert runner.stdin is not None
        assert runner.stdout is not None
        while waiting:
            try:
                mutant = waiting.popleft()
            except IndexError:  # the other one was faster
                break
            fault: dict[str, object] = {
                "module": mutant.module,
                "old": mutant.old,
                "new": mutant.new,
                "clause": mutant.clause,
            }
            fault["areas"] = list(mutant.areas)
            runner.stdin.write(json.dumps(fault) + "\n")
            runner.stdin.flush()
            done.append((mutant.name, Report(**json.loads(runner.stdout.readline()))))
    return done


def kills(mutant: Mutant, report: Report, control: Report) -> tuple[str, ...]:
    """The vectors that caught the fault: what fails without it, too, has caught nothing."""
    caught = {*report.wrong, *report.crashed} if mutant.is_crash else {*report.wrong}
    return tuple(sorted(caught - {*control.wrong, *control.crashed}))


def without_fault(mutant: Mutant) -> Mutant:
    """The same place left as it is, for every vector of the area."""
    return evolve(mutant, name=f"{mutant.name}-not", clause="", new=mutant.old)


def named(mutants: tuple[Mutant, ...]) -> pytest.MarkDecorator:
    """One test for each mutant, by its name, marked with its clause."""
    params = [pytest.param(mutant, id=mutant.name, marks=pytest.mark.clause(mutant.clause)) for mutant in mutants]
    return pytest.mark.parametrize("mutant", params)
