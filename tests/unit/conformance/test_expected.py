"""The expected-failure file: read strictly, exact both ways."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from keel_ref.conformance.exits import UsageError
from keel_ref.conformance.expected import (
    Entry,
    EntryStatus,
    ExpectedFile,
    apply_expected,
    load_expected,
    parse_expected,
)
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.verdict import Failure, Fault, Repeats, TestResult, Verdict
from tests.unit.conformance.toy_suite import echo, make_suite

TODAY = dt.date(2026, 11, 30)
NAMES = ("toy-a", "toy-b", "toy-c")
MISMATCH = Failure(kind=FailureKind.MISMATCH, fault=Fault.IMPLEMENTATION, message='files[1].p: expected "/a"')


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """Three tests."""
    return make_suite(tmp_path, [echo(name, 1) for name in NAMES])


def results(suite: Suite, *verdicts: Verdict) -> list[TestResult]:
    """A result for each test."""
    return [
        TestResult(
            vector=vector,
            level=suite.level_of(vector),
            verdict=verdict,
            failure=MISMATCH if verdict is Verdict.FAIL else None,
        )
        for vector, verdict in zip(suite.vectors, verdicts, strict=True)
    ]


def entry(name: str, **changes: Any) -> Entry:
    """An entry for a mismatch."""
    return evolve(Entry(id=name, fails=FailureKind.MISMATCH, reason="not done yet"), **changes)


def judge(found: list[TestResult], *entries: Entry) -> tuple[list[Verdict], list[EntryStatus]]:
    """The verdicts and the statuses under a file with these entries."""
    expected = ExpectedFile(suite="1", entries=entries)
    judged, statuses = apply_expected(found, expected, known=NAMES, today=TODAY)
    return [result.verdict for result in judged], [each.status for each in statuses]


@pytest.mark.parametrize(
    "entry_",
    [
        entry("toy-a"),
        entry("toy-a", message="files[1]"),
        entry("toy-a", until=TODAY),
        entry("toy-[a]"),
        entry("toy-a", fails=FailureKind.NONDETERMINISTIC, flaky=Repeats(failed=2, runs=5), until=TODAY),
    ],
)
def test_an_entry_excuses_its_failure(suite: Suite, entry_: Entry) -> None:
    """By id or glob, by kind and beginning, up to its last day."""
    found = results(suite, Verdict.FAIL, Verdict.PASS, Verdict.PASS)

    assert ([Verdict.XFAIL, Verdict.PASS, Verdict.PASS], [EntryStatus.USED]) == judge(found, entry_)


@pytest.mark.parametrize(
    ("entry_", "verdict", "status"),
    [
        (entry("toy-b"), Verdict.XPASS, EntryStatus.STALE),
        (entry("toy-a", until=dt.date(2026, 11, 29)), Verdict.FAIL, EntryStatus.EXPIRED),
        (entry("toy-a", fails=FailureKind.CRASH), Verdict.FAIL, EntryStatus.OTHER),
        (entry("toy-a", message="skipped"), Verdict.FAIL, EntryStatus.OTHER),
        (entry("toy-c"), Verdict.NOT_CLAIMED, EntryStatus.NOT_CLAIMED),
    ],
)
def test_an_entry_that_does_not_hold_says_why(
    suite: Suite, entry_: Entry, verdict: Verdict, status: EntryStatus
) -> None:
    """Stale, expired, otherwise, not claimed: each by its name, and the failure stays a failure."""
    found = results(suite, Verdict.FAIL, Verdict.PASS, Verdict.NOT_CLAIMED)
    verdicts, statuses = judge(found, entry_)

    assert [status] == statuses
    assert verdict is verdicts[NAMES.index(entry_.id)]


@pytest.mark.parametrize("verdict", [Verdict.WITHDRAWN, Verdict.NOT_APPLICABLE, Verdict.INCONCLUSIVE])
def test_an_entry_for_a_test_that_was_not_run_is_skipped(suite: Suite, verdict: Verdict) -> None:
    """Whatever the reason; it excused nothing."""
    found = results(suite, verdict, Verdict.PASS, Verdict.PASS)

    assert [EntryStatus.SKIPPED] == judge(found, entry("toy-a"))[1]


def test_an_entry_for_a_test_that_was_not_selected_is_skipped(suite: Suite) -> None:
    """A filtered run proves nothing about it."""
    found = results(suite, Verdict.PASS, Verdict.PASS, Verdict.PASS)[1:]

    assert [EntryStatus.SKIPPED] == judge(found, entry("toy-a"))[1]


def test_an_entry_for_a_test_of_another_shard_is_exempt(suite: Suite) -> None:
    """The other shard judges it."""
    found = results(suite, Verdict.PASS, Verdict.PASS, Verdict.PASS)[1:]
    expected = ExpectedFile(suite="1", entries=(entry("toy-a"),))
    _, statuses = apply_expected(found, expected, known=NAMES, exempt=frozenset({"toy-a"}), today=TODAY)

    assert () == statuses


@pytest.mark.parametrize("name", ["toy-z", "nothing-*"])
def test_an_entry_for_no_test_is_unknown(suite: Suite, name: str) -> None:
    """Also where it is a glob that matches nothing."""
    found = results(suite, Verdict.PASS, Verdict.PASS, Verdict.PASS)

    assert [EntryStatus.UNKNOWN] == judge(found, entry(name))[1]


def test_a_glob_is_stale_for_each_test_that_passes(suite: Suite) -> None:
    """It excuses one test and is stale for the others."""
    found = results(suite, Verdict.FAIL, Verdict.PASS, Verdict.PASS)
    verdicts, statuses = judge(found, entry("toy-*"))

    assert [Verdict.XFAIL, Verdict.XPASS, Verdict.XPASS] == verdicts
    assert [EntryStatus.USED, EntryStatus.STALE] == statuses


def test_a_glob_over_too_many_tests_is_refused() -> None:
    """At most twenty, so that a list names what it excuses."""
    known = [f"toy-{number}" for number in range(21)]
    expected = ExpectedFile(suite="1", entries=(entry("toy-*"),))

    with pytest.raises(UsageError, match="at most 20"):
        apply_expected([], expected, known=known, today=TODAY)


def test_a_flaky_test_may_pass(suite: Suite) -> None:
    """Until its last day it is not stale; behind it, it is."""
    found = results(suite, Verdict.PASS, Verdict.PASS, Verdict.PASS)
    flaky = entry("toy-a", flaky=Repeats(failed=1, runs=5), until=TODAY)
    late = evolve(flaky, until=dt.date(2026, 11, 29))

    assert ([Verdict.PASS] * 3, [EntryStatus.USED]) == judge(found, flaky)
    assert [EntryStatus.STALE] == judge(found, late)[1]


def test_a_file_is_read(tmp_path: Path) -> None:
    """Every field, with a day as TOML has it."""
    path = tmp_path / "keel-expected.toml"
    path.write_text(
        'suite = "0.1.0"\nmin_tests = 7\n[[expect]]\nid = "toy-a"\nfails = "crash"\nmessage = "the process"\n'
        'reason = "why"\nissue = "https://example.org/1"\nuntil = 2027-03-01\nflaky = "2/5"\n',
        encoding="utf-8",
    )
    wanted = Entry(
        id="toy-a",
        fails=FailureKind.CRASH,
        message="the process",
        reason="why",
        issue="https://example.org/1",
        until=dt.date(2027, 3, 1),
        flaky=Repeats(failed=2, runs=5),
    )

    assert ExpectedFile(suite="0.1.0", min_tests=7, entries=(wanted,)) == load_expected(path)


GOOD = {"id": "toy-a", "fails": "mismatch", "reason": "why"}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ({}, "suite must be a text"),
        ({"suite": ""}, "suite must be a text"),
        ({"suite": "1", "min_tests": "7"}, "min_tests must be a whole number"),
        ({"suite": "1", "expects": []}, "unknown key 'expects'"),
        ({"suite": "1", "expect": {}}, "write each expected failure"),
        ({"suite": "1", "expect": [{"fails": "crash"}]}, "id must be a text"),
        ({"suite": "1", "expect": [{**GOOD, "reason": ""}]}, "toy-a: reason must be a text"),
        ({"suite": "1", "expect": [{**GOOD, "fails": "badly"}]}, "toy-a: fails = 'badly'"),
        ({"suite": "1", "expect": [{**GOOD, "mesage": "x"}]}, "toy-a: unknown key 'mesage'"),
        ({"suite": "1", "expect": [{**GOOD, "until": "soon"}]}, "toy-a: until = 'soon'"),
        ({"suite": "1", "expect": [{**GOOD, "flaky": "2/5"}]}, "needs `until`"),
        ({"suite": "1", "expect": [{**GOOD, "flaky": "often", "until": "2027-01-01"}]}, "no measured rate"),
        ({"suite": "1", "expect": [{**GOOD, "flaky": "6/5", "until": "2027-01-01"}]}, "no measured rate"),
    ],
)
def test_an_odd_file_is_refused(source: dict[str, Any], words: str) -> None:
    """With the entry and the key that is wrong."""

    with pytest.raises(UsageError, match=words):
        parse_expected(source)


@pytest.mark.parametrize("content", ["suite = ", 'suite = "1"\nsuite = "2"\n'])
def test_what_is_no_toml_is_refused(tmp_path: Path, content: str) -> None:
    """With the name of the file."""
    path = tmp_path / "keel-expected.toml"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(UsageError, match=r"keel-expected\.toml"):
        load_expected(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """A file that was named must be there."""

    with pytest.raises(UsageError, match=r"missing\.toml"):
        load_expected(tmp_path / "missing.toml")
