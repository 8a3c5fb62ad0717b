"""What a compaction of a session file would do, found out without a call. Spec: CMP-090 to CMP-155."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Final

from attrs import frozen

from keel_ref.adapters.disk import DiskTree
from keel_ref.adapters.fast_counts import fast_cost, fast_count
from keel_ref.adapters.restore_disk import read_files
from keel_ref.adapters.session_file import SessionFile, absolute, absolute_reads
from keel_ref.choices import Gates
from keel_ref.compaction.effects import AskSummary, ReadFiles
from keel_ref.compaction.events import CompactAsked, Event, Summarised
from keel_ref.compaction.result_budget import select_results, settle_results
from keel_ref.compaction.settings import Settings
from keel_ref.compaction.state import State
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.compaction.turn import step
from keel_ref.fast import api_rounds
from keel_ref.messages.rows import COUNTED, has_mark, role_of
from keel_ref.window.limits import window_limits

PLACEHOLDER: Final = "(the summary)"
"""Stands for the summary that nobody has written yet."""
PLACEHOLDER_ROW: Final = {"role": "user", "text": PLACEHOLDER}


@frozen(kw_only=True)
class Saving:
    """What one step would save."""

    step: str
    tokens: int
    """By the documented rule."""
    things: int
    """Results or rows that are concerned."""


@frozen(kw_only=True)
class Plan:
    """What would happen."""

    session: SessionFile
    state: State
    """Before it."""
    used: int
    """Tokens of the context now: usage, and an estimate of what came after. Spec: EST-016."""
    rows: int
    """Rows of the view that cost something."""
    tokens: int
    """What they cost by the documented rule."""
    kept_rows: int
    kept_tokens: int
    """Rows that stay behind the summary as they are."""
    asked_tokens: int
    """What the call for the summary would send, less system prompt, tools and the demand."""
    savings: tuple[Saving, ...]
    restored: tuple[Decision, ...]
    """What becomes of each file that was read."""
    after_tokens: int
    """The new list without the text of the summary."""
    refused: Why | None = None
    """Why nothing would be compacted; None: it would."""


def session_state(session: SessionFile, options: argparse.Namespace, env: Mapping[str, str]) -> State:
    """The session as the turn machine has it. Raises `KeelError` for a window that cannot be."""
    limits = window_limits(
        options.model or session.model,
        window=options.window,
        max_output=options.max_output,
        env=dict(env),
    )
    gates = Gates.released() if options.preset == "released" else Gates()
    settings = Settings(
        limits=limits,
        gates=gates,
        own_count=fast_count,
        own_cost=fast_cost,
        log_path=absolute(options.out or session.path),
    )
    folder = options.cwd or str(session.view.header.get("cwd") or ".")
    reads = absolute_reads(session.reads, folder)
    return State(settings=settings, log=session.view.rows, read_state=reads)


def first_kept(state: State, rounds: int) -> int | None:
    """Index in the view of the first of the last rounds; None where none is kept. Spec: MSG-010."""
    if not rounds:
        return None
    view = list(state.view)
    starts = [start for start, _ in api_rounds(view)]
    start = starts[-rounds] if rounds <= len(starts) else 0
    summaries = [index for index, row in enumerate(view) if has_mark(row, "summary")]
    return max(start, summaries[-1] + 1 if summaries else 0)  # an old summary is part of what the new one says


def make_plan(session: SessionFile, state: State, options: argparse.Namespace) -> Plan:
    """What would happen. The disk is read, nothing is written and nobody is called."""
    kept_from = first_kept(state, options.keep)
    view = state.view
    trace: list[Decision] = []
    asked: list[AskSummary] = []
    after = _rehearse(state, CompactAsked(kept_from=kept_from), trace, asked)
    refused = None if asked else next(one.why for one in trace if one.layer is Layer.COMPACT)
    kept = () if kept_from is None or refused else tuple(row for row in view[kept_from:] if role_of(row) in COUNTED)
    tokens = fast_cost(view)
    changed = {id(row) for row in view}
    media = sum(id(row) not in changed for ask in asked for row in ask.rows)
    asked_tokens = fast_cost(asked[0].rows) if media else tokens if asked else 0
    after_tokens = tokens if refused else max(0, fast_cost(after.view) - fast_cost([PLACEHOLDER_ROW]))
    rows = sum(role_of(row) in COUNTED for row in view)
    savings = (
        _first_saving(state),
        Saving(step="media", tokens=max(0, tokens - asked_tokens) if asked else 0, things=media),
        Saving(step="compact", tokens=0 if refused else max(0, tokens - after_tokens), things=rows - len(kept)),
    )
    return Plan(
        session=session,
        state=state,
        used=state.used if refused else after.view[0]["tokens_before"],
        rows=rows,
        tokens=tokens,
        kept_rows=len(kept),
        kept_tokens=fast_cost(kept),
        asked_tokens=asked_tokens,
        savings=savings,
        restored=tuple(one for one in trace if one.layer is Layer.RESTORE),
        after_tokens=after_tokens,
        refused=refused,
    )


def _rehearse(state: State, event: Event, trace: list[Decision], asked: list[AskSummary]) -> State:
    """The compaction with a placeholder for the summary. It ends: the first call gives a valid text."""
    waiting = [event]
    while waiting:
        done = step(state, waiting.pop(0))
        state = done.state
        trace.extend(done.trace)
        for effect in done.effects:
            match effect:
                case AskSummary():
                    asked.append(effect)
                    waiting.append(Summarised(content=PLACEHOLDER))
                case ReadFiles(paths=paths):
                    about = state.settings
                    waiting.append(read_files(paths, DiskTree(), choices=about.choices, constants=about.constants))
                case _:
                    pass
    return state


def _first_saving(state: State) -> Saving:
    """What layer 1 would save in a pass of the session, with its files written. Spec: CMP-001, CMP-020."""
    selection = select_results(state.view, session_folder="", gates=state.settings.gates)
    done = settle_results(selection, {save.id: True for save in selection.saves})
    return Saving(step="results", tokens=done.freed_tokens, things=len(selection.saves))
