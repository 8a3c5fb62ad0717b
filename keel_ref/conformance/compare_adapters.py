"""Two implementations and no oracle: where they differ, in calls of the suite and in programs, as small as it gets."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import Final

from attrs import field, frozen

from keel_ref.conformance.compare import plain_text, show_value
from keel_ref.conformance.exits import ExitCode
from keel_ref.conformance.explore_findings import Finding, look_into_all
from keel_ref.conformance.explore_model import reference_model
from keel_ref.conformance.explore_pair import Pair, Parting
from keel_ref.conformance.explore_probe import Patience
from keel_ref.conformance.explore_search import Plan, Search
from keel_ref.conformance.failures import plain_lines
from keel_ref.conformance.hello import HelloAnswer, check_claims, declared_choices
from keel_ref.conformance.reductions import REDUCTIONS
from keel_ref.conformance.show_call import show_question
from keel_ref.conformance.subject import Subject
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.vectors import PROGRAM, Vector
from keel_ref.conformance.wire import CallItem, Question, size_question
from keel_ref.conformance.workers import cut_batches, start_all

FOLDER: Final = Path(".keel/differences")
"""Where what differs is kept, below the folder one is in."""
MAX_SHOWN: Final = 5
"""Differences in calls that are made smaller and shown, those with the smallest calls first."""
MAX_TRIES: Final = 100
"""Candidates for one of these."""


@frozen(kw_only=True)
class CallDifference:
    """One test's call that two implementations answer differently, made smaller."""

    name: str
    """The test's id."""
    call: CallItem
    parting: Parting


@frozen(kw_only=True)
class Comparison:
    """What came of comparing two implementations."""

    hellos: tuple[HelloAnswer, HelloAnswer]
    compared_calls: int
    """Calls that both were asked."""
    differing: tuple[str, ...]
    """Tests whose calls they answer differently."""
    calls: tuple[CallDifference, ...]
    """The first of these, made smaller."""
    programs: int
    """Programs that both were asked."""
    findings: tuple[Finding, ...]
    """Ways in which they differ in programs."""
    plan: Plan
    choices: Mapping[str, tuple[str, str]] = field(factory=dict)
    """Choices that they made differently, which alone can explain a difference."""

    @property
    def code(self) -> ExitCode:
        """How the comparison ends."""
        if self.differing or self.findings:
            return ExitCode.NOT_CONFORMANT
        return ExitCode.CONFORMANT if self.compared_calls or self.programs else ExitCode.INCONCLUSIVE


def compare(suite: Suite, pairs: Sequence[tuple[Subject, Subject]], plan: Plan) -> Comparison:
    """Compare pairs of processes, which are started here and closed by the caller. Raises `AdapterError`."""
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(max_workers=len(pairs)))
        sides = [[pair[number] for pair in pairs] for number in (0, 1)]
        stack.push(lambda kind, *_: kind is not None and _abort([*sides[0], *sides[1]]))
        one, other = (start_all(side, pool) for side in sides)
        for hello in (one, other):
            check_claims(hello, suite)
        patience = Patience(plan.limits.timeout_ms)
        askers = [Pair(*pair, patience) for pair in pairs]
        vectors = _shared(suite, one, other)
        differing = list(_differing(vectors, askers, pool))
        smallest = sorted(differing, key=lambda vector: size_question(vector.question))
        calls = [found for vector in smallest[:MAX_SHOWN] if (found := _make_smaller(vector, askers[0])) is not None]
        search = Search(plan, askers, reference_model({}))
        findings: tuple[Finding, ...] = ()
        if PROGRAM in one.capabilities and PROGRAM in other.capabilities:
            list(pool.map(search.work, range(len(pairs))))
            findings = look_into_all(search.failing(), askers, pool, plan, suite)
        chosen = [declared_choices(hello, suite) for hello in (one, other)]
        return Comparison(
            hellos=(one, other),
            compared_calls=len(vectors),
            differing=tuple(vector.id for vector in differing),
            calls=tuple(calls),
            programs=search.counted(),
            findings=findings,
            plan=plan,
            choices={name: (value, chosen[1][name]) for name, value in chosen[0].items() if chosen[1][name] != value},
        )


def _abort(subjects: Sequence[Subject]) -> bool:
    for subject in subjects:
        subject.abort()
    return False


def _shared(suite: Suite, one: HelloAnswer, other: HelloAnswer) -> list[Vector]:
    """The tests of calls whose needs both claim."""
    claimed = one.capabilities.keys() & other.capabilities.keys()
    usable = [vector for vector in suite.vectors if not vector.problems and isinstance(vector.question, CallItem)]
    return [vector for vector in usable if claimed.issuperset(vector.needs)]


