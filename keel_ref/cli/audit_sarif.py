"""The audit as a SARIF 2.1.0 log, which code scanning takes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from keel_ref.audit.finding import CHECKS, Check, Finding
from keel_ref.audit.report import Audit
from keel_ref.cli.audit_json import as_text
from keel_ref.conformance.reference import suite_version

VERSION: Final = "2.1.0"
SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_PLACES: Final = {name: place for place, name in enumerate(CHECKS)}


def write_sarif(audits: Sequence[Audit]) -> str:
    """One run; equal input gives equal bytes."""
    return as_text(as_sarif(audits))


def as_sarif(audits: Sequence[Audit]) -> Mapping[str, Any]:
    """The log, in plain values."""
    return {
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "keel-ref audit",
                        "semanticVersion": suite_version(),
                        "rules": [_rule(check) for check in CHECKS.values()],
                    }
                },
                "columnKind": "utf16CodeUnits",
                "results": [_result(found, finding) for found in audits for finding in found.findings],
            }
        ],
    }


def _rule(check: Check) -> Mapping[str, Any]:
    clauses = ", ".join(check.clauses)
    return {
        "id": check.name,
        "shortDescription": {"text": f"{check.title[0].upper()}{check.title[1:]}."},
        "fullDescription": {"text": f"Principle {check.principle}: {check.title}. Clauses: {clauses}."},
        "help": {"text": f"What to do: {check.advice}."},
        "properties": {"tags": [check.principle, *check.clauses]},
    }


def _result(found: Audit, finding: Finding) -> Mapping[str, Any]:
    uri = as_uri(found.recording.name)
    further = [line for line in finding.evidence.get("lines", ()) if line != finding.line]
    related = [{"id": number, **_location(uri, line)} for number, line in enumerate(further, start=1)]
    return {
        "ruleId": finding.check,
        "ruleIndex": _PLACES[finding.check],
        "level": str(finding.level),
        "message": {"text": finding.message},
        "locations": [_location(uri, finding.line)],
        **({"relatedLocations": related} if related else {}),
        "properties": {"evidence": dict(finding.evidence)},
    }


def _location(uri: str, line: int) -> Mapping[str, Any]:
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}}


def as_uri(name: str) -> str:
    """The name as a URI: relative where it is, `file:` where it begins at the root. Standard input has a name too."""
    if name == "-":
        return "stdin"
    path = quote(os.fsencode(name))
    if path.startswith("/"):
        return f"file://{path}"
    return f"./{path}" if ":" in path.partition("/")[0] or "%3A" in path.partition("/")[0] else path
