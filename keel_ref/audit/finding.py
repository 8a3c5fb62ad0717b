"""The checks, each with its name, and what one of them found."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from attrs import frozen


class Level(StrEnum):
    """How bad a finding is, the worst first."""

    ERROR = "error"
    """Something was lost, or did not end."""
    WARNING = "warning"
    """A documented budget or bound was passed."""
    NOTE = "note"
    """Worth knowing; may be well as it is."""


SEVERITY: Final = {level: rank for rank, level in enumerate((Level.NOTE, Level.WARNING, Level.ERROR))}
"""The higher, the worse."""


@frozen(kw_only=True)
class Check:
    """One question that a principle puts to a recording."""

    name: str
    principle: str
    clauses: tuple[str, ...]
    """By which clauses it judges."""
    title: str
    """What is wrong where it finds something."""
    advice: str
    """What to do about it."""


@frozen(kw_only=True)
class Finding:
    """An answer, with its evidence."""

    check: str
    """Name of the check."""
    level: Level
    line: int
    """The line of the file that shows it, counted from 1."""
    message: str
    """What was found, in a sentence."""
    evidence: Mapping[str, Any]
    """The values behind it; `lines` are further lines of the file."""


def _check(name: str, principle: str, clauses: str, title: str, advice: str) -> Check:
    return Check(name=name, principle=principle, clauses=tuple(clauses.split()), title=title, advice=advice)


_ALL: Final = (
    _check(
        "A1",
        "P-1",
        "CTX-106 WIN-015",
        "one source fills more than half of a full window",
        "give that source a budget of its own: ask for parts, filter in the shell, or let a sub-agent read",
    ),
    _check(
        "A2",
        "P-1",
        "CMP-021 CMP-022",
        "a result is larger than the documented limit of its tool",
        "save what is above the limit to a file, and show its beginning and its path",
    ),
    _check(
        "A3",
        "P-1",
        "CMP-029 CMP-030",
        "the results of one message are together larger than 200,000 units",
        "save the largest of them until the sum fits",
    ),
    _check(
        "A4",
        "P-1",
        "CMP-114 CMP-116 CMP-117",
        "a compaction put more files back than the documented budgets allow",
        "put back at most five files, each of at most 5,000 tokens, and 50,000 in all; name the others",
    ),
    _check(
        "A5",
        "P-1",
        "WIN-013 WIN-016",
        "requests were sent although a compaction was due",
        "find out why none ran: it was switched off, it failed, or the window is another one (--window)",
    ),
    _check(
        "A6",
        "P-2",
        "CMP-111 CMP-114",
        "a file was read again soon after a compaction that did not put it back",
        "put the files back that were in use last, or say in the summary what of them is needed",
    ),
    _check(
        "A7",
        "P-2",
        "CMP-071 CMP-094",
        "a compaction made hardly any room",
        "put less back, and look at what comes with every request: system prompt, tools, memory files",
    ),
    _check(
        "A8",
        "P-3",
        "CMP-024 MSG-021",
        "a result was cut without saying so",
        "say in the result that it is a part, how large the whole is, and where the rest is",
    ),
    _check(
        "A9",
        "P-3",
        "CMP-024",
        "a cut says that it is one, and not where the rest is",
        "name the file, or the offset from which the rest can be read",
    ),
    _check(
        "A10",
        "P-3",
        "CMP-152 CMP-153",
        "a compaction left no summary",
        "put a summary behind the boundary; without one the model does not know that there was more",
    ),
    _check(
        "A11",
        "P-4",
        "CMP-077",
        "a call that failed was made again and again",
        "stop after the third failure of one call, and say what is missing",
    ),
    _check(
        "A12",
        "P-4",
        "CMP-076",
        "compactions follow one another at once",
        "stop after three compactions that each refilled within three requests, and find what fills the window",
    ),
    _check(
        "A13",
        "P-4",
        "CMP-077",
        "requests failed one after another",
        "bound the retries, wait longer each time, and end in a state that a person can go on from",
    ),
    _check(
        "A14",
        "P-5",
        "EST-001 EST-016",
        "the estimates were lower than what was recorded",
        "estimate with a bound (keel-ref estimate --method bound), or keep more of the window free",
    ),
)
CHECKS: Final[Mapping[str, Check]] = MappingProxyType({one.name: one for one in _ALL})
"""Every check by its name, in order."""
