"""One compaction from its demand to its new list."""

import pytest
from attrs import evolve

from keel_ref.choices import AbortCounts, Choices, Gates, InflatedSummary
from keel_ref.compaction import (
    Aborted,
    Appended,
    CleanUp,
    CompactAsked,
    DiskFile,
    EndTurn,
    FileRead,
    FilesRead,
    HookKind,
    HooksRan,
    NotesTaken,
    ReadFiles,
    RunHooks,
    SendRequest,
    SettingsChanged,
    Summarised,
    SummaryRefused,
)
from keel_ref.compaction.effects import AwaitNotes, End
from keel_ref.compaction.session_memory import SessionNotes
from keel_ref.conformance.marks import clause
from keel_ref.constants import TINY
from keel_ref.errors import InvalidArgumentError
from keel_ref.window import window_limits
from tests.unit.compaction.session import Session, text

NOTES = SessionNotes(file=DiskFile.of("# Current State\nhalf done\n"), path="/s/notes.md", last_covered="u2")


def answers(session: Session) -> int:
    """Answers in what the next call sends; a marker may stand in front of them."""
    return sum(row["role"] == "assistant" for row in session.asked.rows)


@clause("CMP-090")
def test_the_call_is_one_turn_of_a_fork() -> None:
    """Source and label `compact`, one turn, all tools, nothing written to the cache, no cap on the output."""
    asked = Session().say(1).happen(CompactAsked()).asked

    assert ("compact", "compact", 1) == (asked.source, asked.label, asked.cap_turns)
    assert ("all", False, None) == (str(asked.tools), asked.writes_cache, asked.output_cap)


@clause("CMP-091")
def test_nothing_is_forgotten_before_the_summary_is_valid() -> None:
    """A failed attempt leaves rows and read files; a good one reads the files and clears."""
    session = Session().happen(FileRead(path="/a", size_bytes=4)).say(1)
    before = session.state
    session.happen(CompactAsked(), Summarised(content=""), Summarised(content=" "))

    assert before == session.state
    assert ["summary-empty", "failed"] == session.whys
    session.happen(CompactAsked(), Summarised(content="fine"))
    assert [ReadFiles(paths=("/a",))] == list(session.effects)
    session.happen(FilesRead(contents={"/a": DiskFile.of("abcd")}))
    assert ["compact_boundary", "summary", "file"] == session.roles
    assert isinstance(session.effects[0], CleanUp)
    assert ("/a",) == session.state.read_state.paths


@clause("CMP-091")
def test_hooks_run_at_three_places_and_one_of_them_can_forbid() -> None:
    """What they say stands at the end of the list; a failure is reported, and the compaction goes on."""
    said = ({"role": "attachment", "attachment": "hook", "text": "mind the tests"},)
    session = Session().configure(hooks=frozenset(HookKind)).say(1).happen(CompactAsked())

    assert [RunHooks(kind=HookKind.BEFORE)] == list(session.effects)
    session.happen(HooksRan(kind=HookKind.BEFORE, has_failed=True))
    assert ["hook-failed"] == session.whys
    session.happen(Summarised(content="fine"))
    assert [RunHooks(kind=HookKind.START)] == list(session.effects)
    session.happen(HooksRan(kind=HookKind.START, rows=said))
    assert RunHooks(kind=HookKind.AFTER) == session.effects[-1]
    session.happen(HooksRan(kind=HookKind.AFTER, rows=said))
    assert ["compact_boundary", "summary", "hook", "hook"] == session.roles
    blocked = Session().configure(hooks=frozenset({HookKind.BEFORE})).say(1)
    blocked.happen(CompactAsked(), HooksRan(kind=HookKind.BEFORE, is_blocking=True))
    assert ["hook-blocked"] == blocked.whys
    assert 0 == blocked.state.breaker.in_row


@clause("CMP-070")
def test_a_switch_that_is_thrown_meanwhile_holds_for_the_next_attempt() -> None:
    """An attempt that waits for its hook goes on; the one after it is declined."""
    off = window_limits(constants=TINY, env={"DISABLE_COMPACT": "1"})
    session = Session().configure(hooks=frozenset({HookKind.BEFORE})).say(1).happen(CompactAsked())
    settings = evolve(session.state.settings, limits=off, hooks=frozenset())
    session.happen(SettingsChanged(settings=settings), HooksRan(kind=HookKind.BEFORE), Summarised(content="fine"))

    assert ["compacted"] == session.whys
    session.happen(CompactAsked())
    assert (["compact-disabled"], ()) == (session.whys, session.effects)


@clause("CMP-091")
def test_rows_that_come_in_meanwhile_are_not_lost() -> None:
    """They follow the new list, and what they measured is void."""
    late = {"role": "assistant", "id": "m", "text": "late", "usage": {"input_tokens": 700}}
    session = Session().say(5).happen(CompactAsked(), Appended(rows=(late,)), Summarised(content="fine"))

    assert ["compact_boundary", "summary", "assistant"] == session.roles
    assert session.state.used < 100


