"""One pass through the layers."""

from typing import Any

from attrs import evolve

from keel_ref.choices import Choices, Gates, Unit
from keel_ref.compaction import (
    AskSummary,
    CompactAsked,
    EndTurn,
    PassBegun,
    SendRequest,
    Settings,
    Snipped,
    State,
    Summarised,
)
from keel_ref.compaction.effects import End
from keel_ref.compaction.points import collapse_points, provider_clearing
from keel_ref.compaction.trace import Layer
from keel_ref.conformance.marks import clause
from tests.unit.compaction.session import LIMITS, Session


def without_first(rows: Any) -> Snipped:
    """A snip that takes the first row out."""
    return Snipped(rows=rows[1:], freed_tokens=10)


@clause("CMP-001", "CMP-003")
def test_layers_act_in_their_order() -> None:
    """Snip, then collapse, then the request: each sees what the one before gave."""
    seen: list[int] = []

    def collapse(rows: Any) -> Any:
        seen.append(len(rows))
        return rows[:1]

    session = Session().configure(gates=Gates(snip=True, collapse=True), snip=without_first, collapse=collapse)
    session.say(1).say(2).say(3).run_pass()

    assert [2] == seen
    (sent,) = session.effects
    assert isinstance(sent, SendRequest)
    assert (Layer.SNIP, Layer.COLLAPSE) == sent.acted
    assert 1 == len(sent.rows)
    assert ["snipped", "time-path-off", "cached-path-off", "collapse-on"] == session.whys


@clause("CMP-002", "CMP-005")
def test_nothing_to_do_changes_nothing() -> None:
    """Two passes send the same rows, the very same objects."""
    session = Session().say(3)
    first, second = session.run_pass().effects, session.run_pass().effects

    assert first == second
    assert isinstance(first[0], SendRequest)
    assert session.state.log[0] is first[0].rows[0]


@clause("CMP-040", "CMP-042")
def test_a_snip_is_for_good_and_a_projection_is_not() -> None:
    """The log loses what was snipped, and keeps what was only hidden."""
    session = Session().configure(
        gates=Gates(snip=True, collapse=True), snip=without_first, collapse=lambda rows: rows[:1]
    )
    session.say(1).say(2).say(3).run_pass()

    assert 2 == len(session.state.log)


@clause("CMP-040")
def test_a_boundary_of_a_snip_stays_in_the_log() -> None:
    """Rows that snip puts in are kept as they are."""
    note = {"role": "system", "subtype": "snip_boundary"}
    session = Session().configure(
        gates=Gates(snip=True), snip=lambda rows: Snipped(rows=[note, *rows], freed_tokens=-5)
    )
    session.say(1).run_pass()

    assert note == session.state.log[0]
    assert 0 == session.trace[0].tokens


@clause("CMP-041", "CMP-071")
def test_what_was_freed_is_taken_off() -> None:
    """720 tokens are due; 10 of them freed, they are not."""
    session = (
        Session().configure(gates=Gates(snip=True), snip=lambda rows: Snipped(rows=rows, freed_tokens=10)).say(729)
    )

    assert isinstance(session.run_pass().effects[0], SendRequest)
    assert isinstance(session.say(1).run_pass().effects[0], AskSummary)


@clause("CMP-043", "CMP-044")
def test_points_of_layers_whose_working_is_unknown() -> None:
    """90 and 95 per cent, rounded down; 180,000 down to 40,000."""

    assert (162_000, 171_000) == (collapse_points(180_000).commit, collapse_points(180_000).block)
    assert (0, 0) == (collapse_points(-5).commit, collapse_points(-5).block)
    assert (180_000, 40_000, 140_000) == (
        provider_clearing().trigger,
        provider_clearing().target,
        provider_clearing().at_least,
    )


@clause("CMP-004", "CMP-070")
def test_no_compaction_inside_a_compaction() -> None:
    """The fork that writes the summary runs a pass of its own and is not compacted; nor is anything while it waits."""
    session = Session().say(799)

    assert isinstance(session.run_pass("compact").effects[0], SendRequest)
    assert isinstance(session.run_pass().effects[0], AskSummary)
    assert ["compacting"] == session.happen(CompactAsked()).whys
    assert () == session.effects
    assert ["compacting"] == session.happen(PassBegun()).whys


@clause("CMP-078")
def test_the_limit_blocks_behind_a_failure_and_not_behind_a_success() -> None:
    """759 goes through, 760 does not, unless the pass compacted."""
    fails = (Summarised(content=""), Summarised(content=""))

    assert isinstance(Session().say(759).run_pass().happen(*fails).effects[0], SendRequest)
    blocked = Session().say(760).run_pass().happen(*fails)
    assert [EndTurn(end=End.BLOCKED, acted=(Layer.BLOCKING,))] == list(blocked.effects)
    huge = Session().say(760).run_pass().happen(Summarised(content="t" * 4_000))
    assert isinstance(huge.effects[-1], SendRequest)


@clause("CMP-070")
def test_nothing_is_counted_once_it_is_declined() -> None:
    """With automatic compaction off the count is asked for the blocking check alone."""
    counts: list[int] = []

    def count(rows: Any) -> int:
        counts.append(len(rows))
        return 1

    limits = evolve(LIMITS, is_enabled=False)
    session = Session(state=State(settings=Settings(limits=limits, own_count=count))).say(1)
    counts.clear()
    session.run_pass()

    assert 1 == len(counts)


@clause("CMP-071")
def test_a_session_counts_by_its_own_choices() -> None:
    """In bytes of UTF-8 a text of Han characters is three times as large."""
    rows = ({"role": "user", "text": "好" * 40},)
    by_units, by_bytes = (Settings(limits=LIMITS, choices=Choices(unit=unit)) for unit in Unit)

    assert (10, 30) == (by_units.count(rows), by_bytes.count(rows))
    assert (10, 30) == (by_units.cost(rows), by_bytes.cost(rows))
