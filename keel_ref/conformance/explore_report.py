"""What exploration has to say: each way of failing with the steps that show it, and what it comes to; and its files."""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from keel_ref.conformance.compare import plain_text
from keel_ref.conformance.exits import ExitCode
from keel_ref.conformance.explore import Exploration
from keel_ref.conformance.explore_findings import Finding
from keel_ref.conformance.failures import (
    FOLDER,
    SCHEMA,
    SavedFailure,
    actual_of,
    behind_dashes,
    plain_lines,
    request_record,
)
from keel_ref.conformance.report_terminal import (
    CONCLUSIONS,
    ENDINGS,
    PLAIN,
    Palette,
    render_difference,
    render_field,
    shorten,
)
from keel_ref.conformance.show_call import show_program
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.wire import question_to_object

_INDENT = " " * 11
_STDERR_LINES = 6


def save_findings(
    exploration: Exploration, suite: Suite, command: Sequence[str], folder: Path = FOLDER
) -> Mapping[str, SavedFailure]:
    """Write down every way of failing, by its name. Raises `OSError`."""
    if exploration.findings:
        folder.mkdir(parents=True, exist_ok=True)
    return {finding.name: _save(exploration, finding, suite, command, folder) for finding in exploration.findings}


def _save(
    exploration: Exploration, finding: Finding, suite: Suite, command: Sequence[str], folder: Path
) -> SavedFailure:
    path = folder / f"{finding.name}-{exploration.plan.seed}-{finding.number}.json"
    lines = path.with_suffix(".ndjson")
    saved = SavedFailure(
        path,
        f"keel-ref replay {shlex.quote(str(path))}{behind_dashes(command)}",
        f"head -2 {shlex.quote(str(lines))} | {shlex.join(command)}",
    )
    record = finding_record(exploration, finding, suite, shell=saved.shell)
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    lines.write_bytes(plain_lines(suite, exploration.plan.limits, finding.seen.item))
    return saved


def finding_record(exploration: Exploration, finding: Finding, suite: Suite, *, shell: str) -> dict[str, Any]:
    """What a failure file says of a program, in the form of `schema/replay.json`."""
    seen, original = finding.seen, finding.original
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "property": finding.name,
        "clauses": list(finding.clauses),
        "suite": suite.version,
        "revision": suite.revision,
        "impl": dict(exploration.hello.impl) if exploration.hello else {},
        "choices": dict(exploration.choices),
        "seed": exploration.plan.seed,
        "request": request_record(seen.item),
        "expected": seen.expect,
        "actual": actual_of(seen.failure),
        "first_difference": seen.failure.message,
        "minimal": finding.ending.value if finding.ending else "as written",
        "repeats": str(finding.repeats),
        "shell": shell,
    }
    if original.item != seen.item:
        record["original"] = {"program": question_to_object(original.item), "expected": original.expect}
    return record


def render_exploration(
    exploration: Exploration, suite: Suite, saved: Mapping[str, SavedFailure], palette: Palette = PLAIN
) -> str:
    """Everything that a run of exploration has to say, ready to be printed."""
    lines: list[str] = []
    for finding in exploration.findings:
        lines.extend(render_finding(finding, suite, saved.get(finding.name), palette))
        lines.append("")
    lines.extend(_render_summary(exploration, suite, palette))
    return "\n".join(lines) + "\n"


def render_finding(
    finding: Finding, suite: Suite, saved: SavedFailure | None = None, palette: Palette = PLAIN
) -> Iterator[str]:
    """One way of failing as a block of lines."""
    failure = finding.seen.failure
    repeats = f"{'nondeterministic' if finding.is_nondeterministic else 'deterministic'} {finding.repeats}"
    head = f"{finding.name:<36} {' '.join(finding.clauses)}  MUST  {repeats}  fault: {failure.fault.value}"
    yield f"{palette.red}FAIL{palette.reset}  {head}"
    for name in finding.clauses[:1]:
        clause = suite.clauses.get(name)
        yield from render_field("clause", shorten(clause.text) if clause else name)
    if finding.note:
        yield from render_field("note", finding.note)
    count = len(finding.seen.item.steps)
    if finding.ending is not None:
        before = len(finding.original.item.steps)
        yield f"  minimal  {_steps(count)} (shrunk from {before}, {ENDINGS[finding.ending]})"
    else:
        yield f"  program  {_steps(count)}, as drawn"
    yield from (f"{_INDENT}  {line}" for line in show_program(finding.seen.item))
    if finding.seen.step is not None:
        yield f"  differs  after step {finding.seen.step + 1}"
    yield from render_difference(failure.difference, f"{failure.kind.value}: {failure.message}")
    for line in failure.stderr[-_STDERR_LINES:]:
        yield f"  stderr   {plain_text(line)}"
    bugs = [bug for name in finding.clauses if name in suite.clauses for bug in suite.clauses[name].bugs]
    if bugs:
        yield from render_field("seen in", ", ".join(dict.fromkeys(bugs)))
    if saved is not None:
        yield f"  replay   {saved.replay}"
        yield f"  shell    {saved.shell}"


def _steps(count: int) -> str:
    return f"{count} step" if count == 1 else f"{count} steps"


def _render_summary(exploration: Exploration, suite: Suite, palette: Palette) -> Iterator[str]:
    name = plain_text(exploration.hello.name) if exploration.hello else "an adapter that did not say who it is"
    yield f"keel-ref {suite.version}, revision {suite.revision}, tier X, against {name}"
    yield f"programs {exploration.programs}, {exploration.steps} steps, seed {exploration.plan.seed}"
    if exploration.error is not None:
        yield from (f"  stderr   {plain_text(line)}" for line in exploration.error.stderr[-_STDERR_LINES:])
    for reason in exploration.reasons:
        yield f"  - {plain_text(reason)}"
    code = exploration.code
    colour = palette.green if code is ExitCode.CONFORMANT else palette.red
    words = "no program fails" if code is ExitCode.CONFORMANT else CONCLUSIONS[code]
    yield f"{colour}exit {int(code)}: {words}{palette.reset}"