def _differing(vectors: Sequence[Vector], askers: Sequence[Pair], pool: ThreadPoolExecutor) -> Iterator[Vector]:
    """The tests whose calls they answer differently, put in batches, shared out among the pairs."""
    batches = cut_batches(vectors)

    def work(number: int) -> dict[int, list[Vector]]:
        found: dict[int, list[Vector]] = {}
        for place in range(number, len(batches), len(askers)):
            calls = tuple(vector.question for vector in batches[place] if isinstance(vector.question, CallItem))
            if not askers[number].agree(calls):
                alone = [vector for vector in batches[place] if askers[number].part(vector.question) is not None]
                found[place] = alone
        return found

    parts = {place: alone for part in pool.map(work, range(len(askers))) for place, alone in part.items()}
    for place in sorted(parts):
        yield from parts[place]


def _make_smaller(vector: Vector, asker: Pair) -> CallDifference | None:
    """The smallest call on which they still differ, both giving a result where both did before."""
    parting, call = asker.part(vector.question), vector.question
    if parting is None or not isinstance(call, CallItem):
        return None
    tries = 0
    for reduce, size in product(REDUCTIONS, (16, 4, 1)):
        place = 0
        while (candidate := reduce(call, place, size)) is not None and tries < MAX_TRIES:
            tries += 1
            found = asker.part(candidate) if candidate != call else None
            if found is not None and found.is_about_results == parting.is_about_results:
                call, parting = candidate, found
            else:
                place += size
    return CallDifference(name=vector.id, call=call, parting=parting)


def save_comparison(comparison: Comparison, suite: Suite, folder: Path = FOLDER) -> Mapping[str, Path]:
    """Two lines for each difference that any shell can send to both, by its name. Raises `OSError`."""
    questions: dict[str, Question] = {found.name: found.call for found in comparison.calls}
    questions |= {finding.name: finding.seen.item for finding in comparison.findings}
    if questions:
        folder.mkdir(parents=True, exist_ok=True)
    paths: dict[str, Path] = {}
    for name, question in questions.items():
        paths[name] = folder / f"{name}.ndjson"
        paths[name].write_bytes(plain_lines(suite, comparison.plan.limits, question))
    return paths


def render_comparison(
    comparison: Comparison, commands: tuple[Sequence[str], Sequence[str]], saved: Mapping[str, Path]
) -> Iterator[str]:
    """What differs, line by line, and what it comes to."""
    for found in comparison.calls:
        yield from _render(found.name, found.call, found.parting, commands, saved.get(found.name))
    for finding in comparison.findings:
        difference = finding.seen.failure.difference
        assert difference is not None
        parting = Parting(one={}, other={}, difference=difference)
        yield from _render(finding.name, finding.seen.item, parting, commands, saved.get(finding.name))
    shown = {found.name for found in comparison.calls}
    hidden = [name for name in comparison.differing if name not in shown]
    if hidden:
        yield f"and {len(hidden)} more tests, such as {', '.join(hidden[:10])}"
    for name, values in comparison.choices.items():
        yield f"choice   {name}: A has {values[0]}, B has {values[1]}"
    yield f"A        {plain_text(comparison.hellos[0].name)}"
    yield f"B        {plain_text(comparison.hellos[1].name)}"
    yield f"calls    {comparison.compared_calls} compared, {len(comparison.differing)} differ"
    yield f"programs {comparison.programs} compared, {len(comparison.findings)} ways of differing"
    words = {ExitCode.CONFORMANT: "no difference", ExitCode.NOT_CONFORMANT: "they differ"}
    code = comparison.code
    yield f"exit {int(code)}: {words.get(code, 'inconclusive: nothing that both claim could be compared')}"


def _render(
    name: str, question: Question, parting: Parting, commands: tuple[Sequence[str], Sequence[str]], path: Path | None
) -> Iterator[str]:
    yield f"DIFFER  {name}"
    yield from (f"             {line}" for line in show_question(question))
    place = f"{parting.difference.path}  " if parting.difference.path else ""
    yield f"  A        {place}{show_value(parting.difference.expected)}"
    yield f"  B        {' ' * len(place)}{show_value(parting.difference.got)}"
    if path is not None:
        for command in commands:
            yield f"  shell    head -2 {shlex.quote(str(path))} | {shlex.join(command)}"
    yield ""
