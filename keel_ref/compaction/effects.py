"""What somebody has to do for a session; the outcome comes back as an event."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from attrs import frozen

from keel_ref.compaction.attempt import Tools
from keel_ref.compaction.cached_micro import Edit
from keel_ref.compaction.cleanup import Cleanup
from keel_ref.compaction.result_select import Save
from keel_ref.compaction.settings import HookKind, Rows
from keel_ref.compaction.trace import Layer


@frozen(kw_only=True)
class SaveResults:
    """Write these files; `ResultsSaved` says what came of it."""

    saves: tuple[Save, ...]


@frozen(kw_only=True)
class AskSummary:
    """Ask the model for a summary of these rows. `Summarised`, `SummaryRefused` or `Aborted` comes back.

    Spec: CMP-090.
    """

    rows: tuple[Any, ...]
    """What is summarised; the demand itself is one more message."""
    tools: Tools
    source: str = "compact"
    label: str = "compact"
    cap_turns: int = 1
    writes_cache: bool = False
    """The new prefix is not used again."""
    output_cap: int | None = None
    """None: no cap is set, since it would make another prefix."""


@frozen(kw_only=True)
class ReadFiles:
    """Read these files, the first in front; `FilesRead` brings what they hold and when they were changed."""

    paths: tuple[str, ...]


@frozen(kw_only=True)
class RunHooks:
    """Run the hooks of this kind; `HooksRan` says what they say."""

    kind: HookKind


@frozen(kw_only=True)
class AwaitNotes:
    """Wait for the notes, so long at most; `NotesTaken` brings them as they are then. Spec: CMP-137."""

    wait_ms: int


@frozen(kw_only=True)
class SendRequest:
    """Send these rows to the model, prepared as MSG-004 to MSG-007 say."""

    rows: Rows
    edits: tuple[Edit, ...] = ()
    """Deletions in the provider's cache that go with it. Spec: CMP-062."""
    acted: tuple[Layer, ...] = ()
    """Layers of the pass that changed something, in their order. Spec: CMP-001."""


@frozen(kw_only=True)
class CleanUp:
    """Forget what goes with the old list. Spec: CMP-156."""

    cleanup: Cleanup


class End(StrEnum):
    """Why a turn ended without a request."""

    BLOCKED = "blocking-limit"
    REFILL = "refill-guard"
    OVERFLOW = "overflow-error"
    ABORTED = "aborted"


@frozen(kw_only=True)
class EndTurn:
    """The turn is over before its request; the user is told why."""

    end: End
    acted: tuple[Layer, ...] = ()
    """Layers of the pass that changed something, or ended it. Spec: CMP-001."""


Effect = SaveResults | AskSummary | AwaitNotes | ReadFiles | RunHooks | SendRequest | CleanUp | EndTurn
"""Any of them."""
