"""Which files came back behind each boundary, in which order and how: rule V5 of spec/guides/recordings.md.

Spec: CMP-110 to CMP-118.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from attrs import frozen

from keel_ref.choices import Choices
from keel_ref.compaction.disk_file import DiskFile
from keel_ref.compaction.restore import Candidates, RestoredFiles, restore_candidates, restore_files
from keel_ref.compaction.trace import Why
from keel_ref.constants import DEFAULT
from keel_ref.recording.course import INLINED, NAMED, Boundary, Event, Restored
from keel_ref.recording.findings import Finding, Rule, Verdict
from keel_ref.recording.truth import Truth

NOTHING: Final = "nothing"
NO_RECORD: Final = (
    "the record does not say what was put back, if anything; newer clients record it, and --truth can say it"
)
NO_TIMES: Final = "the order goes by the times at which files were changed; --truth can say them (mtimes_ns)"
NO_TEXT: Final = "the record does not hold the whole file as it was then, or not whether it is an instruction file"
AFTER_NO_TEXT: Final = "what stands before it is not known"
_HOW: Final = {Why.FILE_RESTORED: INLINED, Why.FILE_CUT: INLINED, Why.FILE_NAMED: NAMED}


@frozen(kw_only=True)
class _Predicted:
    files: Sequence[Restored]
    is_ordered: bool
    """Whether the order is known."""
    is_sure_set: bool
    """Whether it is known which files these are, whatever their order."""


def put_back(course: Sequence[Event], truth: Truth, *, choices: Choices) -> Iterator[Finding]:
    """V5 for every boundary. Spec: CMP-111, CMP-113."""
    boundaries = [event for event in course if isinstance(event, Boundary)]
    seen = _seen(truth, len(boundaries))
    does_record = any(boundary.restored for boundary in boundaries)
    for boundary, one in zip(boundaries, seen, strict=True):
        recorded = one
        if recorded is None and does_record:
            recorded = boundary.restored  # it records them behind one boundary, so behind each
        yield from _boundary(boundary, recorded, truth, choices)


def _seen(truth: Truth, boundaries: int) -> Sequence[Sequence[Restored] | None]:
    """What was seen at each boundary: that of the attempts that succeeded."""
    found = [one.restored for one in truth.attempts or () if one.is_success]
    return (*found[:boundaries], *[None] * (boundaries - len(found)))


def _boundary(at: Boundary, recorded: Sequence[Restored] | None, truth: Truth, choices: Choices) -> Iterator[Finding]:
    if at.is_partial:
        yield _finding(
            at, 1, None, _all_spelled(recorded), verdict=Verdict.UNKNOWN, why="rows were kept, and may show files"
        )
        return
    predicted = _predicted(at, truth, choices)
    if recorded is None:
        yield from _unrecorded(at, predicted, knows_times=truth.modified_us is not None)
    elif predicted.is_ordered:
        yield from _ordered(at, predicted.files, recorded)
    elif predicted.is_sure_set:
        yield from _unordered(at, predicted.files, recorded)
    else:
        yield _finding(at, 1, None, _all_spelled(recorded), verdict=Verdict.UNKNOWN, why=NO_TIMES)


def _predicted(at: Boundary, truth: Truth, choices: Choices) -> _Predicted:
    candidates = restore_candidates(at.reads, truth.modified_us or {}, memory_files=at.known.memory, choices=choices)
    restored = _restored(at, candidates, choices)
    files = []
    for one in restored.decisions:
        how = _HOW.get(one.why)
        if one.path is not None and how is not None:
            files.append(Restored(path=one.path, how=None if one.path in at.known.unsure else how))
    whys = {one.why for one in restored.decisions}
    count = len(candidates.paths)
    by_read = choices.restore_recency == "read"
    return _Predicted(
        files=files,
        is_ordered=by_read or count < 2 or _has_times(candidates, truth),  # noqa: PLR2004 (one file has one order)
        is_sure_set=count <= DEFAULT.restore_cap_files and Why.FILES_SUM not in whys,
    )


def _has_times(candidates: Candidates, truth: Truth) -> bool:
    return truth.modified_us is not None and all(path in truth.modified_us for path in candidates.paths)


def _restored(at: Boundary, candidates: Candidates, choices: Choices) -> RestoredFiles:
    contents = {path: DiskFile.of(at.known.texts.get(path, "")) for path in candidates.paths}
    return restore_files(candidates.paths, contents, choices=choices)


def _unrecorded(at: Boundary, predicted: _Predicted, *, knows_times: bool) -> Iterator[Finding]:
    """Nobody says what was put back: the prediction stands alone."""
    why = NO_RECORD
    if not predicted.is_ordered and not predicted.is_sure_set:
        yield _finding(at, 1, None, None, verdict=Verdict.UNKNOWN, why=f"{NO_RECORD}; {NO_TIMES}")
        return
    if not predicted.is_ordered and not knows_times:
        why = f"{NO_RECORD}; {NO_TIMES}"
    shown: Sequence[Restored | None] = predicted.files or [None]
    for number, one in enumerate(shown, start=1):
        yield _finding(at, number, _spelled(one), None, verdict=Verdict.UNKNOWN, why=why)


def _ordered(at: Boundary, predicted: Sequence[Restored], recorded: Sequence[Restored]) -> Iterator[Finding]:
    """Place by place. Behind a file of which too little is known, another file is no difference."""
    if not predicted and not recorded:
        yield _finding(at, 1, NOTHING, NOTHING, verdict=Verdict.EXACT)
    is_sure = True
    for number, (mine, theirs) in enumerate(zip_longest(predicted, recorded), start=1):
        is_open = mine is not None and mine.how is None
        is_same_path = mine is not None and theirs is not None and mine.path == theirs.path
        if mine == theirs:
            verdict, why = Verdict.EXACT, ""
        elif is_open and is_same_path:
            verdict, why = Verdict.UNKNOWN, NO_TEXT
        elif is_open or not is_sure:
            verdict, why = Verdict.UNKNOWN, NO_TEXT if is_open else AFTER_NO_TEXT
        else:
            verdict, why = Verdict.DIFFERS, ""
        is_sure = is_sure and not (is_open and not is_same_path)
        clause = "CMP-116" if is_same_path else "CMP-113"
        yield _finding(at, number, _spelled(mine), _spelled(theirs), verdict=verdict, why=why, clause=clause)


def _unordered(at: Boundary, predicted: Sequence[Restored], recorded: Sequence[Restored]) -> Iterator[Finding]:
    """File by file, in the order of the record."""
    mine = {one.path: one for one in predicted}
    is_open = any(one.how is None for one in predicted)
    for number, theirs in enumerate(recorded, start=1):
        found = mine.pop(theirs.path, None)
        if found == theirs:
            verdict, why = Verdict.EXACT, NO_TIMES
        elif is_open and (found is None or found.how is None):
            verdict, why = Verdict.UNKNOWN, NO_TEXT
        else:
            verdict, why = Verdict.DIFFERS, ""
        yield _finding(at, number, _spelled(found), _spelled(theirs), verdict=verdict, why=why, clause="CMP-116")
    for number, left in enumerate(mine.values(), start=len(recorded) + 1):
        verdict, why = (Verdict.UNKNOWN, NO_TEXT) if left.how is None else (Verdict.DIFFERS, "")
        yield _finding(at, number, _spelled(left), NOTHING, verdict=verdict, why=why, clause="CMP-111")


def _finding(
    at: Boundary,
    number: int,
    predicted: str | None,
    recorded: str | None,
    *,
    verdict: Verdict,
    why: str = "",
    clause: str = "CMP-113",
) -> Finding:
    return Finding(
        rule=Rule.FILES,
        clause=clause,
        about=f"file {number} behind boundary {at.number}",
        predicted=predicted,
        recorded=recorded,
        verdict=verdict,
        line=at.line,
        why=why,
    )


def _spelled(one: Restored | None) -> str:
    return NOTHING if one is None else f"{one.path} {one.how or 'in a manner not known'}"


def _all_spelled(files: Sequence[Restored] | None) -> str | None:
    return None if files is None else "; ".join(map(_spelled, files)) or NOTHING
