"""Forms of rows that other people's recordings have, as public reports show them: nothing stops, nothing is guessed."""

import json
from typing import Any

import pytest

from keel_ref.recording.course import Boundary, Pass, course_of
from keel_ref.recording.findings import Rule, Verdict
from keel_ref.recording.record import file_seen, read_record
from keel_ref.recording.verify import verify
from tests.unit.recording.test_verify import Line, answer, boundary, differing, of, prompt, report_of


def sizes(lines: list[Line]) -> list[int]:
    """The context before each answer and each boundary."""
    course = course_of(read_record(json.dumps(line).encode() for line in lines))
    return [event.size.tokens for event in course if isinstance(event, Pass | Boundary)]


def result(units: int, **more: Any) -> Line:
    """A result of that size."""
    block = {"type": "tool_result", "tool_use_id": "t", "content": "a" * units}
    return {"type": "user", "uuid": "r", "message": {"content": [block]}, **more}


ERROR: Line = {
    **answer(0, 7, model="<synthetic>", content="API Error"),
    "isApiErrorMessage": True,
}


@pytest.mark.parametrize(
    ("lines", "tokens"),
    [
        pytest.param([answer(150_000, 0), ERROR], 150_002, id="B200: an error row measures nothing"),
        pytest.param([answer(80_000, 0), {**answer(190_000, 1), "isSidechain": True}], 80_000, id="B201: a side row"),
        pytest.param([answer(100_000, 0), result(400_000)], 200_000, id="B203: what came after the usage is estimated"),
        pytest.param([answer(100_000, 0), result(4, toolUseResult={"stdout": "b" * 9_000})], 100_001, id="R-15"),
        pytest.param([answer(9_000, 0), answer(9_000, 0)], 9_000, id="B190: one answer in two rows, one uuid"),
        pytest.param(
            [answer(9_000, 0), {**answer(0, 1), "message": {"id": "m1", "content": "abcd", "usage": None}}],
            9_001,
            id="B204: no usage",
        ),
        pytest.param(
            [
                answer(9_000, 0),
                {**prompt(1), "uuid": "x", "parentUuid": "y"},
                {**prompt(2), "uuid": "y", "parentUuid": "x"},
            ],
            9_002,
            id="B199: a loop of parents",
        ),
        pytest.param([{"type": "file-history-snapshot", "messageId": "a0"}, answer(9_000, 0)], 9_000, id="B198"),
        pytest.param([answer(9_000, 0), {"type": "summary", "summary": "old " * 99}], 9_000, id="a title"),
        pytest.param([answer(9_000, 0), {**prompt(1), "isVisibleInTranscriptOnly": True}], 9_000, id="only shown"),
    ],
)
def test_the_size_is_that_of_what_the_model_sees(lines: list[Line], tokens: int) -> None:
    """At a boundary behind them."""
    held = [prompt(0), *lines, *boundary("manual", tokens)]

    assert tokens == sizes(held)[-1]
    assert [] == differing(report_of(held))


def test_a_boundary_written_again_counts_once() -> None:
    """B193: the rows before it stand in the file twice, with their names."""
    told = [prompt(0), answer(170_000, 0), *boundary("auto", 170_000)]
    report = report_of([*told, *told, answer(9, 1)])

    assert (1, 2) == (report.boundaries, report.passes)
    assert [] == differing(report)


def test_a_file_that_begins_with_a_summary_has_lost_nothing() -> None:
    """The session that it goes on from lies in another file."""
    summary = boundary("auto", 1)[1]

    assert [] == differing(report_of([summary, prompt(0), answer(9_000, 0)]))


def test_an_older_file_without_boundaries_says_so() -> None:
    """Nothing is compared with a guess, and a note tells what is missing."""
    report = report_of([prompt(0), answer(9_000, 0)])

    assert [Verdict.EXACT] == [one.verdict for one in report.findings]
    assert any("no boundary" in note for note in report.notes)


def test_kept_rows_leave_their_files_open() -> None:
    """A boundary that kept rows: its size is compared, what came back is not known; usage of kept rows is void."""
    row, summary = boundary("manual", 9_000)
    row["compactMetadata"]["preservedSegment"] = {"headUuid": "a0", "anchorUuid": "s", "tailUuid": "a0"}
    row["compactMetadata"]["preservedSegment"]["tailUuid"] = "a9"
    kept = [answer(9_000, 0), answer(9_000, 9)]
    lines = [prompt(0), *kept, row, summary, *kept, prompt(1), answer(20, 1)]
    report = report_of(lines)

    assert [Verdict.EXACT] == [one.verdict for one in of(report, Rule.SIZE)]
    assert [Verdict.UNKNOWN] == [one.verdict for one in of(report, Rule.FILES)]
    assert [1, 9_000, 9_000, 3] == sizes(lines)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"file": {"filePath": "f", "content": "a", "startLine": 1, "numLines": 1, "totalLines": 1}}, "a"),
        ({"file": {"filePath": "f", "content": "a", "startLine": 2, "numLines": 1, "totalLines": 2}}, None),
        ({"file": {"filePath": "f", "content": "a", "startLine": 1, "numLines": 1, "totalLines": 2}}, None),
        ({"type": "create", "filePath": "f", "content": "a"}, "a"),
        ({"filePath": "f", "oldString": "a", "newString": "b"}, None),
        ({"file": {"filePath": "f", "base64": "aaaa"}}, None),
    ],
)
def test_a_file_is_known_where_it_was_seen_whole(value: Any, text: str | None) -> None:
    """Read whole, or written; a part and an edit leave it open."""
    seen = file_seen(value)

    assert seen is not None
    assert text == seen.text


@pytest.mark.parametrize("value", [None, "text", [], {}, {"file": 3}, {"file": {}}, {"stdout": ""}, {"filePath": 3}])
def test_other_results_speak_of_no_file(value: Any) -> None:
    """Whatever stands there."""

    assert file_seen(value) is None


def test_bytes_that_are_no_rows_end_in_a_report() -> None:
    """B185, B186, B189: bad lines are counted, their neighbours stay, and a cut last line does no harm."""
    report = verify(
        read_record([b'{"type":"user","message":{"content":"a"}}', b"{", b"5", b"\xff", b'{"a":"one', b'{"type":"assi'])
    )

    assert (1, (2, 3, 4, 5, 6)) == (report.rows, report.broken)
