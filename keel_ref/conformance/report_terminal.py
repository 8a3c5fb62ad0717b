"""The report for a person: each failure with the sentence it breaks and how to see it again, then what it comes to."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from keel_ref.conformance.compare import Difference, plain_text, show_value
from keel_ref.conformance.exits import ExitCode
from keel_ref.conformance.failures import SavedFailure
from keel_ref.conformance.runner import Run
from keel_ref.conformance.show_call import show_question
from keel_ref.conformance.shrink import Ending, Minimal
from keel_ref.conformance.verdict import ClauseResult, Failure, TestResult, Verdict, count_verdicts
from keel_ref.conformance.wire import ProgramItem

_WIDTH: Final = 110
_INDENT: Final = " " * 11
_STDERR_LINES: Final = 6
_CLAUSE_CAP: Final = 320
ENDINGS: Final[Mapping[Ending, str]] = {
    Ending.ONE_MINIMAL: "one-minimal",
    Ending.TRIES: "all tries used",
    Ending.TIME: "all time used",
    Ending.MISBEHAVED: "until the adapter broke the wire",
}
CONCLUSIONS: Final[Mapping[ExitCode, str]] = {
    ExitCode.CONFORMANT: "conformant in all that is claimed",
    ExitCode.NOT_CONFORMANT: "not conformant",
    ExitCode.USAGE: "wrong usage",
    ExitCode.ADAPTER: "the adapter cannot be tested",
    ExitCode.INCONCLUSIVE: "inconclusive",
    ExitCode.SUITE: "the suite is at fault",
}


@frozen(kw_only=True)
class Palette:
    """Escapes for colours; all empty where the output is no terminal."""

    red: str = ""
    green: str = ""
    dim: str = ""
    reset: str = ""


PLAIN: Final = Palette()
COLOURED: Final = Palette(red="\x1b[31m", green="\x1b[32m", dim="\x1b[2m", reset="\x1b[0m")


def render_run(run: Run, saved: Mapping[str, SavedFailure], palette: Palette = PLAIN) -> str:
    """Everything that a run has to say, ready to be printed."""
    lines: list[str] = []
    for result in run.results:
        if result.verdict in (Verdict.FAIL, Verdict.SUITE_ERROR):
            lines.extend(render_failure(run, result, saved.get(result.vector.id), palette))
            lines.append("")
    lines.extend(_render_summary(run, palette))
    return "\n".join(lines) + "\n"


def render_failure(run: Run, result: TestResult, saved: SavedFailure | None, palette: Palette) -> Iterator[str]:
    """One failure as a block of lines: the clause, the smallest input, what differs, and how to see it again."""
    vector, failure = result.vector, result.failure
    fault = failure.fault.value if failure else "suite"
    word = "FAIL" if result.verdict is Verdict.FAIL else "SUITE ERROR"
    head = f"{vector.id:<44} {' '.join(vector.clauses)}  {result.level.value}"
    repeats = f"  {_show_repeats(result)}" if result.repeats else ""
    yield f"{palette.red}{word}{palette.reset}  {head}{repeats}  fault: {fault}"
    clauses = [run.suite.clauses[name] for name in vector.clauses if name in run.suite.clauses]
    for clause in clauses[:1]:
        yield from render_field("clause", shorten(clause.text))
    for clause in clauses[1:]:
        yield from render_field("also", f"{clause.id} {clause.title}")
    if result.note:
        yield from render_field("note", result.note)
    if failure is None:
        return
    yield from render_field("why", vector.why)
    yield from _render_case(result, failure, run.minimal.get(vector.id))
    bugs = [bug for clause in clauses for bug in clause.bugs]
    seen = tuple(dict.fromkeys([*vector.seen, *bugs]))
    if seen:
        yield from render_field("seen in", ", ".join(seen))
    if saved is not None:
        yield f"  replay   {saved.replay}"
        yield f"  shell    {saved.shell}"


def _show_repeats(result: TestResult) -> str:
    assert result.repeats is not None
    is_always = result.repeats.failed == result.repeats.runs
    return f"{'deterministic' if is_always else 'nondeterministic'} {result.repeats}"


def _render_case(result: TestResult, failure: Failure, minimal: Minimal | None) -> Iterator[str]:
    """The smallest case that is known, what is right for it, and what came."""
    if minimal is not None:
        yield f"  minimal  {_show_size(minimal)}, {ENDINGS[minimal.ending]})"
        yield from (f"{_INDENT}  {line}" for line in show_question(minimal.question))
        yield from render_difference(minimal.mismatch.difference, minimal.mismatch.message)
        return
    word = "program" if isinstance(result.vector.question, ProgramItem) else "call"
    yield f"  {word:<8} as the test has it"
    yield from (f"{_INDENT}  {line}" for line in show_question(result.vector.question))
    yield from render_difference(failure.difference, f"{failure.kind.value}: {failure.message}")
    if failure.detail:
        yield from render_field("came", failure.detail)
    for line in failure.stderr[-_STDERR_LINES:]:
        yield f"  stderr   {plain_text(line)}"


def _show_size(minimal: Minimal) -> str:
    """How large the smallest case is, and how large the test was; the bracket is left open."""
    if isinstance(minimal.question, ProgramItem):
        count = len(minimal.question.steps)
        return f"{count} {'step' if count == 1 else 'steps'} (shrunk from {minimal.size_before}"
    count = len(minimal.question.args.get("tree", ()))
    return f"{count} tree {'entry' if count == 1 else 'entries'} (from {minimal.size_before}"


def render_difference(difference: Difference | None, message: str) -> Iterator[str]:
    """What was expected and what came, one below the other; a message where there are no two values."""
    if difference is None:
        yield from render_field("got", message)
        return
    place = f"{difference.path}  " if difference.path else ""
    yield f"  expected {place}{show_value(difference.expected)}"
    yield f"  got      {' ' * len(place)}{show_value(difference.got)}"


def shorten(text: str) -> str:
    """A clause in as many whole sentences as a reader takes in at a glance."""
    words = " ".join(text.split())
    if len(words) <= _CLAUSE_CAP:
        return words
    end = words.rfind(". ", 0, _CLAUSE_CAP)
    return f"{words[: end + 1] if end > 0 else words[:_CLAUSE_CAP]} …"


def render_field(name: str, text: str) -> Iterator[str]:
    """A text under a label, wrapped."""
    lines = textwrap.wrap(plain_text(text), _WIDTH - len(_INDENT)) or [""]
    yield f"  {name:<8} {lines[0]}"
    yield from (f"{_INDENT}{line}" for line in lines[1:])


def _render_summary(run: Run, palette: Palette) -> Iterator[str]:
    name = plain_text(run.hello.name) if run.hello else "an adapter that did not say who it is"
    wire = f"wire {run.hello.wire}" if run.hello else "no wire"
    yield f"keel-ref {run.suite.version}, revision {run.suite.revision}, {wire}, against {name}"
    yield f"tests    {_render_counts(run.results)}"
    yield f"clauses  {_render_counts(run.clauses)}"
    if run.unknown_claims:
        yield from render_field("unknown", f"claimed, but registered nowhere: {', '.join(run.unknown_claims)}")
    if run.error is not None and run.error.detail:
        yield from render_field("came", run.error.detail)
    if run.error is not None:
        yield from (f"  stderr   {plain_text(line)}" for line in run.error.stderr[-_STDERR_LINES:])
    for note in run.notes:
        yield from render_field("note", note)
    for reason in run.conclusion.reasons:
        yield f"  - {plain_text(reason)}"
    code = run.conclusion.code
    colour = palette.green if code is ExitCode.CONFORMANT else palette.red
    unclaimed = sum(clause.verdict is Verdict.NOT_CLAIMED for clause in run.clauses)
    rest = f"; {unclaimed} {'clause' if unclaimed == 1 else 'clauses'} not claimed" if unclaimed else ""
    yield f"{colour}exit {int(code)}: {CONCLUSIONS[code]}{rest}{palette.reset}"


def _render_counts(results: Sequence[TestResult | ClauseResult]) -> str:
    """Passed, failed and not claimed always; the others where there are any; what is no MUST apart."""
    counts = count_verdicts(results)
    always = (Verdict.PASS, Verdict.FAIL, Verdict.NOT_CLAIMED)
    words = {Verdict.PASS: "passed", Verdict.FAIL: "failed"}
    shown = [*always, *(verdict for verdict in Verdict if verdict not in always and counts[verdict])]
    text = ", ".join(f"{counts[verdict]} {words.get(verdict, verdict.value.replace('_', ' '))}" for verdict in shown)
    should = [result for result in results if result.level.value == "SHOULD"]
    if should:
        passed = sum(result.verdict is Verdict.PASS for result in should)
        text += f" (of these SHOULD: {passed} of {len(should)} passed)"
    return text
