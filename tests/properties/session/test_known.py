"""Sessions of which everything is known: the timeline says what was written, the doctor names what was broken."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keel_ref.session.doctor import Level, diagnose
from keel_ref.session.report import examine, report_object
from keel_ref.strategies.programs import HypothesisDraw
from keel_ref.strategies.session_defects import DEFECTS
from keel_ref.strategies.session_drawing import draw_session
from keel_ref.strategies.session_truth import KnownSession
from keel_ref.strategies.sessions import broken_sessions, sessions
from keel_ref.transcript.log import SessionLog
from keel_ref.transcript.reader import read_log
from tests.properties.session.test_mending import mend

FEW = settings(max_examples=20)
"""A session is dear to draw."""
FEWER = settings(max_examples=4)


def names(log: SessionLog) -> list[str | None]:
    """The rows of the conversation, by name."""
    return [log.rows[place].uuid for place in log.conversation]


@FEW
@given(sessions())
def test_the_timeline_has_every_response_and_boundary(known: KnownSession) -> None:
    """Each response of the conversation once, with its terms; each boundary with its trigger and its count."""
    report = report_object(examine(read_log(known.data)), "x")
    terms = [(one["input"], one["cache_write"], one["cache_read"], one["output"]) for one in report["responses"]]
    inside = {name for name, _, _ in known.boundaries} & set(known.conversation)
    counts = [(trigger, count) for name, trigger, count in known.boundaries if name in inside]

    assert Counter(one.terms for one in known.responses if one.in_conversation) == Counter(terms)
    assert Counter(counts) == Counter((one["trigger"], one["pre_tokens"]) for one in report["compactions"])
    assert len(known.responses) == report["totals"]["responses"]


@FEW
@given(sessions())
def test_a_legal_session_is_sound(known: KnownSession) -> None:
    """The doctor has mere notes, and a copy holds the same conversation and totals."""
    log = read_log(known.data)
    _, done = mend([line for line in known.data if line is not None])

    assert {Level.NOTE} >= {one.level for one in diagnose(log)}
    assert (log.totals, ()) == (done.log.totals, done.log.complaints)
    assert names(log) == names(done.log)


@pytest.mark.parametrize("name", DEFECTS)
@FEWER
@given(data=st.data())
def test_each_planted_defect_is_named_and_mended(name: str, data: st.DataObject) -> None:
    """On its line; the copy is sound but for stretches above which there is nothing, and holds every row."""
    draw = HypothesisDraw(data.draw)
    known = draw_session(draw, longest=6)
    known = DEFECTS[name](draw, known) or known
    log = read_log(known.data)
    wanted = Counter((at, reason) for at, line in enumerate(known.lines, 1) for reason in line.reports)
    _, done = mend([line for line in known.data if line is not None])

    assert wanted == Counter((one.line, one.reason) for one in diagnose(log))
    assert {"unreachable"} >= {one.reason for one in done.log.complaints}
    assert {row.uuid for row in log.rows} - {None} <= {row.uuid for row in done.log.rows}


@FEW
@given(broken_sessions())
def test_what_is_broken_has_a_timeline(known: KnownSession) -> None:
    """What entered adds up, and nothing of the answer is missing."""
    report = report_object(examine(read_log(known.data)), "x")

    assert report["answer"]
    assert len(report["responses"]) == report["totals"]["in_conversation"]
    assert sum(one["context"] for one in report["responses"]) == report["totals"]["input"] + report["totals"][
        "cache_read"
    ] + report["totals"]["cache_write"] - sum(sum(one.terms[:3]) for one in known.responses if not one.in_conversation)
