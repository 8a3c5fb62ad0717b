"""Hooks of a compaction: functions of the caller, each with its time, none of which can break a turn. Spec: CMP-091."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from keel_ref.compaction.events import HooksRan
from keel_ref.compaction.settings import HookKind
from keel_ref.compaction.state import State

TIMEOUT_SECONDS: Final = 60.0
"""How long a hook may take."""


@frozen(kw_only=True)
class HookSays:
    """What a hook says."""

    rows: Sequence[Mapping[str, Any]] = ()
    """Rows that join the new list."""
    blocks: bool = False
    """Whether it forbids the compaction; only one before it can."""


Hook = Callable[[HookKind, State], HookSays | None]
"""A hook is told its kind and the session; None: it has nothing to say."""


@frozen(kw_only=True)
class HookRun:
    """What came of a hook."""

    event: HooksRan
    """As the turn machine takes it."""
    problem: str | None = None
    """Why it failed, in one line; None: it did not."""


def run_hook(hook: Hook, kind: HookKind, state: State, *, timeout_seconds: float = TIMEOUT_SECONDS) -> HookRun:
    """Run it in a thread of its own; one that raises or takes too long has failed, and is left alone. Spec: CMP-091."""
    said: list[object] = []  # a stranger may give anything
    raised: list[BaseException] = []

    def work() -> None:
        try:
            said.append(hook(kind, state))
        except BaseException as error:  # noqa: BLE001 (a stranger's function; whatever it is, the compaction goes on)
            raised.append(error)

    thread = threading.Thread(target=work, daemon=True, name=f"keel-ref {kind} hook")
    thread.start()
    thread.join(timeout_seconds)
    if raised:
        return _failed(kind, f"{type(raised[0]).__name__}: {raised[0]}")
    if not said:
        return _failed(kind, f"it takes longer than {timeout_seconds:g} seconds")
    answer = said[0] or HookSays()
    if not isinstance(answer, HookSays):
        return _failed(kind, f"it gave a {type(answer).__name__}; give a HookSays, or None")
    is_blocking = answer.blocks and kind is HookKind.BEFORE
    return HookRun(event=HooksRan(kind=kind, rows=tuple(answer.rows), is_blocking=is_blocking))


def _failed(kind: HookKind, why: str) -> HookRun:
    problem = f"the hook {kind} failed ({' '.join(why.split())})"
    return HookRun(event=HooksRan(kind=kind, has_failed=True), problem=problem)
