"""The last layers of a pass: the blocking check, and the request. Spec: CMP-001, CMP-078."""

from __future__ import annotations

from attrs import evolve

from keel_ref.compaction.due import Ask, is_blocked
from keel_ref.compaction.effects import End, EndTurn, SendRequest
from keel_ref.compaction.settings import Rows
from keel_ref.compaction.state import Pass, State, Step
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.messages.rows import COUNTED, role_of


def finish_pass(state: State, at: Pass) -> Step:
    """Layers 6 and 7: the blocking check, and the request. Spec: CMP-078."""
    used = max(0, state.settings.count(at.rows) - at.freed_tokens)  # [CMP-041]
    ask = Ask(limits=state.settings.limits, gates=state.settings.gates, source=at.source)
    if is_blocked(ask, used, has_compacted=at.has_compacted):
        said = Decision(layer=Layer.BLOCKING, why=Why.BLOCKING_LIMIT, tokens=used)
        ended = EndTurn(end=End.BLOCKED, acted=(*at.acted, Layer.BLOCKING))
        return Step(state=state, effects=(ended,), trace=(said,))
    return send(state, at)


def send(state: State, at: Pass) -> Step:
    """The request goes out. Spec: CMP-001, CMP-076."""
    return Step(
        state=evolve(state, refill=state.refill.sent()),
        effects=(SendRequest(rows=sendable(at.rows), edits=at.edits, acted=at.acted),),
    )


def sendable(rows: Rows) -> Rows:
    """The rows that a request can hold. Spec: MSG-001."""
    return tuple(row for row in rows if role_of(row) in COUNTED)


def overflow_error(state: State) -> Step:
    """Nothing helped: the error is shown. Spec: CMP-170."""
    said = Decision(layer=Layer.RECOVERY, why=Why.OVERFLOW_ERROR)
    return Step(state=state, effects=(EndTurn(end=End.OVERFLOW),), trace=(said,))