@clause("CMP-092")
def test_a_try_is_two_calls_and_each_try_is_shorter() -> None:
    """All tools, then one; then the same on a shorter head."""
    session = Session()
    for number in range(6):
        session.happen(Appended(rows=({"role": "assistant", "id": f"m{number}", "text": text(9)},)))
    session.happen(CompactAsked())
    sizes = [(str(session.asked.tools), answers(session))]
    for _ in range(5):
        session.happen(SummaryRefused(excess=9))
        sizes.append((str(session.asked.tools), answers(session)))

    assert ["all", "one"] * 3 == [tools for tools, _ in sizes]
    assert [6, 6, 5, 5, 4, 4] == [rows for _, rows in sizes]


@clause("CMP-093", "CMP-095")
def test_a_draft_alone_is_no_summary() -> None:
    """What is left of it without the draft is blank, so the fallback is asked."""
    session = Session().say(1).happen(CompactAsked(), Summarised(content="<analysis>hm</analysis>"))

    assert "one" == str(session.asked.tools)


@clause("CMP-094")
def test_a_larger_list_can_be_refused() -> None:
    """The view stays, and an automatic attempt counts as failed."""
    session = Session().configure(choices=Choices(inflated_summary=InflatedSummary.REFUSE)).say(720).run_pass()
    session.happen(Summarised(content=text(900)))

    assert ["inflated"] == [why for why in session.whys if why in {"inflated", "compacted"}]
    assert 1 == session.state.breaker.in_row
    assert ["user"] == session.roles


@clause("CMP-074", "CMP-073")
@pytest.mark.parametrize(("counts", "failures"), [(AbortCounts.YES, 1), (AbortCounts.NO, 0)])
def test_an_abort_ends_attempt_and_turn(counts: AbortCounts, failures: int) -> None:
    """No request is sent, and whether it counts is a choice."""
    session = Session().configure(choices=Choices(abort_counts=counts)).say(720).run_pass().happen(Aborted())

    assert [EndTurn(end=End.ABORTED)] == list(session.effects)
    assert failures == session.state.breaker.in_row
    assert session.state.waiting is None


@clause("CMP-074")
def test_an_abort_of_nothing_is_nothing() -> None:
    """When nothing is under way, nothing is stopped."""
    session = Session().say(1)
    before = session.state

    assert () == session.happen(Aborted()).effects
    assert before == session.state


@clause("CMP-075", "CMP-073")
def test_a_success_leaves_no_failure_and_silences_the_warning() -> None:
    """Until the next pass looks at old results."""
    session = Session().say(5).compact()

    assert session.state.is_warning_suppressed
    assert not session.run_pass().state.is_warning_suppressed


@clause("CMP-072")
def test_notes_come_first_and_cost_no_call() -> None:
    """With notes, the list is rebuilt at once, its tail kept, and the request follows in the same step."""
    rows = tuple({"role": "user", "uuid": f"u{number}", "text": text(180)} for number in range(1, 5))
    session = Session().happen(NotesTaken(notes=NOTES), Appended(rows=rows)).run_pass()

    assert ["compact_boundary", "summary", "user", "user"] == session.roles
    assert isinstance(session.effects[-1], SendRequest)
    assert "compacted-by-notes" in session.whys
    assert 1 == sum(isinstance(effect, SendRequest) for effect in session.effects)


@clause("CMP-072")
def test_notes_that_do_not_help_are_no_failure() -> None:
    """What they would leave is still above the threshold, so the summary is asked for."""
    rows = ({"role": "user", "uuid": "u1", "text": text(10)}, {"role": "user", "uuid": "u3", "text": text(730)})
    session = Session().happen(NotesTaken(notes=NOTES), Appended(rows=rows)).run_pass()

    assert "all" == str(session.asked.tools)
    assert 0 == session.state.breaker.in_row


@clause("CMP-072")
def test_with_the_gate_shut_the_notes_are_not_looked_at() -> None:
    """Either gate is enough."""
    for gates in (Gates(session_memory=False), Gates(sm_compact=False)):
        session = Session().configure(gates=gates).happen(NotesTaken(notes=NOTES)).say(720).run_pass()

        assert "all" == str(session.asked.tools)


@clause("CMP-072")
def test_a_compaction_waits_for_notes_that_are_being_taken() -> None:
    """It goes on with what they are then."""
    running = SessionNotes(file=NOTES.file, path=NOTES.path, running_ms=1)
    session = Session().happen(NotesTaken(notes=running)).say(720).run_pass()

    assert isinstance(session.effects[-1], AwaitNotes)
    session.happen(NotesTaken(notes=SessionNotes()))
    assert "all" == str(session.asked.tools)


def test_an_outcome_that_nobody_waits_for_is_an_error() -> None:
    """It says what came, and for what the session waits."""
    with pytest.raises(InvalidArgumentError, match="Summarised came, but the session waits for nothing"):
        Session().happen(Summarised(content="x"))
