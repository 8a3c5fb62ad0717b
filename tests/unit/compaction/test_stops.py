"""What ends an automatic loop, and what a turn does after a refusal."""

import pytest

from keel_ref.choices import Choices, Gates, RefillGuard
from keel_ref.compaction import (
    Appended,
    AskSummary,
    Cleared,
    CompactAsked,
    EndTurn,
    RequestRefused,
    Resumed,
    SendRequest,
    SettingsChanged,
    Summarised,
)
from keel_ref.compaction.breakers import FAMILY, find_breaker
from keel_ref.compaction.effects import End
from keel_ref.compaction.program import run_program
from keel_ref.compaction.recovery import Circumstances, Next, Outcome, TurnMarks, decide_next
from keel_ref.conformance.config import RELEASED
from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError
from keel_ref.window import window_limits
from tests.unit.compaction.session import Session

FAILS = (Summarised(content=""), Summarised(content=""))


def refill(session: Session) -> Session:
    """The window is full again, a compaction comes due and works."""
    session.say(720).run_pass()
    return session.happen(Summarised(content="fine")) if isinstance(session.effects[-1], AskSummary) else session


@clause("CMP-073", "CMP-079")
def test_three_attempts_and_no_more() -> None:
    """Sixty passes with a summariser that always fails make three attempts; a manual one is still possible."""
    session, attempts = Session().say(720), 0
    for _ in range(60):
        session.run_pass()
        if isinstance(session.effects[-1], AskSummary):
            attempts += 1
            session.happen(*FAILS)

    assert 3 == attempts
    assert 0 == session.happen(CompactAsked(), Summarised(content="fine")).state.breaker.in_row
    assert isinstance(session.say(719).run_pass().effects[-1], AskSummary)


@clause("CMP-076")
@pytest.mark.parametrize(("guard", "end"), [(RefillGuard.ON, EndTurn), (RefillGuard.OFF, SendRequest)])
def test_refilling_at_once_ends_after_three(guard: RefillGuard, end: type) -> None:
    """The fourth time due is the third refill."""
    session = Session().configure(choices=Choices(refill_guard=guard))
    for _ in range(4):
        refill(session)

    assert isinstance(session.effects[-1], end)
    assert (End.REFILL if guard is RefillGuard.ON else None) == getattr(session.effects[-1], "end", None)


@clause("CMP-079")
def test_a_manual_compaction_needs_something_to_summarise_and_the_switch() -> None:
    """Rows that are never sent are nothing."""
    session = Session().happen(Appended(rows=({"role": "progress", "text": "x"},)), CompactAsked())

    assert ["nothing-to-summarise"] == session.whys
    off = window_limits(env={"DISABLE_COMPACT": "1"})
    assert ["compact-disabled"] == Session().say(1).configure(limits=off).happen(CompactAsked()).whys


@clause("CMP-077")
def test_breakers_open_at_their_caps() -> None:
    """Three in a row each; the classifier at twenty in all, and then for good."""

    assert {"auto_compact", "classifier", "cut_output", "long_summary"} == set(FAMILY)
    breaker = find_breaker("classifier").breaker
    for _ in range(10):
        breaker = breaker.fail().fail().succeed()
    assert breaker.is_open
    with pytest.raises(InvalidArgumentError, match="'none' is none of auto_compact"):
        find_breaker("none")


@clause("CMP-170", "CMP-171")
def test_a_refused_request_drains_then_reacts_then_ends() -> None:
    """Each rung once a turn; a prompt begins another turn."""
    session = Session().configure(gates=Gates(collapse=True, reactive=True), drain=lambda rows: rows[:1]).say(1).say(2)
    (drained,) = session.happen(RequestRefused()).effects
    assert isinstance(drained, SendRequest)
    assert 1 == len(drained.rows)
    assert isinstance(session.happen(RequestRefused()).effects[-1], AskSummary)
    assert isinstance(session.happen(Summarised(content="fine")).effects[-1], SendRequest)
    assert [EndTurn(end=End.OVERFLOW)] == list(session.happen(RequestRefused()).effects)
    assert isinstance(session.say(3).happen(RequestRefused()).effects[-1], SendRequest)


@clause("CMP-171")
def test_a_reactive_compaction_that_fails_shows_the_error() -> None:
    """And it counts."""
    session = Session().configure(gates=Gates(reactive=True)).say(1).happen(RequestRefused(is_media=True), *FAILS)

    assert [EndTurn(end=End.OVERFLOW)] == list(session.effects)
    assert 1 == session.state.breaker.in_row


@clause("CMP-172", "CMP-173")
def test_a_turn_goes_on_for_seven_reasons() -> None:
    """No more, and a cut answer is accepted in the end."""
    assert 7 == sum(reason.goes_on for reason in Next)
    marks = TurnMarks()
    found: list[Next] = []
    while not found or found[-1].goes_on:
        following, marks = decide_next(Outcome.CUT, marks, Circumstances(is_capped=True))
        found.append(following)

    assert [Next.OUTPUT_ESCALATION, *[Next.OUTPUT_RECOVERY] * 3, Next.CUT_ACCEPTED] == found


@clause("CMP-181")
def test_what_a_resumed_session_forgets() -> None:
    """Failures and marks of the turn; the log stays."""
    session = Session().say(720).run_pass().happen(*FAILS)
    log = session.state.log
    session.happen(Resumed())

    assert log == session.state.log
    assert 0 == session.state.breaker.in_row
    assert () == session.happen(Cleared()).state.log


@clause("CMP-071")
def test_another_window_holds_from_now_on() -> None:
    """What was far from the threshold is above it."""
    session = Session().say(100)
    smaller = window_limits(window=150, max_output=10, constants=session.state.settings.constants)
    changed = SettingsChanged(settings=Session().configure(limits=smaller).state.settings)

    assert isinstance(session.run_pass().effects[-1], SendRequest)
    assert isinstance(session.happen(changed).run_pass().effects[-1], AskSummary)


@clause("CMP-180")
def test_a_program_says_what_is_wrong_with_it() -> None:
    """A config is refused as a whole, a step alone."""
    with pytest.raises(InvalidArgumentError, match=r"config\.auto_buffer"):
        run_program({"auto_buffer": 13_001}, [], gates=RELEASED)
    with pytest.raises(InvalidArgumentError, match=r"config\.blocking_buffer: does not fit auto_buffer; give both"):
        run_program({"auto_buffer": 5}, [], gates=RELEASED)
    with pytest.raises(InvalidArgumentError, match="at most 1000 steps"):
        run_program({}, [["observe", {}]] * 1_001, gates=RELEASED)
    (outcome,) = run_program({}, [["append", {"kind": "user", "tokens": 2_000_001}]], gates=RELEASED)
    assert "invalid_argument" == outcome["error"]["kind"]
