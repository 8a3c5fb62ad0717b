"""The expected-failure file `keel-expected.toml`: read strictly, and exact both ways. Spec: schema/expected.json.

An entry excuses a failure of one kind, with a reason. An entry that excuses nothing any more fails the run, as does one
for a test that nobody has, that was not run, or whose capability is not claimed: a list that may rot is worth nothing.
"""

import datetime as dt
import tomllib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from attrs import evolve, frozen

from keel_ref.conformance.exits import UsageError
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.verdict import RAN, Repeats, TestResult, Verdict

FILE_NAME: Final = "keel-expected.toml"
"""What the file is called by custom; it is read only where the command line names it."""
MAX_GLOB_IDS: Final = 20
"""Tests that one entry may cover."""

_GLOB_CHARACTERS = frozenset("*?[")
_ENTRY_FIELDS = frozenset({"id", "fails", "message", "reason", "issue", "until", "flaky"})


@frozen(kw_only=True)
class Entry:
    """One expected failure."""

    id: str
    """The test, or a glob over at most `MAX_GLOB_IDS` of them."""
    fails: FailureKind
    """The way in which it fails."""
    message: str = ""
    """What its message begins with; empty for any."""
    reason: str
    """Why it fails."""
    issue: str = ""
    """Where it will be mended."""
    until: dt.date | None = None
    """The last day on which the failure is excused."""
    flaky: Repeats | None = None
    """The measured rate of a test that fails now and then; it may pass without being stale."""

    def covers(self, name: str) -> bool:
        """Whether the entry is about a test."""
        return self.id == name or (bool(_GLOB_CHARACTERS & set(self.id)) and fnmatchcase(name, self.id))


@frozen(kw_only=True)
class ExpectedFile:
    """Everything that an expected-failure file says."""

    suite: str
    """The version of the suite for which it was written."""
    min_tests: int = 0
    """Tests that must at least run."""
    entries: tuple[Entry, ...] = ()
    """In the order of the file."""


class EntryStatus(StrEnum):
    """What became of an entry."""

    USED = "used"
    """It excused every failure that it is about."""
    STALE = "stale"
    """A test passes that it calls failing."""
    EXPIRED = "expired"
    """The test still fails after its last day."""
    OTHER = "other"
    """The test fails in another way."""
    SKIPPED = "skipped"
    """The test was not run."""
    NOT_CLAIMED = "not_claimed"
    """The test was not run, because its capability is not claimed."""
    UNKNOWN = "unknown"
    """The suite has no such test."""


@frozen(kw_only=True)
class EntryResult:
    """One entry in one run."""

    entry: Entry
    status: EntryStatus
    tests: tuple[str, ...]
    """The tests that gave it this status."""


def load_expected(path: Path) -> ExpectedFile:
    """Read an expected-failure file. Raises `UsageError` for one that is ill-formed."""
    try:
        source = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"--expected {path}: {error}") from error
    try:
        return parse_expected(source)
    except UsageError as error:
        raise UsageError(f"--expected {path}: {error}") from error


def parse_expected(source: Mapping[str, Any]) -> ExpectedFile:
    """What a parsed file says. Raises `UsageError`."""
    unknown = sorted(set(source) - {"suite", "min_tests", "expect"})
    if unknown:
        raise UsageError(f"unknown key {unknown[0]!r}; there are suite, min_tests and [[expect]]")
    entries = source.get("expect", [])
    if not isinstance(entries, list):
        raise UsageError("write each expected failure as [[expect]]")
    if _take(source, "min_tests", int, 0) < 0:
        raise UsageError("the file: min_tests is less than none")
    return ExpectedFile(
        suite=_take(source, "suite", str),
        min_tests=_take(source, "min_tests", int, 0),
        entries=tuple(_parse_entry(entry) for entry in entries),
    )


def check_fit(
    expected: ExpectedFile, place: str, *, suite: str, known: Sequence[str], is_other_accepted: bool = False
) -> None:
    """Refuse a file that was written for another suite, or that excuses too much at once. Raises `UsageError`."""
    if expected.suite != suite and not is_other_accepted:
        raise UsageError(
            f"{place}: it pins suite {expected.suite}, this is {suite}; "
            "`keel-ref baseline write` writes it anew, --accept-suite uses it all the same"
        )
    for entry in expected.entries:
        _find_covered(entry, known)


def _find_covered(entry: Entry, known: Sequence[str]) -> list[str]:
    names = [name for name in known if entry.covers(name)]
    if len(names) > MAX_GLOB_IDS:
        raise UsageError(f"{entry.id} covers {len(names)} tests; a glob may cover at most {MAX_GLOB_IDS}")
    return names


