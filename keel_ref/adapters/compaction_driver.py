"""Does for a session what the turn machine asks for: real requests, files, hooks. Spec: CMP-001, CMP-090 to CMP-093.

The machine decides (`keel_ref.compaction.step`), this driver performs, and what comes of it goes back as an event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import define, evolve, field, frozen

from keel_ref.adapters.api_errors import Refused, described, why_refused
from keel_ref.adapters.clock import SystemClock
from keel_ref.adapters.disk import DiskTree
from keel_ref.adapters.extras import import_extra
from keel_ref.adapters.hooks import TIMEOUT_SECONDS as HOOK_SECONDS
from keel_ref.adapters.hooks import Hook, run_hook
from keel_ref.adapters.restore_disk import read_files
from keel_ref.adapters.result_store import save_results
from keel_ref.adapters.summary_call import TIMEOUT_SECONDS, Request, ask_summary
from keel_ref.compaction.effects import (
    AskSummary,
    AwaitNotes,
    Effect,
    End,
    EndTurn,
    ReadFiles,
    RunHooks,
    SaveResults,
    SendRequest,
)
from keel_ref.compaction.events import (
    Aborted,
    Appended,
    CompactAsked,
    Event,
    FileRead,
    HooksRan,
    NotesTaken,
    PassBegun,
    RequestRefused,
)
from keel_ref.compaction.session_memory import SessionNotes
from keel_ref.compaction.settings import HookKind, Row
from keel_ref.compaction.state import ForEnd, State
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.compaction.turn import step
from keel_ref.errors import KeelError
from keel_ref.messages.prepare import prepare_messages
from keel_ref.ports import Clock, Tree


class RequestFailed(KeelError):
    """A request failed for a reason that no compaction mends; the session is as it was before it."""

    code = "request_failed"

    def __init__(self, problem: str) -> None:
        """Say what the provider, or the package, says."""
        super().__init__(f"the request failed: {problem}; the session is unchanged and can be taken up again")
        self.problem = problem


@frozen(kw_only=True)
class Turn:
    """What came of one pass: an answer, or the end of the turn."""

    answer: Any = None
    """The message of the package; None: the turn ended without one."""
    end: End | None = None
    """Why it ended; None: there is an answer."""


@frozen(kw_only=True)
class Compacted:
    """What came of a compaction that was asked for."""

    why: Why
    """`compacted`, or why not."""
    trace: tuple[Decision, ...]
    """What was decided on the way."""

    @property
    def is_done(self) -> bool:
        """Whether there is a new list."""
        return self.why is Why.COMPACTED


def _never() -> bool:
    return False


@define(kw_only=True)
class Driver:
    """One session, kept within its window. Not to be used by two threads at once."""

    client: Any
    """A client of the package `anthropic`, which retries by itself what may pass."""
    request: Request
    """What each request asks for beside its messages."""
    state: State
    """The session, as the turn machine has it."""
    tree: Tree = field(factory=DiskTree)
    """The disk from which files are put back."""
    clock: Clock = field(factory=SystemClock)
    hooks: Mapping[HookKind, Hook] = field(factory=dict)
    """A function for each kind of hook."""
    front: Sequence[Row] = ()
    """Rows that stand before all others in every request, such as instructions. Spec: CMP-001."""
    timeout_seconds: float = TIMEOUT_SECONDS
    """How long one step of a request may take."""
    hook_seconds: float = HOOK_SECONDS
    is_stopped: Callable[[], bool] = _never
    """Whether the user wants what is under way to end; asked before everything that takes time."""
    await_notes: Callable[[int], SessionNotes] | None = None
    """Waits for the notes, so many milliseconds at most, and gives them as they are then; None: nobody takes any."""
    keeps_thinking: bool = True
    """Whether whoever writes a summary is sent the thinking; another model cannot read it."""
    trace: list[Decision] = field(factory=list, init=False)
    """What was decided so far, and why."""
    problems: list[str] = field(factory=list, init=False)
    """What a person should know: calls, files and hooks that failed, and what a summary lacks; a line each."""
    summary_calls: int = field(default=0, init=False)
    """Calls for a summary so far."""
    _turns: list[Turn] = field(factory=list, init=False)
    """What came of the pass under way."""

    def __attrs_post_init__(self) -> None:
        kinds = frozenset(self.hooks) | self.state.settings.hooks
        self.state = evolve(self.state, settings=evolve(self.state.settings, hooks=kinds))

    def append(self, *rows: Row) -> None:
        """Rows came to the session: a prompt, results."""
        self._drive(Appended(rows=rows))

    def note_read(self, path: str, size_bytes: int = 0) -> None:
        """The session has read a file, which a compaction may put back. Spec: CMP-110."""
        self._drive(FileRead(path=path, size_bytes=size_bytes))

    def send(self, source: str | None = "repl_main_thread") -> Turn:
        """One pass through the layers and, unless a layer ends the turn, one request; its answer joins the rows.

        Raises `RequestFailed` where the request failed for another reason than its size, `KeyboardInterrupt` where
        the user stopped it; the session can be used afterwards.
        """
        self._turns.clear()
        self._drive(PassBegun(source=source, now_ms=self.clock.now_ms()))
        assert self._turns, "a pass ends in a request, or ends the turn"
        return self._turns.pop()

    def compact(self, *, kept_from: int | None = None) -> Compacted:
        """Compact now, whatever the count is. Spec: CMP-079.

        `kept_from` is the index in the view of the first row that stays as it is; None: none does.
        """
        before = len(self.trace)
        self._drive(CompactAsked(now_ms=self.clock.now_ms(), kept_from=kept_from))
        trace = tuple(self.trace[before:])
        why = next(
            one.why for one in reversed(trace) if one.layer is Layer.COMPACT and one.why is not Why.BOUNDARY_LEFT_OUT
        )
        return Compacted(why=why, trace=trace)

    def _drive(self, event: Event) -> None:
        """Let it happen, do what has to be done, and so on. It ends: the machine bounds each attempt and ladder."""
        waiting: list[Event] = [event]
        interrupt: KeyboardInterrupt | None = None
        while waiting:
            done = step(self.state, waiting.pop(0))
            self.state = done.state
            self.trace.extend(done.trace)
            for effect in done.effects:
                if interrupt is not None and isinstance(effect, SendRequest):
                    continue  # whoever stopped a hook wants no request either
                try:
                    found = self._broken_off() if self._has_to_stop(effect) else self._perform(effect)
                except KeyboardInterrupt as error:
                    interrupt = error
                    found = self._broken_off()
                except BaseException:
                    self._let_go()
                    raise
                if found is not None:
                    waiting.append(found)
        if interrupt is not None:
            raise interrupt

    def _has_to_stop(self, effect: Effect) -> bool:
        """Whether the user stops before the effect; a request that is not sent ends the turn."""
        takes_time = isinstance(effect, AskSummary | AwaitNotes | ReadFiles | RunHooks | SaveResults | SendRequest)
        if not (takes_time and self.is_stopped()):
            return False
        if isinstance(effect, SendRequest):
            self._turns.append(Turn(end=End.ABORTED))
        return True

    def _broken_off(self) -> Event | None:
        """What is told the machine when the user stops what it waits for. Spec: CMP-091."""
        match self.state.waiting:
            case None:
                return None
            case ForEnd():
                return HooksRan(kind=HookKind.AFTER, has_failed=True)  # the new list stands already
            case _:
                return Aborted()

    def _let_go(self) -> None:
        """A fault came up: let the session wait for nothing, so that it can be used again."""
        event = self._broken_off()
        if event is not None:
            self.state = step(self.state, event).state

    def _perform(self, effect: Effect) -> Event | None:
        match effect:
            case SaveResults(saves=saves):
                saved = save_results(saves)
                self.problems.extend(saved.problems)
                return saved.event
            case AskSummary():
                return self._ask(effect)
            case ReadFiles(paths=paths):
                about = self.state.settings
                return read_files(paths, self.tree, choices=about.choices, constants=about.constants)
            case RunHooks(kind=kind):
                return self._run_hook(kind)
            case AwaitNotes(wait_ms=wait_ms):
                return self._await_notes(wait_ms)
            case SendRequest(rows=rows):
                return self._send(rows)
            case EndTurn(end=end):
                self._turns.append(Turn(end=end))
                return None
            case _:
                return None  # caches that are to be forgotten; this driver has none

    def _ask(self, ask: AskSummary) -> Event:
        self.summary_calls += 1
        answer = ask_summary(
            self.client,
            ask,
            request=self.request.words(),
            front=self.front,
            timeout_seconds=self.timeout_seconds,
            keeps_thinking=self.keeps_thinking,
        )
        if answer.problem is not None:
            self.problems.append(answer.problem)
        self.problems.extend(
            f"the summary has no part {part!r}; check it before going on" for part in answer.missing_parts
        )
        return answer.event

    def _await_notes(self, wait_ms: int) -> Event:
        """The notes as they are after the wait, which is over now, whatever a clock says. Spec: CMP-137."""
        before = self.state.notes
        notes = before if self.await_notes is None else self.await_notes(wait_ms)
        if notes.running_ms is not None:
            notes = evolve(notes, running_ms=max(notes.running_ms, (before.running_ms or 0) + wait_ms))
        return NotesTaken(notes=notes)

    def _run_hook(self, kind: HookKind) -> Event:
        hook = self.hooks.get(kind)
        ran = run_hook(hook or _no_hook, kind, self.state, timeout_seconds=self.hook_seconds)
        if ran.problem is not None:
            self.problems.append(ran.problem)
        return ran.event

    def _send(self, rows: Sequence[Row]) -> Event | None:
        """The request itself. Spec: CMP-001, CMP-170."""
        package = import_extra("anthropic", "api")
        messages = list(prepare_messages([*self.front, *rows]).messages)
        try:
            answer = self.client.messages.create(
                messages=messages, timeout=self.timeout_seconds, **self.request.words()
            )
        except package.APIError as error:
            why = why_refused(error)
            if why is Refused.OTHER:
                raise RequestFailed(described(error)) from error
            self.problems.append(f"the request was refused ({described(error)})")
            return RequestRefused(is_media=why is Refused.TOO_LARGE)
        except (package.AnthropicError, TypeError, ValueError, RecursionError) as error:
            raise RequestFailed(described(error)) from error
        if not isinstance(getattr(answer, "content", None), list):
            raise RequestFailed("the server's answer is no message")
        self._turns.append(Turn(answer=answer))
        return Appended(rows=(answer_row(answer),))


def answer_row(answer: Any) -> Row:
    """The row of an answer, with its usage, on which the next count stands. Spec: MSG-001, EST-016."""
    held = answer.to_dict(mode="json")
    row = {"role": "assistant", "id": held.get("id"), "content": held["content"], "usage": held.get("usage")}
    return {name: value for name, value in row.items() if value is not None}


def _no_hook(kind: HookKind, state: State) -> None:
    """Stands for a kind that was set up without a function."""
