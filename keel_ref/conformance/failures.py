"""Failures on disk: a file that tells everything, and beside it two lines that any shell can send.

    head -2 .keel/failures/ID.ndjson | node adapter.mjs

shows the failure without this suite. Spec: schema/replay.json.
"""

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from keel_ref.conformance.limits import Limits
from keel_ref.conformance.runner import Run
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.verdict import Failure, TestResult, Verdict, keep_outcome
from keel_ref.conformance.wire import (
    Call,
    Hello,
    Outcome,
    Program,
    ProgramItem,
    Question,
    encode_line,
    outcome_to_object,
    question_to_object,
    request_to_object,
)

SCHEMA: Final = "keel-replay/1"
"""What every failure file says it is."""
FOLDER: Final = Path(".keel/failures")
"""Where failures go without being asked, below the folder one is in."""


@frozen
class SavedFailure:
    """Where a failure lies, and the two ways of seeing it again."""

    path: Path
    """The file that tells everything."""
    replay: str
    """The command that sends it again."""
    shell: str
    """The same by plain shell."""


def save_failures(run: Run, folder: Path = FOLDER) -> Mapping[str, SavedFailure]:
    """Write down every unexpected failure of a run, by the test's id. Raises `OSError`."""
    failed = [result for result in run.results if result.verdict is Verdict.FAIL and result.failure is not None]
    if failed:
        folder.mkdir(parents=True, exist_ok=True)
    return {result.vector.id: _save(run, result, folder) for result in failed}


def _save(run: Run, result: TestResult, folder: Path) -> SavedFailure:
    path = folder / f"{result.vector.id}-{result.vector.digest[:4]}.json"
    saved = SavedFailure(path, _replay_line(run, path), _shell_line(run, path))
    record = failure_record(run, result, shell=saved.shell)
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    minimal = run.minimal.get(result.vector.id)
    path.with_suffix(".ndjson").write_bytes(
        plain_lines(run.suite, run.policy.limits, minimal.question if minimal else result.vector.question)
    )
    return saved


def failure_record(run: Run, result: TestResult, *, shell: str) -> dict[str, Any]:
    """What a failure file says: the smallest call that fails, what is right for it, and what came."""
    assert result.failure is not None
    minimal = run.minimal.get(result.vector.id)
    vector = result.vector
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "property": vector.id,
        "clauses": list(vector.clauses),
        "suite": run.suite.version,
        "revision": run.suite.revision,
        "impl": dict(run.hello.impl) if run.hello else {},
        "choices": dict(run.choices),
        "seed": run.policy.seed,
        "request": request_record(minimal.question if minimal else vector.question),
        "expected": minimal.expect if minimal else vector.expect,
        "actual": outcome_to_object(minimal.outcome) if minimal else actual_of(result.failure),
        "first_difference": minimal.mismatch.message if minimal else result.failure.message,
        "minimal": minimal.ending.value if minimal else "as written",
        "repeats": str(result.repeats) if result.repeats else "",
        "shell": shell,
    }
    if minimal:
        name = "program" if isinstance(vector.question, ProgramItem) else "call"
        record["original"] = {name: question_to_object(vector.question), "expected": vector.expect}
    return record


def actual_of(failure: Failure | None, outcome: Outcome | None = None) -> dict[str, Any]:
    """What came of a call, in the form of an answer; a broken wire stands under its kind."""
    if failure is not None and failure.outcome is None:
        return {failure.kind.value: failure.message}
    came = failure.outcome if failure is not None else outcome
    assert came is not None
    return outcome_to_object(keep_outcome(came))


def request_record(question: Question) -> dict[str, Any]:
    """The request that shows a failure, without an id."""
    asked = question_to_object(question)
    return {"op": "program", **asked} if isinstance(question, ProgramItem) else {"op": "call", "calls": [asked]}


def plain_lines(suite: Suite, limits: Limits, question: Question) -> bytes:
    """Two lines that show a failure to any adapter: a hello whose nonce is always the same, and the request."""
    hello = Hello(
        id=0,
        nonce="replay",
        suite=f"keel-ref {suite.version}",
        revisions=(suite.revision,),
        timeout_ms=limits.timeout_ms,
    )
    asked = Program(id=1, item=question) if isinstance(question, ProgramItem) else Call(id=1, calls=(question,))
    requests = (hello, asked)
    return b"".join(encode_line(request_to_object(request)) for request in requests)


def _replay_line(run: Run, path: Path) -> str:
    return f"keel-ref replay {shlex.quote(str(path))}{behind_dashes(run.command)}"


def behind_dashes(command: Sequence[str]) -> str:
    """The command behind `--`, as one would type it; nothing for the built-in reference."""
    is_ours = tuple(command[:2]) == ("keel-ref", "serve")
    return "" if is_ours and len(command) == len(("keel-ref", "serve")) else f" -- {shlex.join(command)}"


def _shell_line(run: Run, path: Path) -> str:
    return f"head -2 {shlex.quote(str(path.with_suffix('.ndjson')))} | {shlex.join(run.command)}"
