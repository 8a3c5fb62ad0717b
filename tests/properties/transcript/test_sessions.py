"""What was written is what is read; what is broken is named, and takes nothing else with it."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keel_ref.strategies.programs import HypothesisDraw
from keel_ref.strategies.session_defects import DEFECTS
from keel_ref.strategies.session_drawing import draw_session
from keel_ref.strategies.session_lines import session_files
from keel_ref.strategies.session_truth import KnownSession, WrittenLine, find_differences
from keel_ref.strategies.sessions import broken_sessions, sessions
from keel_ref.transcript.log import Reason, SessionLog
from keel_ref.transcript.reader import read_log

FEW = settings(max_examples=60)
"""A session is dear to draw."""
FEWER = settings(max_examples=10)
LINE_REASONS = frozenset(
    {
        Reason.BROKEN_LINE,
        Reason.JOINED_LINES,
        Reason.NOT_AN_OBJECT,
        Reason.LONG_LINE,
        Reason.DEEP_LINE,
        Reason.INCOMPLETE_LINE,
        Reason.NO_KIND,
        Reason.DUPLICATE_UUID,
        Reason.CHANGED_DUPLICATE,
    }
)
"""Reasons for which a line is no row."""


def read(lines: Sequence[bytes | None]) -> SessionLog:
    """The log, with every row at the price of one token."""
    return read_log(lines, cost=lambda _: 1)


def loses_nothing(log: SessionLog, lines: Sequence[bytes | None]) -> bool:
    """Every line is blank, a row, of another kind, or named; and every row is in a conversation, or named."""
    blank = sum(line is not None and not line.strip(b" \t\r\n") for line in lines)
    named = sum(problem.reason in LINE_REASONS for problem in log.problems)
    assert log.lines == len(lines) == blank + named + len(log.rows) + sum(count for _, count in log.other_kinds)
    placed = {*log.conversation, *(place for side in log.side_chains for place in side.conversation)}
    left = [row for place, row in enumerate(log.rows) if place not in placed and row.uuid is not None]
    branches = [one for one in log.problems if one.reason in {Reason.ABANDONED_BRANCH, Reason.UNREACHABLE}]
    assert len(left) == sum(int(branch.detail.split()[0]) for branch in branches)
    return len(placed) == len(log.conversation) + sum(len(side.conversation) for side in log.side_chains)


@FEW
@given(sessions())
def test_a_legal_session_reads_as_it_was_written(known: KnownSession) -> None:
    """Conversation, view, responses, totals, boundaries, side chains: exactly, and without a complaint."""
    log = read(known.data)

    assert [] == find_differences(known, log)
    assert () == log.complaints
    assert loses_nothing(log, known.data)


@pytest.mark.parametrize("name", DEFECTS)
@FEWER
@given(data=st.data())
def test_a_defect_is_named_or_mended_and_harms_nothing_else(name: str, data: st.DataObject) -> None:
    """With its line and its reason; all else is as it was written."""
    draw = HypothesisDraw(data.draw)
    known = draw_session(draw, longest=6)
    known = DEFECTS[name](draw, known) or known
    log = read(known.data)

    assert [] == find_differences(known, log)
    assert loses_nothing(log, known.data)


@FEW
@given(broken_sessions(longest=6))
def test_several_defects_are_named_each_by_itself(known: KnownSession) -> None:
    """None hides another."""

    assert [] == find_differences(known, read(known.data))


@FEWER
@given(session_files())
def test_any_lines_are_read_and_accounted_for(file: bytes) -> None:
    """Whatever they hold."""
    lines = file.splitlines(keepends=True)

    assert loses_nothing(read(lines), lines)


@given(st.binary(max_size=300))
def test_any_bytes_are_read(file: bytes) -> None:
    """Bytes of no form at all."""
    lines = [part + b"\n" for part in file.split(b"\n")]

    assert loses_nothing(read(lines), lines)


@FEW
@given(broken_sessions(longest=5), st.data())
def test_bytes_changed_anywhere_lose_nothing_without_a_word(known: KnownSession, data: st.DataObject) -> None:
    """What the change did is not known; what became of each line is."""
    file = b"".join(line or b"" for line in known.data)
    at = data.draw(st.integers(0, len(file)))
    put = data.draw(st.sampled_from((b"", b"\n", b'"', b"{", b"}", b"\0", b"\xff", b"null", b"us0002")))
    changed = file[:at] + put + file[at + data.draw(st.integers(0, 40)) :]
    lines = [part + b"\n" for part in changed.split(b"\n")]

    assert loses_nothing(read(lines), lines)


@FEWER
@given(sessions(longest=8), st.data())
def test_rows_written_again_change_nothing(known: KnownSession, data: st.DataObject) -> None:
    """Not the totals, nor the conversation, nor the view."""
    again = data.draw(st.lists(st.sampled_from(known.lines), max_size=9)) if known.lines else []
    rows = [line.data for line in again if line.uuid is not None]
    once, twice = read(known.data), read([*known.data, *rows])

    assert (once.totals, once.conversation, once.view) == (twice.totals, twice.conversation, twice.view)
    assert once.responses == twice.responses


@FEW
@given(sessions(longest=8, can_repeat=False), st.data())
def test_independent_lines_may_stand_in_any_order(known: KnownSession, data: st.DataObject) -> None:
    """Rows of one response and its results keep theirs, and the last row said stays behind all others."""
    groups: dict[Any, list[WrittenLine]] = {}
    last = next((line.group for line in known.lines if line.uuid == known.tip), None)
    for at, line in enumerate(known.lines):
        groups.setdefault(line.group or at, []).append(line)
    ends = groups.pop(last, []) if last is not None else []
    order = data.draw(st.permutations([name for name, lines in groups.items() for _ in lines]))
    moved = [groups[name].pop(0) for name in order]
    log = read([line.data for line in [*moved, *ends]])
    known_parts = ["conversation", "view", "responses", "totals", "naive", "boundaries", "side_chains", "other_kinds"]

    assert [] == find_differences(known, log, parts=known_parts)


@FEW
@given(sessions(longest=8))
def test_the_view_is_that_of_the_log_cut_at_the_last_boundary(known: KnownSession) -> None:
    """The rows above it are needed only where it kept some of them."""
    log = read(known.data)
    lines = [log.rows[place].line for place in log.view]
    cut = read([known.data[line - 1] for line in sorted(lines)])

    assert [log.rows[place].uuid for place in log.view if place not in log.kept] == [
        cut.rows[place].uuid for place in cut.view if cut.rows[place].uuid not in known.kept
    ]


@FEW
@given(sessions())
def test_calls_and_results_of_the_view_match(known: KnownSession) -> None:
    """Every call that was answered has its result behind it, also where rows were kept."""
    log = read(known.data)
    blocks = [block for place in log.view for block in log.rows[place].blocks if block.id is not None]
    calls = [block.id for block in blocks if block.kind == "tool_use"]
    results = [block.id for block in blocks if block.kind == "tool_result"]

    assert sorted(map(str, calls)) == sorted(map(str, results))
