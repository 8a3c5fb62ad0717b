"""Keeps the expected-failure file in step with what an implementation does: nothing that fails unknown, nothing stale.

What people wrote stays: reasons, issues, days, comments. Only a run of the whole suite may change the file, because
what a filter left out would look as if it had been mended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from keel_ref.conformance.exits import UsageError
from keel_ref.conformance.expected import Entry, EntryResult, EntryStatus
from keel_ref.conformance.expected_text import (
    Block,
    ExpectedText,
    add_entry,
    change_entry,
    remove_entry,
    set_head,
)
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.runner import Run
from keel_ref.conformance.select import describe_selection
from keel_ref.conformance.verdict import RAN, TestResult, Verdict, is_binding

REASON: Final = "recorded by keel-ref baseline; say here why it fails"
"""What an entry says until somebody knows better."""

_GONE: Final = frozenset({EntryStatus.STALE, EntryStatus.SKIPPED, EntryStatus.NOT_CLAIMED, EntryStatus.UNKNOWN})
"""An entry of such a test excuses nothing."""
_WHY_GONE: Final = {
    EntryStatus.STALE: "it passes now",
    EntryStatus.SKIPPED: "it is not run",
    EntryStatus.NOT_CLAIMED: "its capability is not claimed",
    EntryStatus.UNKNOWN: "the suite has no such test",
}


class Kind(StrEnum):
    """What becomes of an entry."""

    ADD = "add"
    CHANGE = "change"
    REMOVE = "remove"
    SPLIT = "split"
    LEAVE = "leave"
    """Something a person has to decide; the file is not touched there."""


@frozen(kw_only=True)
class Change:
    """One difference between the file and the run."""

    kind: Kind
    id: str
    """The test, or the glob of the entry."""
    why: str
    block: Block | None = None
    """The entry as it is written; none for a new one."""
    entries: tuple[Entry, ...] = ()
    """What stands there afterwards."""


def _refuse_filtered(run: Run) -> None:
    if run.selection.is_filtered:
        raise UsageError(
            f"a baseline stands on the whole suite, not on {describe_selection(run.selection)}: "
            "what is left out would look as if it had been mended"
        )


def find_stale(document: ExpectedText, run: Run) -> tuple[Change, ...]:
    """The entries that excuse nothing any more, in the order of the file. Raises `UsageError` for a filtered run."""
    _refuse_filtered(run)
    results = {result.vector.id: result for result in run.results}
    entries = [one for one in run.entries if one.status is not EntryStatus.OTHER]
    entries += [evolve(one, status=EntryStatus.USED) for one in run.entries if one.status is EntryStatus.OTHER]
    return tuple(change for block in document.blocks for change in _judge_block(block, entries, results))


def find_changes(document: ExpectedText, run: Run, *, reason: str = REASON, issue: str = "") -> tuple[Change, ...]:
    """Everything by which the file differs from the run, in the order of the file, new entries last and by id.

    Raises `UsageError` for a filtered run.
    """
    _refuse_filtered(run)
    results = {result.vector.id: result for result in run.results}
    changes = [change for block in document.blocks for change in _judge_block(block, run.entries, results)]
    kept = {name for block in document.blocks for name in results if block.entry.covers(name)}
    for name, result in sorted(results.items()):
        is_strict = run.policy.is_should_strict
        is_counted = result.verdict is Verdict.FAIL and is_binding(result.level, is_should_strict=is_strict)
        if name not in kept and is_counted:
            changes.append(_new_entry(result, reason, issue))
    return tuple(changes)


def _judge_block(block: Block, entries: Sequence[EntryResult], results: dict[str, TestResult]) -> Iterator[Change]:
    """What becomes of one entry. A glob that no longer holds for all its tests gives way to one entry for each."""
    found = {name: one.status for one in entries if one.entry == block.entry for name in one.tests}
    gone = {name: status for name, status in found.items() if status in _GONE}
    other = [name for name, status in found.items() if status is EntryStatus.OTHER]
    expired = [name for name, status in found.items() if status is EntryStatus.EXPIRED]
    if expired:
        why = f"expired on {block.entry.until}; decide whether it may go on: {', '.join(expired)}"
        yield Change(kind=Kind.LEAVE, id=block.entry.id, why=why, block=block)
    if not gone and not other:
        return
    survivors = tuple(_successor(block.entry, results[name], found[name]) for name in found if name not in gone)
    reasons = {name: _WHY_GONE[status] for name, status in gone.items()}
    reasons |= {name: f"it fails otherwise: {_why_it_fails(results[name])}" for name in other}
    is_single = len(found) == 1
    kind = Kind.REMOVE if not survivors else Kind.CHANGE if is_single else Kind.SPLIT
    why = "; ".join(reason if name == block.entry.id else f"{name}: {reason}" for name, reason in reasons.items())
    yield Change(kind=kind, id=block.entry.id, why=why, block=block, entries=survivors)


def _why_it_fails(result: TestResult) -> str:
    return result.failure.message if result.failure else ""


def _successor(entry: Entry, result: TestResult, status: EntryStatus) -> Entry:
    """The entry for one test: as it was, but for the way in which it fails now."""
    if status is not EntryStatus.OTHER or result.failure is None:
        return evolve(entry, id=result.vector.id)
    return evolve(entry, id=result.vector.id, fails=result.failure.kind, message=_prefix(result))


def _new_entry(result: TestResult, reason: str, issue: str) -> Change:
    """An entry for a failure that nobody has written down; not for one that comes and goes."""
    assert result.failure is not None
    name = result.vector.id
    if result.failure.kind is FailureKind.NONDETERMINISTIC:
        why = f"fails now and then ({result.repeats}); write its entry by hand, with flaky and until"
        return Change(kind=Kind.LEAVE, id=name, why=why)
    entry = Entry(id=name, fails=result.failure.kind, message=_prefix(result), reason=reason, issue=issue)
    return Change(kind=Kind.ADD, id=name, why=result.failure.message, entries=(entry,))


def _prefix(result: TestResult) -> str:
    """The place of the first difference, with which the message begins; empty where there is none."""
    failure = result.failure
    place = failure.difference.path if failure and failure.difference else ""
    is_writable = place.isprintable() and place.encode("utf-8", "replace").decode() == place
    return place if failure and is_writable and failure.message.startswith(place) else ""


def apply_changes(document: ExpectedText, changes: Sequence[Change]) -> ExpectedText:
    """The file after the changes; what a person has to decide stays as it is."""
    for change in changes:
        document = _apply(document, change)
    return document


def pin_run(document: ExpectedText, run: Run) -> ExpectedText:
    """The file written for the suite of the run, and for as many tests. Raises `UsageError` where these are fewer."""
    ran = sum(result.verdict in RAN for result in run.results)
    pinned = document.parse()
    if pinned.suite == run.suite.version and ran < pinned.min_tests:
        raise UsageError(
            f"{ran} tests ran, fewer than the {pinned.min_tests} of min_tests: less is claimed than when the file was "
            "written; if that is meant, lower min_tests by hand"
        )
    return set_head(document, suite=run.suite.version, min_tests=ran)


def _apply(document: ExpectedText, change: Change) -> ExpectedText:
    match change.kind:
        case Kind.LEAVE:
            return document
        case Kind.ADD:
            return add_entry(document, change.entries[0])
        case Kind.CHANGE:
            assert change.block is not None
            entry = change.entries[0]
            return change_entry(document, change.block, fails=entry.fails.value, message=entry.message)
        case Kind.REMOVE | Kind.SPLIT:
            assert change.block is not None
            return remove_entry(document, change.block, change.entries)
