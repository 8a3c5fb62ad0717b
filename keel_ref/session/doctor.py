"""What is wrong with a session file, by line, and what it means. Rule S12."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from attrs import frozen

from keel_ref.transcript.log import NOTES, Problem, Reason, SessionLog


class Level(StrEnum):
    """How grave a diagnosis is."""

    ERROR = "error"
    """Something that was said is not read, or the provider would refuse the next request."""
    WARNING = "warning"
    """The conversation had to be guessed at, or a figure is missing."""
    NOTE = "note"
    """What a client writes in the course of things."""


@frozen(kw_only=True)
class Diagnosis:
    """One thing that is wrong, or worth knowing."""

    line: int
    reason: Reason
    level: Level
    text: str
    remedy: str
    """What a repair does about it."""

    def as_object(self) -> dict[str, Any]:
        """As `--json` has it."""
        return {
            "line": self.line,
            "reason": str(self.reason),
            "level": str(self.level),
            "text": self.text,
            "remedy": self.remedy,
        }


_LEFT_OUT: Final = "left out of the copy"
KNOWN: Final[Mapping[Reason, tuple[Level, str, str]]] = {
    Reason.BROKEN_LINE: (Level.ERROR, "is no JSON", _LEFT_OUT),
    Reason.JOINED_LINES: (Level.ERROR, "holds several rows without a line end between them", "written as lines"),
    Reason.NOT_AN_OBJECT: (Level.ERROR, "is JSON, but no object", _LEFT_OUT),
    Reason.LONG_LINE: (Level.ERROR, "is longer than what is read", _LEFT_OUT),
    Reason.DEEP_LINE: (Level.ERROR, "is nested deeper than what is read", _LEFT_OUT),
    Reason.INCOMPLETE_LINE: (Level.WARNING, "is not complete; the session may still be running", _LEFT_OUT),
    Reason.NO_KIND: (Level.ERROR, "does not say what kind of row it is", _LEFT_OUT),
    Reason.NO_UUID: (Level.WARNING, "has no name, so nothing can follow it", "given a name"),
    Reason.DUPLICATE_UUID: (Level.NOTE, "is written again, as it stands above", _LEFT_OUT),
    Reason.CHANGED_DUPLICATE: (Level.WARNING, "has the name of another row above; that one counts", _LEFT_OUT),
    Reason.MISSING_PARENT: (Level.ERROR, "follows a row that is not in the file", "hung on the row before it"),
    Reason.PARENT_CYCLE: (Level.ERROR, "follows a row that follows it", "hung on the row before it"),
    Reason.ABANDONED_BRANCH: (Level.NOTE, "begins a branch that somebody went back from", "kept as it is"),
    Reason.UNREACHABLE: (Level.WARNING, "begins rows to which nothing leads", "hung on the row above, as a branch"),
    Reason.ORPHAN_RESULT: (Level.ERROR, "answers a call that the next request does not have", "written as a text"),
    Reason.MISSING_RESULT: (Level.ERROR, "calls a tool, and no result follows", "given a result that says so"),
    Reason.BAD_USAGE: (Level.WARNING, "has a usage that cannot be read", "freed of what cannot be read"),
}
"""Of each reason how grave it is, what it says of the line, and what a repair does."""


def diagnose(log: SessionLog) -> tuple[Diagnosis, ...]:
    """Everything that was reported of a file, by line."""
    return tuple(diagnosis_of(problem) for problem in log.problems)


def diagnosis_of(problem: Problem) -> Diagnosis:
    """One report in words."""
    level, text, remedy = KNOWN[problem.reason]
    assert (level is Level.NOTE) == (problem.reason in NOTES), "the reader knows what is a mere note"
    detail = f" ({problem.detail})" if problem.detail else ""
    return Diagnosis(line=problem.line, reason=problem.reason, level=level, text=f"{text}{detail}", remedy=remedy)
