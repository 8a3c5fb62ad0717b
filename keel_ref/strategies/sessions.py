"""Session files for tests that shrink: legal ones and broken ones, each with its truth. Spec: TRN-001."""

from __future__ import annotations

from hypothesis import strategies as st

from keel_ref.strategies.draws import Draw
from keel_ref.strategies.programs import HypothesisDraw
from keel_ref.strategies.session_defects import APART, INSIDE, cut_last_line
from keel_ref.strategies.session_drawing import LONGEST, draw_session
from keel_ref.strategies.session_truth import KnownSession

MOST_DEFECTS = 3


@st.composite
def sessions(draw: st.DrawFn, *, longest: int = LONGEST, can_repeat: bool = True) -> KnownSession:
    """Legal session files; without `can_repeat` no row is kept or written again."""
    return draw_session(HypothesisDraw(draw), longest=longest, can_repeat=can_repeat)


@st.composite
def broken_sessions(draw: st.DrawFn, *, longest: int = LONGEST) -> KnownSession:
    """Session files with defects that a reader must report or repair."""
    source = HypothesisDraw(draw)
    return plant_defects(source, draw_session(source, longest=longest))


def plant_defects(draw: Draw, known: KnownSession) -> KnownSession:
    """The file with some defects in it; at most one of them changes the rows of the session themselves."""
    inside = draw.pick(tuple(INSIDE.values()))
    known = inside(draw, known) or known
    for _ in range(draw.integer(0, MOST_DEFECTS)):
        known = draw.pick(tuple(APART.values()))(draw, known) or known
    return cut_last_line(draw, known) if draw.chance(20) else known
