"""What `keel-ref context` was asked, what it found, and what follows from that. Spec: CTX-107, CTX-111."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from attrs import field, frozen

from keel_ref.choices import Choices
from keel_ref.context.holdings import Holdings
from keel_ref.context.message_parts import AttachmentShare, ToolShare
from keel_ref.context.usage import UsageReport, usage_report
from keel_ref.window.limits import Limits, window_limits


class SourceKind(StrEnum):
    """What was looked at."""

    SESSION = "session"
    REQUEST = "request"
    FOLDER = "folder"


class List(StrEnum):
    """A list of the report that a source may not know."""

    SYSTEM_PROMPT = "system_prompt"
    TOOLS = "tools"
    AGENTS = "agents"
    SKILLS = "skills"
    MEMORY_FILES = "memory_files"


@frozen(kw_only=True)
class Asked:
    """What stands on the command line."""

    source: str
    model: str | None = None
    window: int | None = None
    max_output: int | None = None
    env: Mapping[str, str] = field(factory=dict)
    """The variables that are seen."""
    choices: Choices = Choices()
    home: str | None = None
    """The user's home folder; None: that of the variables."""


@frozen(kw_only=True)
class Gap:
    """Something that cannot be told from the source. Spec: CTX-107."""

    what: str
    """A category, or a thing, in words."""
    why: str
    """Why not, and where its tokens are counted."""
    list: List | None = None
    """The list of the report that is not known for it."""


@frozen(kw_only=True)
class Found:
    """What a source holds, before it is added up."""

    kind: SourceKind
    name: str
    """As it was given."""
    holdings: Holdings
    model: str | None = None
    """As the source names it."""
    tools: Sequence[ToolShare] = ()
    """By tool, the largest first."""
    attachments: Sequence[AttachmentShare] = ()
    """By kind, the largest first."""
    first_growth: int | None = None
    """What was there at the first response and cannot be seen, in tokens; None without a record. Spec: CTX-107."""
    compacted_at: int | None = None
    """The use at which the last compaction began by itself, in tokens; None where that is not recorded."""
    gaps: Sequence[Gap] = ()
    """What cannot be told."""
    reported: Sequence[Mapping[str, Any]] = ()
    """What could not be taken as it stands."""
    notes: Sequence[str] = ()
    """What a person should know before trusting the figures, a sentence each."""


@frozen(kw_only=True)
class Answer:
    """All that is shown."""

    found: Found
    model: str | None
    """The option before the source."""
    limits: Limits
    report: UsageReport
    env: Mapping[str, str]
    """The variables that were seen."""

    @property
    def gaps(self) -> Sequence[Gap]:
        """What cannot be told, the window among it where the record contradicts what is known of the model."""
        at, auto = self.found.compacted_at, self.limits.auto
        if at is None or at >= auto:
            return self.found.gaps
        why = f"the record shows a compaction at {at:,}, below the threshold of {auto:,}; say what it was with --window"
        return (*self.found.gaps, Gap(what="Window of that session", why=why))

    def is_known(self, name: List) -> bool:
        """Whether the source knows that list."""
        return all(gap.list is not name for gap in self.found.gaps)


def answer_of(asked: Asked, found: Found) -> Answer:
    """Add up what was found, in the window that was asked for. Raises `InvalidArgumentError`."""
    model = asked.model or found.model
    limits = window_limits(
        model, window=asked.window, max_output=asked.max_output, env=asked.env, choices=asked.choices
    )
    report = usage_report(found.holdings, limits)
    return Answer(found=found, model=model, limits=limits, report=report, env=asked.env)
