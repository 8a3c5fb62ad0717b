"""Instruction files that the record lists, against those that load now: rule V6 of spec/guides/recordings.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen

from keel_ref.recording.findings import Finding, Rule, Verdict
from keel_ref.recording.record import MemoryRecord

NO_FOLDER: Final = "--cwd says in which folder to look, and --home whose files count; they are read as they are now"
NO_RECORD: Final = "the record lists no instruction files; newer clients do"
CHANGED: Final = "its text has changed since, so what it includes may have too"
LAYERS: Final = {"managed": "managed", "user": "user", "project": "project", "local": "local", "automem": "auto"}
"""The layer of MEM-002 behind the client's word."""


@frozen(kw_only=True)
class MemoryNow:
    """An instruction file as it loads now."""

    path: str
    layer: str
    text: str
    is_nested: bool = False
    """Whether it comes in because a file is touched."""


def memory_findings(recorded: Sequence[MemoryRecord], now: Sequence[MemoryNow] | None) -> Iterator[Finding]:
    """V6, file by file; `now` None: nobody looked. Spec: MEM-001, MEM-140."""
    if not recorded:
        if now is not None:
            yield _finding("instruction files", _spelled_now(now), None, Verdict.UNKNOWN, why=NO_RECORD)
        return
    if now is None:
        for one in recorded:
            yield _finding(_about(is_nested=one.is_nested), None, _recorded(one), Verdict.UNKNOWN, why=NO_FOLDER)
        return
    for is_nested in (False, True):
        theirs = list({one.path: one for one in recorded if one.is_nested is is_nested}.values())
        mine = [one for one in now if one.is_nested is is_nested]
        yield from _compared(theirs, mine, is_nested=is_nested)


def _compared(theirs: Sequence[MemoryRecord], mine: Sequence[MemoryNow], *, is_nested: bool) -> Iterator[Finding]:
    about, clause = _about(is_nested=is_nested), "MEM-140" if is_nested else "MEM-001"
    loads = {one.path: one for one in mine}
    for one in theirs:
        found = loads.pop(one.path, None)
        layer = None if one.type is None else LAYERS.get(one.type, one.type)
        is_same = found is not None and layer in {None, found.layer}
        why = CHANGED if found is not None and one.text is not None and one.text.strip() != found.text.strip() else ""
        predicted = "does not load" if found is None else f"{found.path} {found.layer}"
        verdict = Verdict.EXACT if is_same else Verdict.DIFFERS
        yield _finding(about, predicted, _recorded(one), verdict, why=why, clause=clause)
    for left in loads.values():
        yield _finding(about, f"{left.path} {left.layer}", "not listed", Verdict.DIFFERS, clause=clause)
    paths = [one.path for one in theirs]
    order = [one.path for one in mine if one.path in paths]
    if not is_nested and len(order) > 1 and order != [path for path in paths if path in order]:
        yield _finding(
            "order of instruction files", "; ".join(order), "; ".join(paths), Verdict.DIFFERS, clause="MEM-005"
        )


def _about(*, is_nested: bool) -> str:
    return "nested instruction file" if is_nested else "instruction file"


def _finding(
    about: str, predicted: str | None, recorded: str | None, verdict: Verdict, *, why: str = "", clause: str = "MEM-001"
) -> Finding:
    return Finding(
        rule=Rule.MEMORY,
        clause=clause,
        about=about,
        predicted=predicted,
        recorded=recorded,
        verdict=verdict,
        why=why,
    )


def _recorded(one: MemoryRecord) -> str:
    return f"{one.path} {'unknown' if one.type is None else LAYERS.get(one.type, one.type)}"


def _spelled_now(now: Sequence[MemoryNow]) -> str:
    return "; ".join(f"{one.path} {one.layer}" for one in now) or "none load"
