"""Fills `spec/corpus/`: draws programs, and freezes the few that together show everything that any of them shows.

    python -m tests.corpus.fill

Each program is kept with its whole trace, as the model has it, under every value of each choice that changes it. A
program once published keeps its id, which is made from what it says; so filling again adds and removes whole lines.
"""

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from keel_ref.choices import registered
from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.explore_findings import PROGRAM_CLAUSES
from keel_ref.conformance.oracle import ask_reference
from keel_ref.conformance.reference import start_reference_program
from keel_ref.conformance.registry import load_registries
from keel_ref.conformance.wire import Ok, ProgramItem
from keel_ref.resources import spec_folder
from keel_ref.strategies.draws import SeededDraw
from keel_ref.strategies.program_config import Thresholds
from keel_ref.strategies.program_drawing import DrawnProgram, draw_program

SEED: Final = 2026
POOL: Final = 3_000
"""Programs to choose from."""
LONGEST: Final = 14
"""Draws of one of them; a draw is one step, or a whole course of steps."""
MOST_STEPS: Final = 60
"""A course that comes out longer is not taken: a person reads what fails."""
DEPTH: Final = 2
"""Programs that show each thing, where there are so many."""
MOST: Final = 220
"""Programs of the corpus."""
MOST_CHOICES: Final = 2
"""Choices that may change one trace; with more of them a program says too little about any."""

Feature = tuple[Any, ...]


@frozen(kw_only=True)
class Candidate:
    """A program and what it shows."""

    drawn: DrawnProgram
    features: frozenset[Feature]

    @property
    def item(self) -> ProgramItem:
        """What is sent."""
        return ProgramItem(config=self.drawn.config, steps=tuple(self.drawn.steps))


def draw_pool() -> list[Candidate]:
    """The programs to choose from."""
    base = CallConfig()
    pool = []
    for index in range(POOL):
        drawn = draw_program(
            SeededDraw(SEED, index), lambda config: start_reference_program(config, base), longest=LONGEST
        )
        if len(drawn.steps) <= MOST_STEPS:
            pool.append(Candidate(drawn=drawn, features=frozenset(features(drawn))))
    return pool


def features(drawn: DrawnProgram) -> Iterator[Feature]:
    """Everything that a program shows: decisions and their surroundings, errors, and sizes that lie on an edge."""
    gates = json.dumps(drawn.config.get("gates"), sort_keys=True)
    bands: dict[str, str] = {}
    last = ""
    last_acted: tuple[str, ...] = ()
    for step, outcome in zip(drawn.steps, drawn.trace, strict=True):
        name, args = step
        session = args.get("s", "a")
        if "error" in outcome:
            yield "error", name, outcome["error"]["kind"]
            continue
        ok = outcome["ok"]
        before, after = bands.get(session, "ok"), ok.get("band", bands.get(session, "ok"))
        bands[session] = after
        yield "bands", name, args.get("kind"), before, after
        yield "behind", last, name, after
        for key in ("compact", "why", "end", "by", "failures", "suppressed"):
            if key in ok:
                yield key, name, str(ok[key])
        if name == "observe":
            yield "looked", last_acted, str(ok["suppressed"]), ok["failures"]
        if "acted" in ok:
            last_acted = tuple(ok["acted"])
            yield "source", str(args.get("source", "")), ok["compact"]
            yield "snip", "snip" in args, "snip" in ok["acted"], after, ok["end"]
            yield "acted", tuple(ok["acted"]), ok["end"]
            yield "gates", gates, ok["compact"], tuple(ok["acted"])
        if "calls" in ok:
            yield "calls", name, ok["calls"], str(ok.get("compact", ok.get("why")))
        yield from _edges(drawn, name, ok)
        yield from _brought_back(ok)
        last = name


def _edges(drawn: DrawnProgram, name: str, ok: Mapping[str, Any]) -> Iterator[Feature]:
    for which, size in enumerate(Thresholds.of(drawn.config).context):
        distance = ok.get("used", -9) - size
        if abs(distance) <= 1:
            yield "edge", name, which, distance, ok.get("band")


