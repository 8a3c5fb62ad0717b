"""A session that another project publishes, with the total that it publishes."""

from pathlib import Path

import pytest

from keel_ref.adapters.session_stream import read_session_log
from keel_ref.audit.gather import gather
from keel_ref.audit.recording import Recording
from keel_ref.audit.report import Audit, audit
from keel_ref.conformance.marks import clause
from keel_ref.window.limits import window_limits

EXAMPLE = Path(__file__).parent / "claude-context-cost" / "example.jsonl"
PUBLISHED_TOTAL = 159_160
PUBLISHED_RESPONSES = 7
PUBLISHED_ESTIMATES = {"Read": 2_000, "Bash": 1_000, "Grep": 625, "Glob": 125}
"""The column `chars/4` of its tools."""
SYNTHETIC_TOKENS = 1_010
"""Of a row that the client wrote by itself."""


@pytest.fixture(scope="module")
def recording() -> Recording:
    """The example as the audit reads it."""
    return gather(EXAMPLE.read_bytes().splitlines(keepends=True), "example.jsonl")


@pytest.fixture(scope="module")
def audited(recording: Recording) -> Audit:
    """What the checks say of it."""
    return audit(recording, window_limits(recording.model), is_window_known=True)


@clause("TRN-030")
def test_the_published_total_is_ours(recording: Recording) -> None:
    """Seven responses, each once."""

    assert PUBLISHED_RESPONSES == len(recording.responses)
    assert PUBLISHED_TOTAL == sum(response.sent for response in recording.responses)


@clause("TRN-030", "EST-015", "EST-019")
def test_a_sum_over_rows_is_too_high() -> None:
    """By row 272,360; by response the total, and what the synthetic row says where that is taken for one."""
    log = read_session_log(str(EXAMPLE))
    other = log.totals.input_total - PUBLISHED_TOTAL

    assert (13, 272_360) == (log.naive.responses, log.naive.input_total)
    assert other in {0, SYNTHETIC_TOKENS}


@clause("EST-001")
def test_the_published_estimates_are_ours(audited: Audit) -> None:
    """Of every tool."""
    ours = {share.source: share.tokens for share in audited.over_session}

    assert PUBLISHED_ESTIMATES == {tool: ours[f"results of {tool}"] for tool in PUBLISHED_ESTIMATES}


@clause("EST-016")
def test_what_its_authors_measured_is_found(audited: Audit) -> None:
    """The usual estimate is too low, by about 38 % where text came in."""
    (finding,) = audited.findings

    assert ("A14", "warning") == (finding.check, finding.level)
    assert (4_264, 6_500) == (finding.evidence["estimated"], finding.evidence["recorded"])


def test_its_broken_line_is_reported(recording: Recording) -> None:
    """And nothing is lost beside it."""

    assert (22, "broken-line") in [(one.line, one.reason) for one in recording.problems]
    assert [line for line in range(1, 34) if line != 22] == [step.line for step in recording.steps]
