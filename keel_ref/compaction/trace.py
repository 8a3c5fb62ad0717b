"""What a layer decided about one thing, and why: the closed list of reasons. Spec: CMP-003."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from attrs import frozen


class Layer(StrEnum):
    """The part of a turn that decided. Spec: CMP-001."""

    RESULTS = "results"
    SNIP = "snip"
    MICRO = "micro"
    COLLAPSE = "collapse"
    COMPACT = "compact"
    SUMMARY = "summary"
    RESTORE = "restore"
    BLOCKING = "blocking"
    RECOVERY = "recovery"


class Why(StrEnum):
    """Why something was cut, kept, left alone or not tried. The words are those of `decisions` in errors.json."""

    # the results of tools
    SAVED_FOR_LIMIT = "saved-for-limit"
    SAVED_FOR_SUM = "saved-for-sum"
    REPLACED_AGAIN = "replaced-again"
    SAVE_FAILED = "save-failed"
    NOT_SMALLER = "not-smaller"
    NOT_TEXT = "not-text"
    NO_CALL_ID = "no-call-id"
    NAME_TAKEN = "name-taken"
    SUM_EXCEEDED = "sum-exceeded"
    SECOND_RESULT = "second-result"
    OVERRIDE_IGNORED = "override-ignored"

    # clearing old results
    SUPPRESSION_RELEASED = "suppression-released"
    TIME_PATH_OFF = "time-path-off"
    SOURCE_MISSING = "source-missing"
    SOURCE_NOT_MAIN = "source-not-main"
    NO_ANSWER = "no-answer"
    TIME_UNKNOWN = "time-unknown"
    GAP_TOO_SHORT = "gap-too-short"
    NOTHING_TO_CLEAR = "nothing-to-clear"
    CLEARED = "cleared"
    GAP_ASSUMED = "gap-assumed"
    KEEP_ASSUMED = "keep-assumed"
    CACHED_PATH_OFF = "cached-path-off"
    CACHED_UNSUPPORTED = "cached-unsupported"
    TOO_FEW_RESULTS = "too-few-results"
    DELETION_QUEUED = "deletion-queued"

    # what the caller's own layers did
    SNIPPED = "snipped"

    # compaction: due or not, tried or not
    COMPACT_DISABLED = "compact-disabled"
    BREAKER_OPEN = "breaker-open"
    OWN_SOURCE = "own-source"
    AUTO_OFF = "auto-off"
    REACTIVE_ONLY = "reactive-only"
    COLLAPSE_ON = "collapse-on"
    NOT_DUE = "not-due"
    NOTHING_TO_SUMMARISE = "nothing-to-summarise"
    REFILL_GUARD = "refill-guard"
    COMPACTING = "compacting"
    COMPACTED = "compacted"
    COMPACTED_BY_NOTES = "compacted-by-notes"
    FAILED = "failed"
    ABORTED = "aborted"
    INFLATED = "inflated"
    HOOK_BLOCKED = "hook-blocked"

    # the summary and its retries
    MEDIA_MARKED = "media-marked"
    LISTING_LEFT_OUT = "listing-left-out"
    MARKER_REMOVED = "marker-removed"
    ROUND_DROPPED = "round-dropped"
    ORPHAN_DROPPED = "orphan-dropped"
    EXCESS_UNKNOWN = "excess-unknown"
    ONE_ROUND_LEFT = "one-round-left"
    RETRIES_SPENT = "retries-spent"
    SUMMARY_EMPTY = "summary-empty"
    SUMMARY_ERROR = "summary-error"
    SUMMARY_TOO_LONG = "summary-too-long"
    HOOK_FAILED = "hook-failed"

    # what is put back
    READ_STATE_FULL = "read-state-full"
    PLAN_FILE = "plan-file"
    MEMORY_FILE = "memory-file"
    STILL_SHOWN = "still-shown"
    FILE_RESTORED = "file-restored"
    FILE_NAMED = "file-named"
    FILE_CUT = "file-cut"
    FILE_GONE = "file-gone"
    FILE_UNREADABLE = "file-unreadable"
    FILE_NOT_REGULAR = "file-not-regular"
    FILE_TOO_LARGE = "file-too-large"
    FILE_BINARY = "file-binary"
    FILES_CAP = "files-cap"
    FILES_SUM = "files-sum"
    SKILL_RESTORED = "skill-restored"
    SKILL_CUT = "skill-cut"
    SKILLS_SUM = "skills-sum"
    SKILL_OF_OTHER_AGENT = "skill-of-other-agent"

    # the notes, and their use as a summary
    EXTRACTION_DUE = "extraction-due"
    NOTES_OFF = "notes-off"
    NOTES_OWN_FORK = "notes-own-fork"
    BELOW_START = "below-start"
    BELOW_GROWTH = "below-growth"
    TOO_FEW_CALLS = "too-few-calls"
    SECTION_OVER = "section-over"
    NOTES_OVER = "notes-over"
    SECTION_CUT = "section-cut"
    NOTES_USED = "notes-used"
    SM_COMPACT_OFF = "sm-compact-off"
    EXTRACTION_RUNNING = "extraction-running"
    EXTRACTION_NOT_AWAITED = "extraction-not-awaited"
    NO_NOTES = "no-notes"
    NOTES_UNREADABLE = "notes-unreadable"
    NOTES_NOT_REGULAR = "notes-not-regular"
    NOTES_TOO_LARGE = "notes-too-large"
    NOTES_EMPTY = "notes-empty"
    COVERED_UNKNOWN = "covered-unknown"
    STILL_ABOVE_THRESHOLD = "still-above-threshold"

    # the new list
    BOUNDARY_LEFT_OUT = "boundary-left-out"
    ATTACHMENT_REPLACED = "attachment-replaced"

    # blocking and recovery
    BLOCKING_LIMIT = "blocking-limit"
    COLLAPSE_RETRY = "collapse-retry"
    REACTIVE_RETRY = "reactive-retry"
    OVERFLOW_ERROR = "overflow-error"


@frozen(kw_only=True)
class Decision:
    """One decision of a layer."""

    layer: Layer
    """Who decided."""
    why: Why
    """What was decided, and the reason, from the closed list."""
    row: int | None = None
    """Index of the row in the list that the layer was given."""
    id: str | None = None
    """Id of the call, the row, or the name that is concerned."""
    path: str | None = None
    """File that is concerned; where a cut names where the rest is, that place."""
    tokens: int | None = None
    """Tokens that were saved, counted or compared, as the reason says."""

    def as_object(self) -> dict[str, Any]:
        """The decision in the form of JSON; what it has not is left out. Spec: CMP-003."""
        optional = {"row": self.row, "id": self.id, "path": self.path, "tokens": self.tokens}
        named = {"layer": str(self.layer), "why": str(self.why)}
        return {**named, **{name: value for name, value in optional.items() if value is not None}}
