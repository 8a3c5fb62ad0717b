"""What follows from what came before: breaker, refills, files that are not known well enough, lists of memory."""

import json
from typing import Any

import pytest

from keel_ref.recording.findings import Finding, Rule, Verdict
from keel_ref.recording.memory_files import MemoryNow, memory_findings
from keel_ref.recording.record import MemoryRecord, read_record
from keel_ref.recording.verify import Conditions
from tests.unit.recording.test_verify import Line, answer, boundary, differing, of, prompt, report_of

FULL = 170_000
EMPTY_TRUTH = {"attempts": [{"succeeded": True, "restored": []}]}


def full(number: int) -> list[Line]:
    """A prompt and an answer with which a compaction is due."""
    return [prompt(number), answer(FULL, number)]


def compacted(number: int) -> list[Line]:
    """A boundary of its own name, with its summary."""
    row, summary = boundary("auto", FULL)
    return [{**row, "uuid": f"b{number}"}, {**summary, "uuid": f"s{number}"}]


def attempts(results: str) -> dict[str, Any]:
    """A truth with an attempt for each letter: + succeeded, - failed."""
    return {"attempts": [{"succeeded": one == "+"} for one in results]}


def passes(lines: list[Line], truth: object) -> list[tuple[str, Verdict]]:
    """Clause and verdict of what was due."""
    found = of(report_of(lines, truth), Rule.PASSES)
    return [(one.clause, one.verdict) for one in found if not one.about.startswith("requests below")]


def test_a_success_closes_the_breaker() -> None:
    """Two failures, a success, three failures; only then is nothing tried."""
    lines = [*full(0), *full(1), *full(2), *compacted(0), *full(3), *full(4), *full(5), *full(6), *full(7)]
    lines.insert(6, {**prompt(90), "uuid": "between"})
    found = passes(lines, attempts("--+---"))

    assert [("CMP-074", Verdict.EXACT)] * 5 + [("CMP-073", Verdict.EXACT)] == found


def test_a_compaction_behind_an_open_breaker_is_against_the_rules() -> None:
    """Three failures, and yet a boundary."""
    lines = [*full(0), *full(1), *full(2), *full(3), *compacted(0), answer(9, 9)]

    assert ("CMP-073", Verdict.DIFFERS) in passes(lines, attempts("---+"))


@pytest.mark.parametrize(("requests", "differs"), [(3, True), (4, False)])
def test_three_refills_end_the_session(requests: int, differs: bool) -> None:
    """A fourth compaction is against the rules where each came within three requests; failed requests do not count."""
    error = {**answer(0, 99, model="<synthetic>"), "isApiErrorMessage": True}
    lines = full(0)
    for turn in range(4):
        small = [answer(9, 1_000 + 10 * turn + number) for number in range(requests - 1)]
        lines += [*compacted(turn), {**error, "uuid": f"e{turn}"}, *small, *full(2_000 + turn)]
    lines += [*compacted(9), answer(9, 9)]

    assert differs == ((Rule.PASSES, "CMP-076") in [(rule, clause) for rule, clause, _ in differing(report_of(lines))])


@pytest.mark.parametrize(("trigger", "quiet"), [("auto", 1), ("manual", 2), (None, 1)])
def test_a_request_that_compacted_is_none_below_the_threshold(trigger: str | None, quiet: int) -> None:
    """One behind a manual compaction is a request of its own."""
    report = report_of([prompt(0), answer(FULL, 0), *boundary(trigger, FULL), answer(9, 1)])

    assert [f"no compaction in {quiet}"] == [one.predicted for one in of(report, Rule.PASSES)]


def test_attachments_behind_the_usage_leave_the_size_open() -> None:
    """The file does not say how the client shows them."""
    reminder = {"type": "attachment", "uuid": "x", "attachment": {"type": "todo_reminder", "content": "x"}}
    found = of(report_of([prompt(0), answer(9_000, 0), reminder, *boundary("manual", 9_100)]), Rule.SIZE)

    assert [Verdict.UNKNOWN] == [one.verdict for one in found]


def test_a_window_that_fits_nowhere_is_that_of_the_table() -> None:
    """Neither 1,000,000 nor 200,000 explains a compaction at 9,000, so nothing is assumed."""
    window = report_of([prompt(0), answer(9_000, 0, model="claude-sonnet-4-6"), *boundary("auto", 9_000)]).window

    assert (1_000_000, False) == (window.window, window.is_assumed)


def read(path: str, text: str, *, lines: int = 1, at: str = "2026-11-30T10:00:00.000Z") -> list[Line]:
    """A call that reads a file, and its result."""
    name = f"t-{path}"
    call = {"type": "tool_use", "id": name, "name": "Read", "input": {"file_path": path}}
    file = {"filePath": path, "content": text, "startLine": 1, "numLines": 1, "totalLines": lines}
    block = {"type": "tool_result", "tool_use_id": name, "content": f"1\t{text}"}
    heard = {"type": "user", "uuid": f"r-{path}", "timestamp": at, "message": {"content": [block]}}
    return [{**answer(9_000, 5, content=[call]), "uuid": f"c-{path}"}, {**heard, "toolUseResult": {"file": file}}]


