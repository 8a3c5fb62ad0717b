"""Each check finds what is planted for it, at its line, and nothing where its bound is just kept."""

from collections.abc import Callable, Sequence

import pytest

from keel_ref.audit.finding import CHECKS
from keel_ref.conformance.marks import clause
from tests.unit.audit.planted import Session, clean, found

Found = Sequence[tuple[str, str, int]]


def one_source() -> Session:
    """A read that fills a window of 200,000."""
    session = Session(used=1_000).prompt()
    for number in range(4):
        session.read(f"/r/{number}", "x" * 149_000)
    return session.answer()


def large_result() -> Session:
    """A shell result that nobody saved."""
    return Session().prompt().call(command="a").result("x" * 30_001).answer()


def large_message() -> Session:
    """Five results of one response."""
    blocks = [{"type": "tool_use", "id": f"p{number}", "name": "Grep", "input": {"n": number}} for number in range(5)]
    session = Session().prompt().answer(*blocks)
    for number in range(5):
        session.result("x" * 40_001, name=f"p{number}")
    return session.answer()


def too_much_restored() -> Session:
    """Six files behind one compaction."""
    session = Session().prompt().answer().compaction(trigger="manual")
    for number in range(6):
        session.attached(f"/r/{number}", "x" * 100)
    return session.prompt().answer()


def overdue() -> Session:
    """Four requests at the threshold, and no compaction."""
    session = Session(used=167_000).prompt()
    for number in range(3):
        session.call(command=str(number)).result("ok")
    return session.answer()


def read_again() -> Session:
    """A file that is read, not put back, and read again, where another was put back."""
    session = Session().prompt().read("/r/a.py").read("/r/b.py").answer().compaction(trigger="manual")
    return session.attached("/r/b.py", "body").prompt().read("/r/a.py").answer()


def no_room() -> Session:
    """A compaction that leaves four fifths."""
    session = Session().prompt().answer().compaction(trigger="manual", before=20_000)
    return session.prompt().answer(used=16_000)


def silent_cut() -> Session:
    """A shell result of which the record has more than was shown."""
    record = {"stdout": "x" * 20_000, "stderr": ""}
    return Session().prompt().call(command="a").result("x" * 5_000, record=record).answer()


def no_place() -> Session:
    """The same, and it says that it is a part."""
    record = {"stdout": "x" * 20_000, "stderr": ""}
    return Session().prompt().call(command="a").result("x" * 5_000 + "\n[truncated]", record=record).answer()


def no_summary() -> Session:
    """A boundary, and then the conversation goes on."""
    return Session().prompt().answer().compaction(trigger="manual", summary=None).prompt().answer()


def repeated(times: int = 3) -> Session:
    """One call that always fails."""
    session = Session().prompt()
    for _ in range(times):
        session.call(command="make").result("no rule", is_error=True)
    return session.answer()


def refills(times: int = 3) -> Session:
    """Compactions by the client, two requests apart."""
    session = Session().prompt()
    for _ in range(times):
        session.answer().compaction(before=170_000).call(command="a").result("ok")
    return session.answer()


def failed_requests(times: int = 3) -> Session:
    """Error rows in the place of answers."""
    session = Session().prompt()
    for _ in range(times):
        session.api_error()
    return session


def low_estimates(grown: int = 400) -> Session:
    """A result of 1,000 characters that costs more than the rule says."""
    session = Session().prompt().call(command="a").result("x" * 1_000)
    return session.answer(used=session.used - 250 + grown)


PLANTED: Sequence[tuple[Callable[[], Session], Found]] = [
    (one_source, [("A1", "note", 3)]),
    (large_result, [("A2", "warning", 3)]),
    (large_message, [("A3", "warning", 3)]),
    (too_much_restored, [("A4", "warning", 3)]),
    (overdue, [("A5", "warning", 2)]),
    (read_again, [("A6", "warning", 12)]),
    (no_room, [("A7", "warning", 3)]),
    (silent_cut, [("A8", "error", 3)]),
    (no_place, [("A9", "note", 3)]),
    (no_summary, [("A10", "error", 3)]),
    (repeated, [("A11", "warning", 3)]),
    (refills, [("A12", "warning", 3)]),
    (failed_requests, [("A13", "warning", 2)]),
    (low_estimates, [("A14", "warning", 4)]),
]


@pytest.mark.parametrize(("plant", "expected"), PLANTED, ids=[plant.__name__ for plant, _ in PLANTED])
def test_what_is_planted_is_found(plant: Callable[[], Session], expected: Found) -> None:
    """That, at its line, and nothing else."""

    assert expected == found(plant())


def test_every_check_has_a_plant() -> None:
    """None of them goes untried."""

    assert list(CHECKS) == [expected[0][0] for _, expected in PLANTED]


def test_nothing_is_found_where_all_is_well() -> None:
    """Every check is silent on the clean session."""

    assert [] == found(clean())


@clause("CMP-021", "CMP-022", "CMP-023")
@pytest.mark.parametrize(
    ("tool", "units", "checks"),
    [
        ("Bash", 29_999, []),
        ("Grep", 49_999, []),
        ("Grep", 50_001, ["A2"]),
        ("Read", 90_000, []),
        ("Bash", 40_000, ["A2"]),
    ],
)
def test_a_result_has_the_limit_of_its_tool(tool: str, units: int, checks: Sequence[str]) -> None:
    """A shell has 30,000, a read has none, any other 50,000."""
    session = Session().prompt().call(tool).result("x" * units).answer()

    assert checks == [name for name, _, _ in found(session)]


