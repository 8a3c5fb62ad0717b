"""The report of record: one JSON document, sorted, without clock, duration or process id. Spec: schema/report.json.

Equal runs give equal bytes, so two reports can be compared by a byte comparison.
"""

import json
import platform
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from keel_ref.conformance.compare import NOTHING, Difference
from keel_ref.conformance.runner import Run
from keel_ref.conformance.select import describe_selection
from keel_ref.conformance.verdict import ClauseResult, Failure, TestResult, count_verdicts
from keel_ref.conformance.wire import WIRE_VERSIONS, question_to_object

if TYPE_CHECKING:
    from keel_ref.conformance.explore import Exploration

SCHEMA: Final = "keel-report/1"
"""What every report says it is."""
CLAIM: Final = "A claim by whoever ran the suite; run the command again to verify it."
"""What a report is worth."""


def report_run(run: Run) -> dict[str, Any]:
    """A run as the object of its report."""
    hello = run.hello
    return {
        "schema": SCHEMA,
        "claim": CLAIM,
        "suite": run.suite.version,
        "revision": run.suite.revision,
        "wire": hello.wire if hello else max(WIRE_VERSIONS),
        "digests": {"vectors": run.suite.digest},
        "platform": f"{platform.system()} {platform.machine()}".lower(),
        "command": list(run.command),
        "impl": dict(hello.impl) if hello else {},
        "capabilities": dict(sorted(hello.capabilities.items())) if hello else {},
        "choices": dict(sorted(run.choices.items())),
        "unknown_claims": list(run.unknown_claims),
        "selection": describe_selection(run.selection),
        "policy": _report_policy(run),
        "counts": {verdict.value: count for verdict, count in count_verdicts(run.results).items()},
        "clause_counts": {verdict.value: count for verdict, count in count_verdicts(run.clauses).items()},
        "clauses": [_report_clause(clause) for clause in run.clauses],
        "tests": [_report_test(result) for result in run.results],
        "expected": [
            {"id": found.entry.id, "status": found.status.value, "tests": list(found.tests)} for found in run.entries
        ],
        **({"exploration": _report_exploration(run.exploration)} if run.exploration else {}),
        "exit": {"code": int(run.conclusion.code), "reasons": list(run.conclusion.reasons)},
    }


def write_report(run: Run) -> str:
    """The report as the text of its file."""
    return json.dumps(report_run(run), indent=1) + "\n"


def _report_exploration(exploration: "Exploration") -> Mapping[str, Any]:
    return {
        "seed": exploration.plan.seed,
        "programs": exploration.programs,
        "steps": exploration.steps,
        "findings": [
            {
                "id": finding.name,
                "clauses": list(finding.clauses),
                "failure": _report_failure(finding.seen.failure),
                "repeats": [finding.repeats.failed, finding.repeats.runs],
                "steps": len(finding.seen.item.steps),
                "minimal": finding.ending.value if finding.ending else "as written",
                "program": question_to_object(finding.seen.item),
            }
            for finding in exploration.findings
        ],
    }


def _report_policy(run: Run) -> Mapping[str, Any]:
    policy = run.policy
    return {
        "timeout_ms": policy.limits.timeout_ms,
        "handshake_timeout_ms": policy.limits.handshake_timeout_ms,
        "max_respawns": policy.limits.max_respawns,
        "repeat_failures": policy.repeat_failures,
        "strict_should": policy.is_should_strict,
        "required": list(policy.required),
        "min_tests": policy.min_tests,
        "reveal_ids": policy.reveal_ids,
        "seed": policy.seed,
    }


def _report_clause(clause: ClauseResult) -> Mapping[str, Any]:
    return {"id": clause.id, "level": clause.level.value, "status": clause.verdict.value, "tests": clause.tests}


def _report_test(result: TestResult) -> Mapping[str, Any]:
    row: dict[str, Any] = {
        "id": result.vector.id,
        "clauses": list(result.vector.clauses),
        "level": result.level.value,
        "area": result.vector.area,
        "digest": result.vector.digest,
        "verdict": result.verdict.value,
    }
    if result.note:
        row["note"] = result.note
    if result.failure is not None:
        row["failure"] = _report_failure(result.failure)
    if result.repeats is not None:
        row["repeats"] = [result.repeats.failed, result.repeats.runs]
    return row


def _report_failure(failure: Failure) -> Mapping[str, Any]:
    return {
        "kind": failure.kind.value,
        "fault": failure.fault.value,
        "message": failure.message,
        **_report_difference(failure.difference),
    }


def _report_difference(difference: Difference | None) -> Mapping[str, Any]:
    if difference is None:
        return {}
    row: dict[str, Any] = {"at": difference.path}
    if difference.expected is not NOTHING:
        row["expected"] = difference.expected
    if difference.got is not NOTHING:
        row["got"] = difference.got
    return row
