"""What a comparison of a recording with the rules found. The rules V1 to V7 stand in spec/guides/recordings.md."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from attrs import field, frozen

Said = str | int | None
"""A value as it is shown; None: nobody knows it."""


class Rule(StrEnum):
    """What is compared."""

    SIZE = "V1"
    """The size of the context at a boundary."""
    THRESHOLD = "V2"
    """Whether a compaction was due when it began."""
    PASSES = "V3"
    """What happened to requests that were due for one."""
    ATTEMPTS = "V4"
    """Attempts that somebody saw, against those that were due."""
    FILES = "V5"
    """What was put back behind a boundary."""
    MEMORY = "V6"
    """Instruction files that the record lists."""
    SHAPE = "V7"
    """Whether a summary stands behind a boundary."""


class Verdict(StrEnum):
    """What came of one comparison."""

    EXACT = "exact"
    DIFFERS = "differs"
    UNKNOWN = "unknown"


@frozen(kw_only=True)
class Finding:
    """One comparison."""

    rule: Rule
    clause: str
    """The clause that decides."""
    about: str
    """What was compared, in words."""
    predicted: Said
    """What the rules say; None: what is missing for it stands in `why`."""
    recorded: Said
    """What the record says, or what somebody saw."""
    verdict: Verdict
    line: int | None = None
    """The line of the session file, counted from 1; None: it is about none."""
    why: str = ""
    """Why it differs or is unknown, and what would help."""


@frozen(kw_only=True)
class WindowUse:
    """The window under which a session was judged."""

    model: str | None
    """The model that answered last; None: none did."""
    window: int
    """Its tokens."""
    auto: int
    """From here on a compaction was due."""
    why: str
    """Where it comes from."""
    is_assumed: bool = False
    """Whether the record, and nothing else, speaks for it."""


@frozen(kw_only=True)
class Report:
    """All that was found about a session."""

    findings: Sequence[Finding]
    window: WindowUse
    rows: int
    """Rows of the conversation."""
    passes: int
    """Requests whose answer is recorded."""
    boundaries: int
    broken: Sequence[int] = ()
    """Lines that are no JSON object."""
    notes: Sequence[str] = field(default=())
    """What a person should know before trusting it, a sentence each."""

    def count(self, verdict: Verdict) -> int:
        """How many comparisons came out so."""
        return sum(one.verdict is verdict for one in self.findings)


def compared(predicted: Said, recorded: Said) -> Verdict:
    """Whether the two are the same, where both are known."""
    if predicted is None or recorded is None:
        return Verdict.UNKNOWN
    return Verdict.EXACT if predicted == recorded else Verdict.DIFFERS