@clause("CMP-024")
@pytest.mark.parametrize("units", [30_000, 50_000, 2_000])
def test_a_result_of_just_a_limit_is_a_cut(units: int) -> None:
    """No whole text is likely to have that size."""

    assert [("A8", "error", 3)] == found(Session().prompt().call("Read").result("x" * units).answer())


@clause("MSG-021")
@pytest.mark.parametrize(("given", "checks"), [({}, ["A8"]), ({"limit": 10}, []), ({"offset": 2}, [])])
def test_a_page_that_was_not_asked_for_is_a_cut(given: dict[str, int], checks: Sequence[str]) -> None:
    """A read gives 2,000 lines and says so; who asks for ten knows that there are more."""
    record = {"type": "text", "file": {"content": "x", "numLines": 10, "startLine": 1, "totalLines": 99}}
    session = Session().prompt().call("Read", file_path="/r/a", **given).result("1\tx", record=record).answer()

    assert checks == [name for name, _, _ in found(session)]


@clause("CMP-024")
@pytest.mark.parametrize(("is_called_again", "checks"), [(True, []), (False, [("A8", "error", 4)])])
def test_a_result_that_was_shown_larger_before_is_cut(is_called_again: bool, checks: Found) -> None:
    """Unless its id is that of another call by now."""
    session = Session().prompt().call(command="a").result("x" * 500)
    if is_called_again:
        session.count -= 1
        session.prompt().call(command="b")

    assert checks == found(session.result("x" * 100).answer())


@clause("CMP-054")
def test_a_cleared_result_is_no_cut_in_silence() -> None:
    """It has the documented text."""
    session = Session().prompt().call(command="a")
    session.result("[Old tool result content cleared]", record={"stdout": "x" * 20_000})

    assert [] == found(session.answer())


@clause("CMP-112")
def test_a_file_that_is_unchanged_was_still_known() -> None:
    """A client that answers so has put it back, whatever its record lists."""
    session = Session().prompt().read("/r/a.py").answer().compaction(trigger="manual").prompt()

    assert [] == found(session.read("/r/a.py", record={"type": "file_unchanged"}).answer())


@clause("CMP-111")
def test_where_nothing_put_back_is_listed_a_second_read_is_a_note() -> None:
    """The client may have put it back, and its record does not say so."""
    session = Session().prompt().read("/r/a.py").answer().compaction(trigger="manual").prompt()

    assert [("A6", "note", 9)] == found(session.read("/r/a.py").answer())


@clause("CMP-111")
def test_a_late_read_is_not_soon() -> None:
    """The sixth answer behind a compaction is later than five."""
    session = Session().prompt().read("/r/a.py").answer().compaction(trigger="manual").prompt()
    for number in range(5):
        session.call(command=str(number)).result("ok")

    assert [] == found(session.read("/r/a.py").answer())


@clause("CMP-077")
@pytest.mark.parametrize(("times", "level"), [(2, []), (3, ["warning"]), (9, ["warning"]), (10, ["error"])])
@pytest.mark.parametrize("plant", [repeated, failed_requests])
def test_failures_in_a_row_have_a_cap(plant: Callable[[int], Session], times: int, level: Sequence[str]) -> None:
    """Three open a breaker; ten are no cap at all."""

    assert level == [level for _, level, _ in found(plant(times))]


@clause("CMP-077")
def test_a_success_between_failures_clears_them() -> None:
    """And so does a person who says to try again."""
    session = repeated(2).call(command="make").result("ok")
    session.call(command="make").result("no", is_error=True).prompt("again").call(command="make")

    assert [] == found(session.result("no", is_error=True).answer())


@clause("CMP-076")
@pytest.mark.parametrize(("times", "level"), [(2, []), (3, ["warning"]), (4, ["error"])])
def test_the_guard_ends_it_after_three_compactions(times: int, level: Sequence[str]) -> None:
    """A fourth is one that the guard would not have allowed."""

    assert level == [level for _, level, _ in found(refills(times))]


@clause("WIN-016")
def test_a_request_at_the_blocking_limit_is_an_error() -> None:
    """It should not have been sent."""

    assert [("A5", "error", 2)] == found(Session(used=177_000).prompt().answer())


@clause("EST-001", "EST-016")
@pytest.mark.parametrize(("grown", "level"), [(250, []), (251, ["note"]), (333, ["note"]), (340, ["warning"])])
def test_how_much_too_low_the_estimates_were(grown: int, level: Sequence[str]) -> None:
    """Below three quarters of the record is a warning."""

    assert level == [level for _, level, _ in found(low_estimates(grown))]


@clause("TRN-030")
def test_a_response_counts_once_over_its_rows() -> None:
    """Two rows of one response, each with its usage, are one request at the threshold."""
    session = Session(used=170_000).prompt().call(command="a")
    session.rows.append({**session.rows[-1], "uuid": "again", "parentUuid": session.rows[-1]["uuid"]})
    session.result("ok").answer()

    assert 2 == len(session.audit().recording.responses)
    assert [] == found(session)


@clause("TRN-022", "CMP-154")
def test_kept_rows_are_in_the_window_again_and_come_into_it_once() -> None:
    """They count behind the boundary that kept them, and once in what came in over the session."""
    session = Session().prompt("x" * 4_000).answer().compaction(trigger="manual", summary=None)
    about = {**session.rows[2]["compactMetadata"], "preservedSegment": {"headUuid": "u0", "tailUuid": "u1"}}
    session.rows[2] = {**session.rows[2], "compactMetadata": about}
    session.used = 90_000
    audit = session.add("user", isCompactSummary=True, message={"role": "user", "content": "so"}).answer().audit()

    assert 1_000 == next(share.tokens for share in audit.at_peak if share.source == "the user's words")
    assert 1_000 == next(share.tokens for share in audit.over_session if share.source == "the user's words")