def _brought_back(ok: Mapping[str, Any]) -> Iterator[Feature]:
    """How many rows of each kind a compaction put back."""
    kinds = [row.partition(":")[0] for row in (*ok.get("ids", ()), *ok.get("sent", ())) if isinstance(row, str)]
    for kind in set(kinds):
        yield "back", kind, kinds.count(kind)


def choose(pool: Sequence[Candidate]) -> list[Candidate]:
    """Few programs that together show everything, each time the one that adds most for its length."""
    missing: dict[Feature, int] = {}
    for candidate in pool:
        for feature in candidate.features:
            missing[feature] = min(missing.get(feature, 0) + 1, DEPTH)
    left = list(pool)
    chosen: list[Candidate] = []
    while left and len(chosen) < MOST:
        best = max(left, key=lambda one: _gain(one, missing))
        if _gain(best, missing) == 0:
            break
        left.remove(best)
        chosen.append(best)
        for feature in best.features:
            missing[feature] -= missing[feature] > 0
    return chosen


def _gain(candidate: Candidate, missing: Mapping[Feature, int]) -> float:
    return sum(missing[feature] > 0 for feature in candidate.features) / (4 + len(candidate.drawn.steps))


def record(candidate: Candidate) -> dict[str, Any] | None:
    """The line of a program; none where too many choices change its trace."""
    item = candidate.item
    program = {"config": dict(item.config), "steps": list(item.steps)}
    expect = expectation(item)
    if expect is None:
        return None
    digest = hashlib.sha256(json.dumps(program, sort_keys=True).encode()).hexdigest()
    words = sorted({word for kind, _, word, *_ in candidate.features if kind in ("compact", "why")})
    known = load_registries().decisions
    resumed = PROGRAM_CLAUSES if any(step[0] == "resume" for step in item.steps) else PROGRAM_CLAUSES[:1]
    clauses = dict.fromkeys([*resumed, *(known[word].clause for word in words if word in known)])
    return {
        "id": f"corpus-{digest[:8]}",
        "clauses": list(clauses),
        "needs": ["program"],
        "why": f"a whole course of a session; it shows {', '.join(words) or 'sizes and bands'}",
        "program": program,
        "expect": expect,
        "blessed": ["reference"],
    }


def expectation(item: ProgramItem) -> dict[str, Any] | None:
    """The trace, for each value of each choice that changes it; none where there are too many of these."""
    names = [name for name in registered() if not name.startswith("memory.")]
    usual = _trace(item, {})
    changing = [name for name in names if any(_trace(item, {name: value}) != usual for value in registered()[name][1:])]
    if len(changing) > MOST_CHOICES:
        return None
    traces = {
        values: _trace(item, dict(zip(changing, values, strict=True)))
        for values in product(*(registered()[name] for name in changing))
    }
    return _nest(changing, (), traces)


def _nest(names: Sequence[str], chosen: tuple[str, ...], traces: Mapping[tuple[str, ...], Any]) -> dict[str, Any]:
    if len(chosen) == len(names):
        return {"subset": traces[chosen]}
    name = names[len(chosen)]
    return {"choice": name, "cases": {value: _nest(names, (*chosen, value), traces) for value in registered()[name]}}


def _trace(item: ProgramItem, choices: Mapping[str, str]) -> Any:
    outcome = ask_reference(item, CallConfig(choices=choices))
    assert isinstance(outcome, Ok), "drawn under a config that is right"
    return outcome.value


def fill(path: Path) -> int:
    """Write the corpus; gives the number of its programs."""
    records = [found for candidate in choose(draw_pool()) if (found := record(candidate)) is not None]
    records.sort(key=lambda one: str(one["id"]))
    path.parent.mkdir(exist_ok=True)
    lines = [json.dumps(one, separators=(",", ":")) + "\n" for one in records]
    path.write_text("".join(lines), encoding="utf-8")
    return len(records)


if __name__ == "__main__":
    sys.stdout.write(f"{fill(spec_folder() / 'corpus' / 'compaction.ndjson')} programs\n")
