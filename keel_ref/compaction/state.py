"""A session as the turn machine sees it."""

from __future__ import annotations

from typing import Any

from attrs import evolve, field, frozen

from keel_ref.compaction.attachments import Standing
from keel_ref.compaction.attempt import Attempt
from keel_ref.compaction.breakers import Breaker, breaker_family
from keel_ref.compaction.cached_micro import CachedState, Edit
from keel_ref.compaction.effects import Effect
from keel_ref.compaction.microcompact import with_cleared
from keel_ref.compaction.read_state import ReadState
from keel_ref.compaction.rebuild import Trigger
from keel_ref.compaction.recovery import TurnMarks
from keel_ref.compaction.refill import RefillGuard
from keel_ref.compaction.result_budget import Selection
from keel_ref.compaction.result_state import BudgetState
from keel_ref.compaction.results import find_results, with_contents
from keel_ref.compaction.session_memory import SessionNotes
from keel_ref.compaction.settings import Rows, Settings
from keel_ref.compaction.skills import Invocation
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.messages.view import view_start


@frozen(kw_only=True)
class Pass:
    """One pass on its way through the layers."""

    source: str | None
    now_ms: int | None
    rows: Rows
    """What the last layer gave."""
    freed_tokens: int = 0
    """What snip freed."""
    edits: tuple[Edit, ...] = ()
    """Deletions in the cache that the request carries. Spec: CMP-062."""
    acted: tuple[Layer, ...] = ()
    """Layers that changed something."""
    has_compacted: bool = False


@frozen(kw_only=True)
class Compaction:
    """A compaction under way. Spec: CMP-091."""

    trigger: Trigger
    view: Rows
    """What it replaces, whole."""
    tokens_before: int
    log_rows: int
    """Rows of the log when it began; what came in later is not part of what it replaces."""
    for_pass: Pass | None = None
    """The pass whose layer 5 it is; None: somebody asked for it, or a request was refused."""
    is_reactive: bool = False
    is_by_notes: bool = False
    """Whether the notes are to be the summary. Spec: CMP-140."""
    kept_from: int | None = None
    """Index in the view of the first row that is kept; None: none is."""
    now_ms: int | None = None
    """When it began."""
    attempt: Attempt | None = None
    """The calls for the summary, once they have begun."""
    summary: str = ""
    """The valid summary, once it is there."""
    attachments: Rows = ()
    """What is put back, once it is known."""
    read_after: ReadState = field(factory=ReadState)
    """The files that count as read afterwards. Spec: CMP-124."""
    said: Rows = ()
    """What hooks said."""


@frozen(kw_only=True)
class ForSaves:
    """Results are being saved."""

    at: Pass
    selection: Selection


@frozen(kw_only=True)
class ForHooks:
    """Hooks run before a compaction."""

    of: Compaction


@frozen(kw_only=True)
class ForSummary:
    """A call for a summary is under way."""

    of: Compaction


@frozen(kw_only=True)
class ForNotes:
    """The notes are being brought up to date. Spec: CMP-137."""

    of: Compaction


@frozen(kw_only=True)
class ForFiles:
    """Files are being read."""

    of: Compaction


@frozen(kw_only=True)
class ForStart:
    """The hooks of a session start run."""

    of: Compaction


@frozen(kw_only=True)
class ForEnd:
    """The hooks behind a compaction run."""

    of: Compaction


Waiting = ForSaves | ForHooks | ForNotes | ForSummary | ForFiles | ForStart | ForEnd
"""For what a session waits."""


@frozen(kw_only=True)
class State:
    """Everything that a session knows."""

    settings: Settings
    log: Rows = ()
    """All rows, those before the last boundary too."""
    results: BudgetState = field(factory=BudgetState)
    """What was decided about results. Spec: CMP-031."""
    cleared: frozenset[str] = frozenset()
    """Calls whose results were cleared. Spec: CMP-054."""
    cached_edits: CachedState = field(factory=CachedState)
    """Deletions in the provider's cache. Spec: CMP-062."""
    breaker: Breaker = field(factory=lambda: breaker_family()["auto_compact"].breaker)
    """Failed attempts. Spec: CMP-073."""
    refill: RefillGuard = field(factory=RefillGuard)
    """Compactions that refilled at once. Spec: CMP-076."""
    is_warning_suppressed: bool = False
    """Whether the warning about the window is silent. Spec: CMP-075."""
    turn: TurnMarks = field(factory=TurnMarks)
    """What was tried in this turn. Spec: CMP-170."""
    read_state: ReadState = field(factory=ReadState)
    """Files that were read. Spec: CMP-110."""
    skills: tuple[Invocation, ...] = ()
    """Skills that were used."""
    standing: Standing = field(factory=Standing)
    """What has to be said again after a compaction."""
    plan_files: frozenset[str] = frozenset()
    memory_files: frozenset[str] = frozenset()
    """Files that come back by ways of their own. Spec: CMP-111."""
    notes: SessionNotes = field(factory=SessionNotes)
    """The notes of the session. Spec: CMP-130."""
    discovered_tools: tuple[str, ...] = ()
    """Tools on demand that were found. Spec: CMP-150."""
    waiting: Waiting | None = None

    @property
    def view(self) -> Rows:
        """The rows from the last boundary on. Spec: MSG-002."""
        return self.log[view_start(self.log) :]

    @property
    def seen(self) -> Rows:
        """The view as the model sees it: results that were saved or cleared are so. Spec: CMP-031, CMP-054."""
        if not self.results.replaced and not self.cleared:
            return self.view
        texts = self.results.texts()
        contents = {found.place: texts[found.id] for found in find_results(self.view) if found.id in texts}
        return with_cleared(as_rows(with_contents(self.view, contents)), self.cleared)

    @property
    def used(self) -> int:
        """Tokens of the context. Spec: EST-016."""
        return self.settings.count(self.seen)

    def with_view(self, rows: Rows) -> State:
        """The state with other rows from the last boundary on."""
        return evolve(self, log=self.log[: view_start(self.log)] + rows)


@frozen(kw_only=True)
class Step:
    """What an event led to."""

    state: State
    effects: tuple[Effect, ...] = ()
    """What is to be done, in order."""
    trace: tuple[Decision, ...] = ()
    """What was decided, and why."""

    def then(self, other: Step) -> Step:
        """This step, and one that followed from its state."""
        return Step(state=other.state, effects=self.effects + other.effects, trace=self.trace + other.trace)


def refused(state: State, why: Why, layer: Layer = Layer.COMPACT) -> Step:
    """Nothing happens, and here is why."""
    return Step(state=state, trace=(Decision(layer=layer, why=why),))


def as_rows(rows: Any) -> Rows:
    """Some rows as a tuple."""
    return tuple(rows)
