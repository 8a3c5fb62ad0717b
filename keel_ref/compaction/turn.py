"""The turn machine: a session, something that happens to it, and what follows. Spec: CMP-001 to CMP-005."""

from __future__ import annotations

from attrs import evolve

from keel_ref.compaction.compacting import (
    after_abort,
    after_call,
    after_files,
    after_hooks_after,
    after_hooks_before,
    after_hooks_start,
    begin_by_notes,
    begin_compaction,
)
from keel_ref.compaction.effects import End, EndTurn
from keel_ref.compaction.events import (
    Aborted,
    Appended,
    Cleared,
    CompactAsked,
    Event,
    FileRead,
    FilesRead,
    HooksRan,
    NotesTaken,
    PassBegun,
    RequestRefused,
    ResultsSaved,
    Resumed,
    SettingsChanged,
    Summarised,
    SummaryRefused,
)
from keel_ref.compaction.overflow import after_refusal
from keel_ref.compaction.passes import after_saves, begin_pass
from keel_ref.compaction.rebuild import Trigger
from keel_ref.compaction.recovery import TurnMarks
from keel_ref.compaction.settings import HookKind, Row
from keel_ref.compaction.state import (
    Compaction,
    ForEnd,
    ForFiles,
    ForHooks,
    ForNotes,
    ForSaves,
    ForStart,
    ForSummary,
    State,
    Step,
    refused,
)
from keel_ref.compaction.trace import Why
from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.rows import COUNTED, Role, as_list, content_of, role_of, type_of


def step(state: State, event: Event) -> Step:
    """What follows from an event: the next state, what is to be done, and why.

    Effects are done in their order, and what comes of each is the next event. While a session waits for something, a
    demand for a pass or a compaction is refused with `compacting`; rows, files and notes are taken in at any time.
    Raises `InvalidArgumentError` for the outcome of something that nobody asked for.
    """
    match event:
        case PassBegun() | CompactAsked() | RequestRefused():
            return _begin(state, event)
        case Appended() | FileRead() | NotesTaken() | SettingsChanged() | Cleared() | Resumed():
            return _take_in(state, event)
        case Aborted():
            return _abort(state)
        case _:
            return _go_on(state, event)


def _take_in(state: State, event: Appended | FileRead | NotesTaken | SettingsChanged | Cleared | Resumed) -> Step:
    """What is noted at any time."""
    match event:
        case Appended(rows=rows):
            turn = TurnMarks() if any(map(_is_prompt, rows)) else state.turn  # [CMP-170] a prompt begins a turn
            return Step(state=evolve(state, log=(*state.log, *rows), turn=turn))
        case FileRead(path=path, size_bytes=size):
            read_state, said = state.read_state.after_read(path, size_bytes=size, constants=state.settings.constants)
            return Step(state=evolve(state, read_state=read_state), trace=said)
        case NotesTaken(notes=notes):
            state = evolve(state, notes=notes)
            if isinstance(state.waiting, ForNotes):
                return begin_by_notes(state, state.waiting.of)  # [CMP-137]
            return Step(state=state)
        case SettingsChanged(settings=settings):
            return Step(state=evolve(state, settings=settings))
        case Cleared():
            return Step(state=State(settings=state.settings))
        case Resumed():
            return Step(state=resumed(state))


def resumed(state: State) -> State:
    """The session as its log tells of it. Spec: CMP-181."""
    return State(
        settings=state.settings,
        log=state.log,
        results=state.results,
        skills=state.skills,
        notes=state.notes,
        plan_files=state.plan_files,
        memory_files=state.memory_files,
    )


def _begin(state: State, event: PassBegun | CompactAsked | RequestRefused) -> Step:
    if state.waiting is not None:
        return refused(state, Why.COMPACTING)  # [CMP-004]
    match event:
        case PassBegun():
            return begin_pass(state, event)
        case CompactAsked():
            return _begin_manual(state, event)
        case RequestRefused():
            return after_refusal(state, event)


def _begin_manual(state: State, event: CompactAsked) -> Step:
    """A compaction that the user asks for. Spec: CMP-079."""
    if not state.settings.limits.is_manual_enabled:
        return refused(state, Why.COMPACT_DISABLED)
    view = state.seen
    if not any(role_of(row) in COUNTED for row in view):
        return refused(state, Why.NOTHING_TO_SUMMARISE)  # [CMP-071]
    if event.kept_from is not None and not 0 <= event.kept_from <= len(view):  # said before a call is paid for
        raise InvalidArgumentError("kept_from", f"{event.kept_from} is no place in a view of {len(view)} rows")
    return begin_compaction(
        state,
        Compaction(
            trigger=Trigger.MANUAL,
            view=view,
            tokens_before=state.used,
            log_rows=len(state.log),
            kept_from=event.kept_from,
            now_ms=event.now_ms,
        ),
    )


def _abort(state: State) -> Step:
    """The user stops what is under way. Spec: CMP-074."""
    match state.waiting:
        case None | ForEnd():
            return Step(state=state)  # there is nothing that could be taken back
        case ForSaves():
            return Step(state=evolve(state, waiting=None), effects=(EndTurn(end=End.ABORTED),))
        case ForHooks(of=of) | ForNotes(of=of) | ForSummary(of=of) | ForFiles(of=of) | ForStart(of=of):
            return after_abort(state, of)


def _go_on(state: State, event: Event) -> Step:
    """The outcome of what the session waits for."""
    match state.waiting, event:
        case ForSaves(at=at, selection=selection), ResultsSaved(outcomes=outcomes):
            return after_saves(state, at, selection, outcomes)
        case ForHooks(of=of), HooksRan(kind=HookKind.BEFORE):
            return after_hooks_before(state, of, event)
        case ForSummary(of=of), Summarised() | SummaryRefused():
            return after_call(state, of, event)
        case ForFiles(of=of), FilesRead():
            return after_files(state, of, event)
        case ForStart(of=of), HooksRan(kind=HookKind.START):
            return after_hooks_start(state, of, event)
        case ForEnd(of=of), HooksRan(kind=HookKind.AFTER):
            return after_hooks_after(state, of, event)
        case _:
            pass
    waits = "nothing" if state.waiting is None else type(state.waiting).__name__
    raise InvalidArgumentError("event", f"{type(event).__name__} came, but the session waits for {waits}")


def _is_prompt(row: Row) -> bool:
    """Whether a row is something that the user said, and not the result of a call alone."""
    if role_of(row) is not Role.USER:
        return False
    blocks = as_list(content_of(row))
    return blocks is None or any(type_of(block) != "tool_result" for block in blocks)
