"""Runs the machines with one fault in the model, for each fault that is sown: `make machine-faults`.

Says which machine finds the fault and by what, and how many steps its smallest sequence has.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from tests.mutants.mutant import ROOT, Mutant
from tests.mutants.seeded import SEEDED

MACHINES = ("paired", "laws")
"""The model beside the naive version of its chapters, and the model under the laws."""
EXAMPLES = {"paired": 1_000, "laws": 200}
LIMIT_SECONDS = 180
"""Time for one fault in one machine."""


@frozen(kw_only=True)
class Hunt:
    """What one machine made of one fault."""

    fault: str
    clause: str
    machine: str
    by: str | None
    """The law or the difference that shows it; None: the machine does not find it."""
    steps: int = 0
    """Steps of the smallest sequence, within the time for making it smaller."""
    seconds: float = 0.0


def hunt(mutant: Mutant, machine: str, examples: int) -> Hunt:
    """Run one machine with one fault, in a process of its own."""
    command = [sys.executable, "-m", "tests.soak.machine_fault", mutant.name, machine, str(examples)]
    nothing = Hunt(fault=mutant.name, clause=mutant.clause, machine=machine, by=None, seconds=LIMIT_SECONDS)
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=LIMIT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return nothing
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        return evolve(nothing, by=f"the process ended with {done.returncode}")
    found: dict[str, Any] = json.loads(lines[-1])
    return evolve(nothing, by=found["by"], steps=found.get("steps", 0), seconds=found["seconds"])


def kept(lines: Path | None) -> set[tuple[str, str]]:
    """Faults and machines of which the file speaks already, from a run that was broken off."""
    if lines is None or not lines.exists():
        return set()
    rows = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    return {(row["fault"], row["machine"]) for row in rows}


def hunts(
    mutants: Sequence[Mutant], machines: Sequence[str], examples: int | None, there: Container[tuple[str, str]]
) -> Iterator[Hunt]:
    """Every machine for every fault, one after the other."""
    for machine in machines:
        for mutant in mutants:
            if (mutant.name, machine) in there:
                continue
            yield hunt(mutant, machine, examples or EXAMPLES[machine])


def summary(found: Sequence[Hunt]) -> Iterator[str]:
    """A line for each machine, and one for both."""
    for machine in dict.fromkeys(one.machine for one in found):
        own = [one for one in found if one.machine == machine]
        sizes = [one.steps for one in own if one.by is not None]
        yield f"{machine}: {len(sizes)} of {len(own)} found, median {statistics.median(sizes or [0])} steps"
    names = {one.fault for one in found}
    yield f"{len({one.fault for one in found if one.by is not None})} of {len(names)} found by any machine"


def main(arguments: Sequence[str] | None = None) -> int:
    """Hunt every fault, or those whose name holds a word, print what came of it, and keep it where that is asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, help="examples of each machine")
    parser.add_argument("--only", default="", help="faults whose name, or whose module, holds this")
    parser.add_argument("--machine", choices=MACHINES, help="only this machine")
    parser.add_argument("--lines", type=Path, help="a file to which a JSON object for each run is added")
    options = parser.parse_args(arguments)
    mutants = [one for one in SEEDED if options.only in f"{one.name} {one.module}"]
    there = kept(options.lines)
    found: list[Hunt] = []
    for one in hunts(mutants, (options.machine,) if options.machine else MACHINES, options.examples, there):
        found.append(one)
        said = "not found" if one.by is None else f"{one.steps} steps"
        sys.stdout.write(f"{one.machine:7} {one.fault:48} {said:>10} {one.seconds:6.1f} s  {(one.by or '')[:80]}\n")
        sys.stdout.flush()
        if options.lines:
            with options.lines.open("a", encoding="utf-8") as lines:
                row = {name: getattr(one, name) for name in Hunt.__annotations__}
                lines.write(json.dumps(row) + "\n")
    sys.stdout.write("".join(f"{line}\n" for line in summary(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
