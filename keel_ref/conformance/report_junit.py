"""The report that build servers read: one testcase a test, real failures, no durations; equal runs are equal."""

import re
from collections.abc import Mapping
from typing import Final
from xml.etree import ElementTree as ET

from keel_ref.conformance.failures import SavedFailure
from keel_ref.conformance.runner import Run
from keel_ref.conformance.verdict import TestResult, Verdict, is_binding

_SKIPPED: Final[Mapping[Verdict, str]] = {
    Verdict.XFAIL: "fails as expected",
    Verdict.NOT_CLAIMED: "not claimed",
    Verdict.NOT_APPLICABLE: "not applicable",
    Verdict.WITHDRAWN: "withdrawn",
}
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may hold, not even escaped."""


def write_junit(run: Run, saved: Mapping[str, SavedFailure]) -> str:
    """A run as the text of a JUnit file."""
    suite = ET.Element("testsuite", name=f"keel-ref {run.suite.version}", tests=str(len(run.results)))
    _add_properties(
        suite,
        {
            "revision": run.suite.revision,
            "implementation": run.hello.name if run.hello else "",
            "command": " ".join(run.command),
            "vectors": run.suite.digest,
            "exit": str(int(run.conclusion.code)),
        },
    )
    for result in run.results:
        counts = is_binding(result.level, is_should_strict=run.policy.is_should_strict)
        _add_case(suite, result, saved.get(result.vector.id), counts=counts)
    for name, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(len(suite.findall(f"testcase/{element}"))))
    suite.set("time", "0")
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_case(suite: ET.Element, result: TestResult, saved: SavedFailure | None, *, counts: bool) -> None:
    case = ET.SubElement(suite, "testcase", classname=f"keel.{result.vector.area}", name=result.vector.id, time="0")
    properties = {"clauses": " ".join(result.vector.clauses), "level": result.level.value}
    if saved is not None:
        properties |= {"replay": saved.replay, "shell": saved.shell}
    _add_properties(case, properties)
    note = _clean(result.note)
    if result.verdict in _SKIPPED:
        ET.SubElement(
            case, "skipped", message=f"{_SKIPPED[result.verdict]}: {note}" if note else _SKIPPED[result.verdict]
        )
    elif result.verdict is Verdict.FAIL and result.failure is not None and not counts:
        message = f"{result.level.value}, so it fails no run: {_clean(result.failure.message)}"
        ET.SubElement(case, "skipped", message=message)
    elif result.verdict is Verdict.FAIL and result.failure is not None:
        message = _clean(result.failure.message)
        failure = ET.SubElement(case, "failure", type=result.failure.kind.value, message=message)
        failure.text = _clean(f"fault: {result.failure.fault.value}\n{result.vector.why}\n{result.failure.message}")
    elif result.verdict is Verdict.XPASS:
        ET.SubElement(case, "failure", type="xpass", message=f"passes, though {note}")
    elif result.verdict in (Verdict.SUITE_ERROR, Verdict.INCONCLUSIVE):
        ET.SubElement(case, "error", type=result.verdict.value, message=note)


def _add_properties(parent: ET.Element, values: Mapping[str, str]) -> None:
    properties = ET.SubElement(parent, "properties")
    for name, value in values.items():
        ET.SubElement(properties, "property", name=name, value=_clean(value))


def _clean(text: str) -> str:
    return _NO_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
