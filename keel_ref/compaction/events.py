"""What can happen to a session. Each is one argument of `step`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from keel_ref.compaction.disk_file import DiskFile
from keel_ref.compaction.session_memory import SessionNotes
from keel_ref.compaction.settings import HookKind, Row, Settings


@frozen(kw_only=True)
class Appended:
    """Rows came to the log: a prompt, an answer, results."""

    rows: Sequence[Row]


@frozen(kw_only=True)
class PassBegun:
    """A request is about to be made. Spec: CMP-001."""

    source: str | None = "repl_main_thread"
    """Name of what asks for it; None: it has none."""
    now_ms: int | None = None
    """The time, in milliseconds; None: nobody knows."""


@frozen(kw_only=True)
class ResultsSaved:
    """What became of the results that were to be saved. Spec: CMP-028."""

    outcomes: Mapping[str, bool | str]


@frozen(kw_only=True)
class Summarised:
    """A call for a summary came back with an answer."""

    content: Any
    """A string, or a list of blocks."""
    is_error: bool = False
    """Whether it is the text of an error."""


@frozen(kw_only=True)
class SummaryRefused:
    """A call for a summary was refused as too long."""

    excess: int | None = None
    """Tokens by which it was, where the error says so."""


@frozen(kw_only=True)
class Aborted:
    """The user stopped what is under way."""


@frozen(kw_only=True)
class FilesRead:
    """The files that were asked for, as they lie on the disk. Spec: CMP-114."""

    contents: Mapping[str, DiskFile]
    modified_us: Mapping[str, int] = field(factory=dict)
    """When each was changed last, in microseconds."""


@frozen(kw_only=True)
class HooksRan:
    """The hooks of one kind came back. Spec: CMP-091."""

    kind: HookKind
    rows: Sequence[Row] = ()
    """What they say."""
    is_blocking: bool = False
    """Whether one of them forbids what was to come; only those before a compaction can."""
    has_failed: bool = False
    """Whether one of them failed, or ran too long."""


@frozen(kw_only=True)
class RequestRefused:
    """The request of the last pass was refused. Spec: CMP-170."""

    is_media: bool = False
    """For the size of its media, and not as too long."""


@frozen(kw_only=True)
class CompactAsked:
    """The user asks for a compaction. Spec: CMP-079."""

    now_ms: int | None = None
    """The time, in milliseconds; None: nobody knows."""
    kept_from: int | None = None
    """Index in the view of the first row that stays as it is behind the summary; None: none does. Spec: CMP-154."""


@frozen(kw_only=True)
class FileRead:
    """The session read a file."""

    path: str
    size_bytes: int = 0


@frozen(kw_only=True)
class NotesTaken:
    """The notes were brought up to date. Spec: CMP-130."""

    notes: SessionNotes


@frozen(kw_only=True)
class SettingsChanged:
    """Another model, another window, other variables: from now on."""

    settings: Settings


@frozen(kw_only=True)
class Cleared:
    """The session starts anew."""


@frozen(kw_only=True)
class Resumed:
    """The session was left and is taken up again from its log. Spec: CMP-181."""


Event = (
    Appended
    | PassBegun
    | ResultsSaved
    | Summarised
    | SummaryRefused
    | Aborted
    | FilesRead
    | HooksRan
    | RequestRefused
    | CompactAsked
    | FileRead
    | NotesTaken
    | SettingsChanged
    | Cleared
    | Resumed
)
"""Any of them."""
