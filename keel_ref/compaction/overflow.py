"""After a request that was refused: collapse, then reactive compaction, then the error. Spec: CMP-170, CMP-171."""

from __future__ import annotations

from attrs import evolve

from keel_ref.compaction.compacting import begin_compaction
from keel_ref.compaction.events import RequestRefused
from keel_ref.compaction.rebuild import Trigger
from keel_ref.compaction.recovery import Circumstances, Next, Outcome, decide_next
from keel_ref.compaction.sending import overflow_error, send
from keel_ref.compaction.settings import Rows
from keel_ref.compaction.state import Compaction, Pass, State, Step, as_rows
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.messages.rows import COUNTED, role_of


def after_refusal(state: State, event: RequestRefused) -> Step:
    """The next rung of the ladder; each is climbed once a turn. Spec: CMP-170."""
    outcome = Outcome.MEDIA if event.is_media else Outcome.OVERFLOW
    view = state.seen
    drained = _drained(state, view)
    about = Circumstances(can_drain=drained is not None, can_react=_may_react(state, view))
    following, marks = decide_next(outcome, state.turn, about)
    state = evolve(state, turn=marks)
    at = Pass(source=None, now_ms=None, rows=view)
    if following is Next.COLLAPSE_RETRY and drained is not None:
        said = Decision(layer=Layer.RECOVERY, why=Why.COLLAPSE_RETRY)
        at = evolve(at, rows=drained, acted=(Layer.COLLAPSE,))
        return Step(state=state, trace=(said,)).then(send(state, at))
    if following is Next.REACTIVE_RETRY:
        of = Compaction(
            trigger=Trigger.AUTO,
            view=view,
            tokens_before=state.used,
            log_rows=len(state.log),
            for_pass=at,
            is_reactive=True,
        )
        return begin_compaction(state, of)  # [CMP-171]
    return overflow_error(state)


def _drained(state: State, view: Rows) -> Rows | None:
    """What collapse shows once all is committed; None where that frees nothing. Spec: CMP-170."""
    drain = state.settings.drain
    if not state.settings.gates.collapse or drain is None:
        return None
    rows = as_rows(drain(view))
    return rows if state.settings.cost(rows) < state.settings.cost(view) else None


def _may_react(state: State, view: Rows) -> bool:
    """Whether the gate, the switches and the breaker let a reactive compaction run. Spec: CMP-171."""
    gates, limits = state.settings.gates, state.settings.limits
    is_open = gates.reactive or gates.reactive_only
    has_talk = any(role_of(row) in COUNTED for row in view)
    return is_open and limits.is_enabled and not state.breaker.is_open and has_talk  # [CMP-171]
