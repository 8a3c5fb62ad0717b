"""The recorded sessions: each timeline is what is known to have happened."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from keel_ref.adapters.session_view import read_view
from keel_ref.tokens.context import context_size
from tests.unit.session.sessions import report_of

FOLDER = Path(__file__).parents[2] / "fixtures" / "sessions"
NAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))


@cache
def told(name: str, window: int | None = None) -> dict[str, Any]:
    """The report of one of them."""
    return report_of((FOLDER / f"{name}.jsonl").read_bytes().splitlines(keepends=True), window=window)


@pytest.mark.parametrize("name", NAMES)
def test_every_boundary_is_as_large_as_the_rules_say(name: str) -> None:
    """The size before each compaction, to the token."""
    compactions = told(name)["compactions"]

    assert [one["pre_tokens"] for one in compactions] == [one["predicted_tokens"] for one in compactions]


@pytest.mark.parametrize("name", NAMES)
def test_the_next_request_finds_what_the_counter_says(name: str) -> None:
    """The size at the end is that of the clauses on the size of a context, row by row."""
    view = read_view(str(FOLDER / f"{name}.jsonl"))

    assert context_size(view.rows.rows).tokens == told(name)["forecast"]["used"]


@pytest.mark.parametrize("name", NAMES)
def test_the_file_itself_is_sound(name: str) -> None:
    """But for rows that the client wrote twice."""

    assert {"duplicate-uuid"} >= {one["reason"] for one in told(name)["problems"]}


def test_three_compactions_and_a_stop() -> None:
    """Each is due two responses behind the one before; when a fourth is due, an error row ends the session."""
    report = told("auto-compact-thrice")

    assert [11, 21, 33] == [one["line"] for one in report["compactions"]]
    assert [2, 4, 6] == [one["after_response"] for one in report["compactions"]]
    assert {("auto", "full", 170_006, 1_000)} == {
        (one["trigger"], one["layer"], one["pre_tokens"], one["post_tokens"]) for one in report["compactions"]
    }
    assert [{"compactions": 3, "responses": 4, "lines": [11, 21, 33]}] == report["thrash"]
    assert ("stop", [39], []) == (
        report["forecast"]["next"],
        [one["line"] for one in report["errors"]],
        report["differences"],
    )
    assert "compacted 3 times; now at 102 % of auto-compact; the next request ends the session" == report["answer"]


def test_the_window_is_that_of_the_record() -> None:
    """The model is known to have a larger window, with which three compactions cannot have begun where they did."""
    report = told("auto-compact-thrice")
    finding = next(one for one in report["findings"] if one["rule"] == "S4")

    assert (200_000, "record", 167_000) == (report["window"], report["window_source"], report["thresholds"]["auto"])
    assert "below the threshold of 967,000 tokens, first at 170,006" in finding["text"]
    assert "--window 200000" in finding["text"]


def test_the_window_that_is_given_stands() -> None:
    """With the one that fits there is nothing to remark; with the one that does not, nothing else is taken."""
    fitting, other = told("auto-compact-thrice", 200_000), told("auto-compact-thrice", 1_000_000)

    assert ("option", []) == (fitting["window_source"], [one for one in fitting["findings"] if one["rule"] == "S4"])
    assert (1_000_000, "option") == (other["window"], other["window_source"])
    assert {"send"} == {one["expected"] for one in other["differences"]}


def test_three_attempts_fail_and_no_more_are_made() -> None:
    """Nothing of an attempt stands in the file: three compactions were due, and none is recorded; then none is due."""
    report = told("summary-fails-thrice", 200_000)

    assert ([], [2, 3, 4]) == (report["compactions"], [one["before_response"] for one in report["differences"]])
    assert {("compact", "send", "CMP-071")} == {
        (one["expected"], one["recorded"], one["clause"]) for one in report["differences"]
    }
    assert ["send", *["compact"] * 3, *["send"] * 6] == [one["expected"] for one in report["responses"]]


def test_a_summary_that_is_too_long_at_first() -> None:
    """The second try leaves one compaction; what was tried before leaves nothing."""
    report = told("summary-too-long-then-compacts")

    assert ([17], [], []) == (
        [one["line"] for one in report["compactions"]],
        report["differences"],
        report["thrash"],
    )


def test_a_summary_that_is_always_too_long() -> None:
    """One attempt that failed: due, and not recorded."""
    report = told("summary-always-too-long", 200_000)

    assert ([], [10]) == (report["compactions"], [one["before_response"] for one in report["differences"]])


@pytest.mark.parametrize("name", ["seven-files-read-then-compact", "restore-size-edge"])
def test_files_are_read_and_then_it_compacts(name: str) -> None:
    """The results of Read are what entered; which files came back is not in the file, and not guessed."""
    report = told(name)
    (one,) = report["compactions"]

    assert {"Read"} == set(report["entered"]["tool_results"])
    assert ([], 1) == (one["restored"], one["dropped"]["prompts"])


def test_a_use_above_the_limit_compacts() -> None:
    """178,006 tokens, at which no request may be sent: a compaction comes first."""
    report = told("compact-above-blocking", 200_000)

    assert ["blocking", "normal"] == [one["state"] for one in report["responses"]]
    assert ["send", "compact"] == [one["expected"] for one in report["responses"]]
    assert ([178_006], []) == ([one["pre_tokens"] for one in report["compactions"]], report["differences"])


def test_eight_results_are_one_step() -> None:
    """All eight entered between two responses, though the chain of parents passes through one."""
    report = told("eight-parallel-results")

    assert 2 == len(report["responses"])
    assert {"Bash": 58_000} == report["responses"][1]["entered"]["tool_results"]


def test_a_saved_result_is_told() -> None:
    """The model saw a preview; how large the whole was is not in the file."""
    report = told("persisted-result")

    assert [(5, "result_budget", None)] == [
        (one["line"], one["layer"], one["tokens"]) for one in report["drops"] if one["layer"] != "unknown"
    ]


def test_a_day_passes() -> None:
    """A session that was resumed a day later goes on where it was."""
    report = told("resumed-next-day")
    first, second = (one["at"][:10] for one in report["responses"][-2:])

    assert (10, "2026-11-29", "2026-11-30") == (len(report["responses"]), first, second)
    assert [10] == [one["before_response"] for one in report["pauses"]]
    assert [] == report["compactions"]


def test_summing_rows_is_shown_to_be_wrong() -> None:
    """Rows that were written twice count twice: 1,195,000 in the place of 684,000."""
    found = told("auto-compact-thrice")["naive"]

    assert {"naive": 1_195_000, "right": 684_000, "percent": 175} == found["input"]
    assert (13, 8) == (found["rows"], found["responses"])