def files(reads: list[Line], restored: list[dict[str, str]], times: dict[str, int]) -> list[Finding]:
    """What is said of the files behind a manual boundary."""
    truth = {"attempts": [{"succeeded": True, "restored": restored}], "mtimes_ns": times}
    return of(report_of([prompt(0), *reads, *boundary("manual", 9_002)], truth), Rule.FILES)


LATER = 1_900_000_000_000_000_000


@pytest.mark.parametrize(
    ("reads", "time", "verdict"),
    [
        (read("/p/a.py", "x"), 1, Verdict.EXACT),
        (read("/p/a.py", "x", lines=2), 1, Verdict.UNKNOWN),
        (read("/p/a.py", "x"), LATER, Verdict.UNKNOWN),
        (read("/p/CLAUDE.md", "x"), 1, Verdict.UNKNOWN),
    ],
)
def test_a_file_that_is_not_known_is_no_difference(reads: list[Line], time: int, verdict: Verdict) -> None:
    """Read in part, changed later, or perhaps an instruction file; whatever came back for it."""
    path = reads[0]["message"]["content"][0]["input"]["file_path"]
    right, other = ({"path": one, "how": "inlined"} for one in (path, "/p/b.py"))
    found = [files(reads, [one], {path: time})[0].verdict for one in (right, other)]

    assert [verdict, Verdict.DIFFERS if verdict is Verdict.EXACT else Verdict.UNKNOWN] == found


def test_behind_a_file_that_may_be_gone_another_order_is_no_difference() -> None:
    """Its place may have gone to the next one."""
    reads = [*read("/p/a", "x", lines=2), *read("/p/b", "x")]
    found = files(reads, [{"path": "/p/b", "how": "inlined"}], {"/p/a": 2_000_000, "/p/b": 1_000_000})

    assert [Verdict.UNKNOWN, Verdict.UNKNOWN] == [one.verdict for one in found]


def test_kept_rows_leave_open_what_came_back() -> None:
    """Even where somebody saw it."""
    row, summary = boundary("manual", 9_000)
    row["compactMetadata"]["preservedSegment"] = {"headUuid": "a0", "tailUuid": "a0"}
    report = report_of([prompt(0), answer(9_000, 0), row, summary], EMPTY_TRUTH, Conditions(window=200_000))

    assert [Verdict.UNKNOWN] == [one.verdict for one in of(report, Rule.FILES)]


def test_what_the_record_put_back_is_what_counts_as_read() -> None:
    """Behind the next boundary the files come back that the record showed, and no others."""
    shown = {"type": "file", "filename": "/p/b", "content": {"file": {"content": "y"}}}
    put = {"type": "attachment", "uuid": "x", "attachment": shown}
    second = [{**line, "uuid": f"2{line['uuid']}"} for line in boundary("manual", 20)]
    lines = [
        prompt(0),
        *read("/p/a", "x"),
        *boundary("manual", 9_002),
        put,
        answer(20, 8),
        *second,
        {**put, "uuid": "y"},
    ]
    found = of(report_of(lines), Rule.FILES)

    came_back = [("/p/a inlined", Verdict.DIFFERS), ("/p/b inlined", Verdict.EXACT)]
    assert came_back == [(one.predicted, one.verdict) for one in found]


def test_the_last_list_of_memory_counts() -> None:
    """A later one stands in the place of an earlier one, and nested files come on top."""

    def row(**attachment: Any) -> bytes:
        return json.dumps({"type": "attachment", "attachment": attachment}).encode()

    lists = [row(type="instructions", files=[{"path": path, "type": "Project"}]) for path in ("/a", "/b")]
    record = read_record([*lists, row(type="nested_memory", path="/c", content={"type": "Local", "content": "x"})])

    assert [("/b", "project"), ("/c", "local")] == [(one.path, one.type) for one in record.memory]


def test_instruction_files_are_compared_in_order() -> None:
    """Two in each other's places are a difference of their own; the client's word for a layer is known."""
    recorded = [MemoryRecord(path=path, type=kind, text="x") for path, kind in (("/a", "project"), ("/b", "automem"))]
    now = [MemoryNow(path="/a", layer="project", text="x"), MemoryNow(path="/b", layer="auto", text="y")]
    same, turned = (list(memory_findings(recorded, one)) for one in (now, now[::-1]))

    assert [Verdict.EXACT] * 2 == [one.verdict for one in same]
    assert "changed" in same[1].why
    assert [("MEM-005", Verdict.DIFFERS)] == [(one.clause, one.verdict) for one in turned[2:]]
