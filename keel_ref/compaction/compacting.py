"""One compaction from its demand to its new list. Spec: CMP-090 to CMP-094."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from keel_ref.choices import AbortCounts, InflatedSummary
from keel_ref.compaction.attachments import ordered_attachments
from keel_ref.compaction.attempt import Attempt
from keel_ref.compaction.cached_micro import CachedState
from keel_ref.compaction.cleanup import cleanup_after
from keel_ref.compaction.effects import AskSummary, AwaitNotes, CleanUp, Effect, End, EndTurn, ReadFiles, RunHooks
from keel_ref.compaction.events import FilesRead, HooksRan, Summarised, SummaryRefused
from keel_ref.compaction.read_state import ReadState
from keel_ref.compaction.rebuild import BoundaryFacts, Summary, Trigger, rebuilt_list
from keel_ref.compaction.restore import Candidates, restore_candidates, restore_files
from keel_ref.compaction.sending import finish_pass, overflow_error, send
from keel_ref.compaction.session_memory import NoNotesCompaction, NotesCompaction, compact_with_notes
from keel_ref.compaction.settings import HookKind, Rows
from keel_ref.compaction.shown import shown_paths
from keel_ref.compaction.skills import restore_skills
from keel_ref.compaction.state import (
    Compaction,
    ForEnd,
    ForFiles,
    ForHooks,
    ForNotes,
    ForStart,
    ForSummary,
    State,
    Step,
    Waiting,
    as_rows,
)
from keel_ref.compaction.strip import strip_for_summary
from keel_ref.compaction.summary import judge_summary
from keel_ref.compaction.trace import Decision, Layer, Why


def begin_compaction(state: State, of: Compaction) -> Step:
    """The hooks before it, or at once the call for the summary. Spec: CMP-091."""
    if HookKind.BEFORE in state.settings.hooks:
        return _wait(state, ForHooks(of=of), RunHooks(kind=HookKind.BEFORE))
    return _call(state, of)


def after_hooks_before(state: State, of: Compaction, event: HooksRan) -> Step:
    """The hooks before it came back: one that blocks ends the attempt, and nothing failed. Spec: CMP-091."""
    said = _hook_decisions(event)
    if event.is_blocking:
        return _fail(state, of, Why.HOOK_BLOCKED, said, does_count=False)  # [CMP-074] [CMP-091]
    return Step(state=state, trace=said).then(_call(state, evolve(of, said=tuple(event.rows))))


def after_abort(state: State, of: Compaction) -> Step:
    """The user stopped it: the attempt is over, and so is the turn. Spec: CMP-074, CMP-091."""
    does_count = state.settings.choices.abort_counts is AbortCounts.YES and not of.is_by_notes  # [CMP-074]
    return _fail(state, of, Why.ABORTED, (), does_count=does_count)


def after_call(state: State, of: Compaction, event: Summarised | SummaryRefused) -> Step:
    """A call came back: a summary, another call, or the end of the attempt. Spec: CMP-092."""
    why, excess = Why.SUMMARY_TOO_LONG, None
    if isinstance(event, SummaryRefused):
        excess = event.excess
    else:
        verdict = judge_summary(event.content, is_error=event.is_error)
        if verdict.why is None:
            return restore(state, evolve(of, summary=verdict.text))
        why = verdict.why
    assert of.attempt is not None, "a call that comes back was made"
    is_too_long = why is Why.SUMMARY_TOO_LONG
    about = state.settings
    following = of.attempt.after_failure(
        is_too_long=is_too_long, excess=excess, constants=about.constants, cost=about.cost
    )
    said: tuple[Decision, ...] = (_said(why, Layer.SUMMARY),)
    if following is None:
        return _fail(state, of, Why.FAILED, said, does_count=True)
    drops = following.drops[len(of.attempt.drops) :]
    said += tuple(decision for drop in drops for decision in drop.decisions)
    of = evolve(of, attempt=following)
    return Step(state=state, trace=said).then(_ask(state, of, following))


def after_files(state: State, of: Compaction, event: FilesRead) -> Step:
    """What can be put back is known. Spec: CMP-110 to CMP-122."""
    about = state.settings
    found = _candidates(state, of, event.modified_us)
    files = restore_files(found.paths, event.contents, choices=about.choices, constants=about.constants)
    of = evolve(of, attachments=files.attachments, read_after=files.state)
    return Step(state=state, trace=(*found.decisions, *files.decisions)).then(_attach(state, of))


def after_hooks_start(state: State, of: Compaction, event: HooksRan) -> Step:
    """The hooks of a session start came back. Spec: CMP-091."""
    said = Step(state=state, trace=_hook_decisions(event))
    return said.then(_write(state, evolve(of, said=(*of.said, *event.rows))))


def after_hooks_after(state: State, of: Compaction, event: HooksRan) -> Step:
    """The hooks behind it came back; what they say joins the list at its end. Spec: CMP-091."""
    state = evolve(state, log=(*state.log, *event.rows), waiting=None)
    return Step(state=state, trace=_hook_decisions(event)).then(_done(state, of))


def _call(state: State, of: Compaction) -> Step:
    """The first call. Spec: CMP-090, CMP-100."""
    attempt = Attempt(rows=strip_for_summary(of.view).messages)
    return _ask(state, evolve(of, attempt=attempt), attempt)


def _ask(state: State, of: Compaction, attempt: Attempt) -> Step:
    return _wait(state, ForSummary(of=of), AskSummary(rows=tuple(attempt.rows), tools=attempt.tools))


def restore(state: State, of: Compaction) -> Step:
    """The summary is there; what is to be put back has to be read. Spec: CMP-091."""
    found = _candidates(state, of, {})
    if found.paths:
        return _wait(state, ForFiles(of=of), ReadFiles(paths=found.paths))
    return Step(state=state, trace=found.decisions).then(_attach(state, of))


def _candidates(state: State, of: Compaction, modified_us: Mapping[str, int]) -> Candidates:
    kept = () if of.kept_from is None else of.view[of.kept_from :]
    return restore_candidates(
        state.read_state,
        modified_us,
        plan_files=state.plan_files,
        memory_files=state.memory_files,
        shown=shown_paths(kept),
        choices=state.settings.choices,
    )


def _attach(state: State, of: Compaction) -> Step:
    """Skills and what else stands beside the talk join the files. Spec: CMP-119, CMP-122."""
    about = state.settings
    skills = restore_skills(state.skills, choices=about.choices, constants=about.constants)
    of = evolve(of, attachments=ordered_attachments(of.attachments, skills.attachments, state.standing))
    step = Step(state=state, trace=skills.decisions)
    if of.is_by_notes:
        checked = check_notes(state, of)
        step = step.then(Step(state=state, trace=checked.decisions))
        if isinstance(checked, NoNotesCompaction):
            return step.then(begin_compaction(state, _without_notes(of)))  # [CMP-072] a null result is no failure
    if HookKind.START in about.hooks:
        return step.then(_wait(state, ForStart(of=of), RunHooks(kind=HookKind.START)))
    return step.then(_write(state, of))


def _write(state: State, of: Compaction) -> Step:
    """The new list, and what is forgotten with the old one. Spec: CMP-094, CMP-150 to CMP-160."""
    about = state.settings
    facts = BoundaryFacts(
        trigger=of.trigger,
        tokens_before=of.tokens_before,
        discovered_tools=state.discovered_tools,
        at_ms=of.now_ms,
    )
    new = rebuilt_list(
        of.view,
        facts,
        [Summary(text=of.summary)],
        kept_from=of.kept_from,
        attachments=of.attachments,
        hook_results=of.said,
        log_path=about.log_path,
    )
    is_refused = about.choices.inflated_summary is InflatedSummary.REFUSE and not of.is_by_notes
    if is_refused and about.cost(new.messages) > about.cost(of.view):  # [CMP-094] before anything is cleared
        return _fail(state, of, Why.INFLATED, (), does_count=True)
    source = None if of.for_pass is None else of.for_pass.source
    cleanup = cleanup_after(source, gates=about.gates)
    state = _replaced(state, of, as_rows(new.messages))
    why = Why.COMPACTED_BY_NOTES if of.is_by_notes else Why.COMPACTED
    said = _said(why, Layer.COMPACT, tokens=about.cost(new.messages))
    step = Step(state=state, effects=(CleanUp(cleanup=cleanup),), trace=(*new.decisions, said))
    if HookKind.AFTER in about.hooks:
        return step.then(_wait(state, ForEnd(of=of), RunHooks(kind=HookKind.AFTER)))
    return step.then(_done(state, of))


def _replaced(state: State, of: Compaction, rows: Rows) -> State:
    """The session with its new list. Spec: CMP-073, CMP-075, CMP-076, CMP-124."""
    return evolve(
        state,
        # what came in meanwhile goes on behind the new list; what it measured is void
        log=(*state.log[: of.log_rows], *rows, *({**row, "kept": True} for row in state.log[of.log_rows :])),
        read_state=of.read_after,
        breaker=state.breaker.succeed(),  # [CMP-073] manual or not
        refill=state.refill.compacted() if of.trigger is Trigger.AUTO else state.refill,  # [CMP-076]
        is_warning_suppressed=True,  # [CMP-075]
        cached_edits=CachedState(),  # [CMP-156]
        cleared=frozenset(),
        discovered_tools=(),
        waiting=None,
    )


def _fail(state: State, of: Compaction, why: Why, said: tuple[Decision, ...], *, does_count: bool) -> Step:
    """The attempt is over and everything is as it was, but for the count of failures. Spec: CMP-074, CMP-091."""
    if does_count and of.trigger is Trigger.AUTO:  # [CMP-079] a manual one does not count
        state = evolve(state, breaker=state.breaker.fail())
    state = evolve(state, waiting=None)
    step = Step(state=state, trace=(*said, _said(why, Layer.COMPACT, tokens=of.tokens_before)))
    if why is Why.ABORTED and of.for_pass is not None:
        return step.then(Step(state=state, effects=(EndTurn(end=End.ABORTED, acted=of.for_pass.acted),)))
    return step.then(_done(state, of, has_compacted=False))


def _done(state: State, of: Compaction, *, has_compacted: bool = True) -> Step:
    """Back to what the compaction was for: a pass, a request that was refused, or nothing. Spec: CMP-001, CMP-170."""
    at = of.for_pass
    if at is None:
        return Step(state=state)
    if has_compacted:
        at = evolve(at, rows=state.view, freed_tokens=0, edits=(), acted=(*at.acted, Layer.COMPACT), has_compacted=True)
    if not of.is_reactive:
        return finish_pass(state, at)
    if not has_compacted:
        return overflow_error(state)  # [CMP-170]
    said = Decision(layer=Layer.RECOVERY, why=Why.REACTIVE_RETRY)
    return Step(state=state, trace=(said,)).then(send(state, at))  # [CMP-171]


def _wait(state: State, waiting: Waiting, effect: Effect) -> Step:
    return Step(state=evolve(state, waiting=waiting), effects=(effect,))


def _said(why: Why, layer: Layer, tokens: int | None = None) -> Decision:
    return Decision(layer=layer, why=why, tokens=tokens)


def _hook_decisions(event: HooksRan) -> tuple[Decision, ...]:
    return (Decision(layer=Layer.SUMMARY, why=Why.HOOK_FAILED, id=str(event.kind)),) if event.has_failed else ()


def begin_by_notes(state: State, of: Compaction) -> Step:
    """The notes first; where they are of no use, the full compaction. Spec: CMP-072, CMP-140."""
    found = check_notes(state, of)
    if isinstance(found, NotesCompaction):
        summary = found.notes.text
        return restore(state, evolve(of, is_by_notes=True, kept_from=found.start, summary=summary))
    step = Step(state=state, trace=found.decisions)
    if found.wait_ms > 0:
        return step.then(_wait(state, ForNotes(of=of), AwaitNotes(wait_ms=found.wait_ms)))
    return step.then(begin_compaction(state, of))


def check_notes(state: State, of: Compaction) -> NotesCompaction | NoNotesCompaction:
    """What comes of the notes, with what is put back so far. Spec: CMP-140, CMP-146."""
    about = state.settings
    return compact_with_notes(
        of.view,
        state.notes,
        attachments=of.attachments,
        threshold_tokens=about.limits.auto,
        choices=about.choices,
        gates=about.gates,
        constants=about.constants,
    )


def _without_notes(of: Compaction) -> Compaction:
    return evolve(of, is_by_notes=False, kept_from=None, summary="", attachments=(), read_after=ReadState())