def _parse_entry(source: object) -> Entry:
    if not isinstance(source, Mapping):
        raise UsageError("write each expected failure as [[expect]]")
    name = _take(source, "id", str)
    unknown = sorted(set(source) - _ENTRY_FIELDS)
    if unknown:
        raise UsageError(f"{name}: unknown key {unknown[0]!r}; there are {', '.join(sorted(_ENTRY_FIELDS))}")
    kinds = [kind.value for kind in FailureKind]
    fails = _take(source, "fails", str)
    if fails not in kinds:
        raise UsageError(f"{name}: fails = {fails!r} is not one of {', '.join(kinds)}")
    entry = Entry(
        id=name,
        fails=FailureKind(fails),
        message=_take(source, "message", str, ""),
        reason=_take(source, "reason", str),
        issue=_take(source, "issue", str, ""),
        until=_parse_day(source),
        flaky=_parse_rate(source),
    )
    if entry.flaky is not None and entry.until is None:
        raise UsageError(f"{name}: a flaky test needs `until`, the day by which it is mended")
    return entry


def _take(source: Mapping[str, Any], name: str, kind: type, default: object = None) -> Any:
    value = source.get(name, default)
    if type(value) is not kind or (kind is str and default is None and not value):
        words = {str: "a text", int: "a whole number"}
        raise UsageError(f"{source.get('id', 'the file')}: {name} must be {words[kind]}")
    return value


def _parse_day(source: Mapping[str, Any]) -> dt.date | None:
    value = source.get("until")
    if value is None or type(value) is dt.date:
        return value
    try:
        return dt.date.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{source['id']}: until = {value!r} is no day such as 2027-03-01") from error


def _parse_rate(source: Mapping[str, Any]) -> Repeats | None:
    value = source.get("flaky")
    if value is None:
        return None
    failed, _, runs = str(value).partition("/")
    if not (failed.isdecimal() and runs.isdecimal() and 0 < int(failed) <= int(runs)):
        raise UsageError(f"{source['id']}: flaky = {value!r} is no measured rate such as '2/5'")
    return Repeats(failed=int(failed), runs=int(runs))


def apply_expected(
    results: Sequence[TestResult],
    expected: ExpectedFile,
    *,
    known: Sequence[str],
    exempt: frozenset[str] = frozenset(),
    today: dt.date,
) -> tuple[tuple[TestResult, ...], tuple[EntryResult, ...]]:
    """Judge failures by the file, and the file by the results. Exempt are tests that another shard runs."""
    by_id = {result.vector.id: result for result in results}
    entries: list[EntryResult] = []
    for entry in expected.entries:
        names = _find_covered(entry, known)
        if not names:
            entries.append(EntryResult(entry=entry, status=EntryStatus.UNKNOWN, tests=(entry.id,)))
            continue
        found: dict[EntryStatus, list[str]] = {}
        for name in names:
            if name not in by_id and name in exempt:
                continue
            status, judged = _judge(entry, by_id.get(name), today)
            found.setdefault(status, []).append(name)
            if judged is not None:
                by_id[name] = judged
        entries.extend(EntryResult(entry=entry, status=status, tests=tuple(tests)) for status, tests in found.items())
    return tuple(by_id[result.vector.id] for result in results), tuple(entries)


def _judge(entry: Entry, result: TestResult | None, today: dt.date) -> tuple[EntryStatus, TestResult | None]:
    """What an entry and a result make of each other: the entry's status, and the result as it is to be read."""
    if result is None or result.verdict not in RAN:
        is_unclaimed = result is not None and result.verdict is Verdict.NOT_CLAIMED
        return (EntryStatus.NOT_CLAIMED if is_unclaimed else EntryStatus.SKIPPED), None
    if result.failure is None:
        if entry.flaky is not None and (entry.until is None or today <= entry.until):
            return EntryStatus.USED, None
        return EntryStatus.STALE, evolve(result, verdict=Verdict.XPASS, note=f"expected to fail: {entry.reason}")
    if entry.until is not None and today > entry.until:
        return EntryStatus.EXPIRED, evolve(result, note=f"was expected to fail until {entry.until}: {entry.reason}")
    is_kind = entry.fails is result.failure.kind or (entry.flaky is not None and not result.failure.is_of_process)
    if not is_kind or not result.failure.message.startswith(entry.message):
        what = f"{entry.fails}, {entry.message!r}" if entry.message else entry.fails
        return EntryStatus.OTHER, evolve(result, note=f"was expected to fail otherwise: {what}")
    return EntryStatus.USED, evolve(result, verdict=Verdict.XFAIL, note=entry.reason)
