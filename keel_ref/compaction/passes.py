"""The layers of one pass, in their order. Spec: CMP-001."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from keel_ref.choices import RefillGuard
from keel_ref.compaction.compacting import begin_by_notes
from keel_ref.compaction.due import Ask, is_due, why_declined
from keel_ref.compaction.effects import End, EndTurn, SaveResults
from keel_ref.compaction.events import PassBegun
from keel_ref.compaction.micro_step import Path, apply_microcompact
from keel_ref.compaction.microcompact import with_cleared
from keel_ref.compaction.rebuild import Trigger
from keel_ref.compaction.result_budget import Outcome, Selection, select_results, settle_results
from keel_ref.compaction.sending import finish_pass
from keel_ref.compaction.state import Compaction, ForSaves, Pass, State, Step, as_rows
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.messages.rows import COUNTED, role_of


def begin_pass(state: State, event: PassBegun) -> Step:
    """Layers 0 and 1: the view, and the budget for results. Spec: CMP-001, CMP-110."""
    state = evolve(state, read_state=state.read_state.pass_begun())
    about = state.settings
    at = Pass(source=event.source, now_ms=event.now_ms, rows=with_cleared(state.view, state.cleared))
    selection = select_results(
        at.rows,
        session_folder=about.session_folder,
        state=state.results,
        declared=about.declared_limits,
        gates=about.gates,
        choices=about.choices,
        constants=about.constants,
        size=about.result_size,
    )
    if selection.saves:
        waiting = ForSaves(at=at, selection=selection)
        return Step(state=evolve(state, waiting=waiting), effects=(SaveResults(saves=selection.saves),))
    return after_saves(state, at, selection, {})


def after_saves(state: State, at: Pass, selection: Selection, outcomes: Mapping[str, Outcome]) -> Step:
    """The rest of the pass, once it is known what could be saved."""
    done = settle_results(selection, outcomes)
    has_replaced = len(done.state.replaced) > len(state.results.replaced)
    state = evolve(state, results=done.state, waiting=None)
    at = evolve(at, rows=done.messages, acted=(Layer.RESULTS,) if has_replaced else ())
    step = Step(state=state, trace=done.decisions)
    for layer in (_snip, _micro, _collapse):  # [CMP-001] in this order
        following, at = layer(step.state, at)
        step = step.then(following)
    return step.then(_compact(step.state, at))


def _snip(state: State, at: Pass) -> tuple[Step, Pass]:
    """Layer 2. Spec: CMP-040."""
    snip = state.settings.snip
    if not state.settings.gates.snip or snip is None:
        return Step(state=state), at
    done = snip(at.rows)
    rows, freed = as_rows(done.rows), max(0, done.freed_tokens)
    if rows == at.rows and not freed:
        return Step(state=state), at  # [CMP-002]
    # [CMP-040] what is gone is gone for good, so the log loses it too; what is cleared in it stays cleared only in view
    own = {id(seen): row for seen, row in zip(at.rows, state.view, strict=True)}
    view = tuple(own.get(id(row), row) for row in rows)
    said = Decision(layer=Layer.SNIP, why=Why.SNIPPED, tokens=freed)
    at = evolve(at, rows=rows, freed_tokens=freed, acted=(*at.acted, Layer.SNIP))
    return Step(state=state.with_view(view), trace=(said,)), at


def _micro(state: State, at: Pass) -> tuple[Step, Pass]:
    """Layer 3. Spec: CMP-050, CMP-075."""
    about = state.settings
    done = apply_microcompact(
        at.rows,
        now_ms=at.now_ms,
        source=at.source,
        is_suppressed=state.is_warning_suppressed,
        cached=state.cached_edits,
        settings=about.cached_micro,
        gates=about.gates,
        choices=about.choices,
        constants=about.constants,
    )
    state = evolve(
        state,
        cleared=state.cleared | set(done.cleared),
        cached_edits=done.cached,
        is_warning_suppressed=done.is_suppressed,  # [CMP-075]
    )
    acted = at.acted if done.path is Path.NONE else (*at.acted, Layer.MICRO)
    at = evolve(at, rows=done.messages, edits=done.edits, acted=acted)
    return Step(state=state, trace=done.decisions), at


def _collapse(state: State, at: Pass) -> tuple[Step, Pass]:
    """Layer 4: a projection for this request; the log stays as it is. Spec: CMP-042."""
    project = state.settings.collapse
    if not state.settings.gates.collapse or project is None:
        return Step(state=state), at
    rows = as_rows(project(at.rows))
    acted = at.acted if rows == at.rows else (*at.acted, Layer.COLLAPSE)
    return Step(state=state), evolve(at, rows=rows, acted=acted)


def _compact(state: State, at: Pass) -> Step:
    """Layer 5, and what follows it. Spec: CMP-070 to CMP-076."""
    about = state.settings
    ask = Ask(limits=about.limits, gates=about.gates, source=at.source, is_breaker_open=state.breaker.is_open)
    why = why_declined(ask)
    if why is not None:
        return _go_on(state, at, why)
    used = about.count(at.rows)
    if not is_due(about.limits, used, at.freed_tokens):
        return _go_on(state, at, Why.NOT_DUE, used)
    if not any(role_of(row) in COUNTED for row in at.rows):
        return _go_on(state, at, Why.NOTHING_TO_SUMMARISE)
    state = evolve(state, refill=state.refill.due(about.constants))
    if about.choices.refill_guard is RefillGuard.ON and state.refill.is_tripped(about.constants):
        said = Decision(layer=Layer.COMPACT, why=Why.REFILL_GUARD, tokens=used)
        ended = EndTurn(end=End.REFILL, acted=(*at.acted, Layer.COMPACT))
        return Step(state=state, effects=(ended,), trace=(said,))  # [CMP-076]
    of = Compaction(
        trigger=Trigger.AUTO, view=at.rows, tokens_before=used, log_rows=len(state.log), for_pass=at, now_ms=at.now_ms
    )
    return begin_by_notes(state, of)  # [CMP-072]


def _go_on(state: State, at: Pass, why: Why, tokens: int | None = None) -> Step:
    """No compaction is tried; the pass goes on. Spec: CMP-070."""
    said = Decision(layer=Layer.COMPACT, why=why, tokens=tokens)
    return Step(state=state, trace=(said,)).then(finish_pass(state, at))
