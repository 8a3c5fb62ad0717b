"""What is found out about a failing program: whether it always fails, how small it gets, and what it breaks."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from attrs import evolve, field, frozen

from keel_ref.conformance.explore_probe import Asker, Seen
from keel_ref.conformance.explore_search import Plan
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.registry import load_registries
from keel_ref.conformance.shrink import Ending
from keel_ref.conformance.shrink_program import shrink_program
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.verdict import Repeats
from keel_ref.conformance.wire import size_question

PROGRAM_CLAUSES: Final = ("CMP-180", "CMP-181")
"""What every program is held to, and what one with a resume is, beside the clauses of the decisions in it."""


@frozen(kw_only=True)
class Finding:
    """One way of failing, as small as it gets."""

    name: str
    """The step and the field at which it shows, such as `program-pass-compact`."""
    number: int
    """The number of the program it was first seen in."""
    clauses: tuple[str, ...]
    seen: Seen
    """The smallest program that fails in this way."""
    original: Seen
    """The program as it was drawn."""
    repeats: Repeats
    """How often it failed when it was put again."""
    ending: Ending | None = None
    """Why it is not smaller; none where it was not made smaller."""
    tries: int = 0
    shrink_seconds: float = field(default=0.0, eq=False)
    """What making it smaller took."""
    note: str = ""
    """What else is worth knowing."""

    @property
    def is_nondeterministic(self) -> bool:
        """Whether a wrong answer came and went."""
        return self.seen.failure.kind is FailureKind.NONDETERMINISTIC


def look_into_all(
    failing: Sequence[tuple[int, Seen]], probers: Sequence[Asker], pool: ThreadPoolExecutor, plan: Plan, suite: Suite
) -> tuple[Finding, ...]:
    """Each way of failing once, shared out among the processes. Raises `AdapterError`."""
    chosen = list(_one_of_each(failing))

    def work(place: int) -> list[tuple[int, Finding | None]]:
        return [
            (order, look_into(number, seen, probers[place], plan, suite))
            for order, (number, seen) in list(enumerate(chosen))[place :: len(probers)]
        ]

    parts = list(pool.map(work, range(len(probers))))
    found = dict(one for part in parts for one in part)
    in_order = [found[order] for order in sorted(found)]
    return tuple(_distinct([finding for finding in in_order if finding is not None]))


def _one_of_each(failing: Sequence[tuple[int, Seen]]) -> Iterator[tuple[int, Seen]]:
    """Of programs that fail in one way, the one with the fewest steps; the way that was seen first comes first."""
    ways: dict[str, tuple[int, Seen]] = {}
    for number, seen in failing:
        way = name_of(seen)
        best = ways.get(way)
        if best is None or len(seen.item.steps) < len(best[1].item.steps):
            ways[way] = (number, seen)
    yield from ways.values()


def _distinct(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Of those that came down to one step and field, the smallest; where the first of them was."""
    best: dict[str, Finding] = {}
    for finding in findings:
        other = best.get(finding.name)
        if other is None or _size(finding) < _size(other):
            best[finding.name] = finding
    yield from best.values()


def _size(finding: Finding) -> tuple[int, int]:
    item = finding.seen.item
    return len(item.steps), size_question(item)


def look_into(number: int, seen: Seen, prober: Asker, plan: Plan, suite: Suite) -> Finding | None:
    """Put a failing program again, make it smaller, and try the smallest in a fresh process. Raises `AdapterError`.

    None for one that was only slow: behind a hang others are not waited for as long as they may take.
    """
    failed = sum(prober.probe(seen.item, seen.expect) is not None for _ in range(plan.repeats))
    repeats = Repeats(failed=failed, runs=plan.repeats)
    is_slow = seen.failure.kind is FailureKind.TIMEOUT and not failed
    if is_slow and prober.probe(seen.item, seen.expect, is_patient=True) is None:
        return None
    finding = Finding(
        name=name_of(seen), number=number, clauses=clauses_of(seen, suite), seen=seen, original=seen, repeats=repeats
    )
    if failed < plan.repeats:
        if seen.failure.is_of_process:  # a broken wire keeps its own kind
            return finding
        failure = evolve(seen.failure, kind=FailureKind.NONDETERMINISTIC)
        return evolve(finding, seen=evolve(seen, failure=failure))
    shrunk = shrink_program(seen, prober.probe, max_seconds=plan.shrink_seconds)
    prober.revive(is_fresh=True)
    again = prober.probe(shrunk.seen.item, shrunk.seen.expect, is_patient=True)
    note = "" if again else "it passes in a fresh process: something is left of the programs before it"
    return evolve(
        finding,
        name=name_of(shrunk.seen),
        clauses=clauses_of(shrunk.seen, suite),
        seen=again or shrunk.seen,
        ending=shrunk.ending,
        tries=shrunk.tries,
        shrink_seconds=shrunk.seconds,
        note=note,
    )


def name_of(seen: Seen) -> str:
    """A slug for a way of failing: the step and the field at which it shows, or what the process did."""
    if seen.failure.difference is None or seen.step is None:
        return f"program-{seen.failure.kind.value.replace('_', '-')}"
    fields = seen.failure.difference.path.partition("]")[2].replace("[", ".").split(".")
    words = [word for word in fields if word.isalpha() or "_" in word]
    return "-".join(["program", _step_name(seen), *words[1:2]]).replace("_", "-").lower() or "program"


def _step_name(seen: Seen) -> str:
    step = seen.item.steps[seen.step or 0]
    name = step[0] if isinstance(step, list) and step and isinstance(step[0], str) else ""
    return name if name.replace("_", "").isalpha() else "step"


def clauses_of(seen: Seen, suite: Suite) -> tuple[str, ...]:
    """The clauses of the decisions that the model took at the step where it shows, and those of every program."""
    decisions = load_registries().decisions
    words = [word for word in _words(_right_step(seen)) if word in decisions]
    is_resumed = any(isinstance(step, list) and step[:1] == ["resume"] for step in seen.item.steps)
    named = [*(decisions[word].clause for word in words), *PROGRAM_CLAUSES[: 2 if is_resumed else 1]]
    known = tuple(dict.fromkeys(name for name in named if name in suite.clauses))
    return known or PROGRAM_CLAUSES[:1]


def _right_step(seen: Seen) -> Mapping[str, Any]:
    trace = seen.expect.get("subset", [])
    step: Mapping[str, Any] = trace[seen.step] if seen.step is not None and seen.step < len(trace) else {}
    return step


def _words(outcome: Mapping[str, Any]) -> Iterator[str]:
    ok = outcome.get("ok", {})
    yield from (ok[name] for name in ("compact", "why") if isinstance(ok.get(name), str))
