"""Recorded sessions against the rules: what fits, what differs, and what nobody can tell."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keel_ref.choices import Gates
from keel_ref.errors import InvalidArgumentError
from keel_ref.recording.findings import Finding, Report, Rule, Verdict
from keel_ref.recording.record import read_record
from keel_ref.recording.truth import read_truth
from keel_ref.recording.verify import Conditions, verify

FOLDER = Path(__file__).parents[2] / "fixtures" / "sessions"
NAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
EDGE = "restore-size-edge"
Line = dict[str, Any]


def lines_of(name: str) -> list[Line]:
    """The lines of a recorded session."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_bytes().splitlines()]


def truth_of(name: str) -> Line:
    """What the server saw of it."""
    truth: Line = json.loads((FOLDER / f"{name}.truth.json").read_bytes())
    return truth


def report_of(lines: list[Line], truth: object = None, conditions: Conditions | None = None) -> Report:
    """What comes of comparing these lines."""
    record = read_record(json.dumps(line).encode() for line in lines)
    return verify(record, truth=None if truth is None else read_truth(truth), conditions=conditions)


def of(report: Report, rule: Rule) -> list[Finding]:
    """The findings of one rule."""
    return [one for one in report.findings if one.rule is rule]


def differing(report: Report) -> list[tuple[Rule, str, int | None]]:
    """Rule, clause and line of every difference."""
    return [(one.rule, one.clause, one.line) for one in report.findings if one.verdict is Verdict.DIFFERS]


def answer(tokens: int, number: int, *, content: Any = "x", model: str | None = "claude-sonnet-4-5") -> Line:
    """An answer whose request held that many tokens, output included."""
    usage = {"input_tokens": tokens, "output_tokens": 0}
    message = {"id": f"m{number}", "model": model, "content": content, "usage": usage}
    return {"type": "assistant", "uuid": f"a{number}", "message": message}


def prompt(number: int) -> Line:
    """What a person says; a token."""
    return {"type": "user", "uuid": f"u{number}", "message": {"content": "abc"}}


def boundary(trigger: str | None, tokens: int | None) -> list[Line]:
    """A boundary with its summary."""
    about = {key: value for key, value in {"trigger": trigger, "preTokens": tokens}.items() if value is not None}
    row = {"type": "system", "subtype": "compact_boundary", "uuid": "b", "compactMetadata": about}
    return [row, {"type": "user", "uuid": "s", "isCompactSummary": True, "message": {"content": "so far"}}]


@pytest.mark.parametrize("name", NAMES)
def test_every_session_is_exact_by_what_was_seen(name: str) -> None:
    """Sizes, thresholds, attempts, and each file in its place and manner."""
    truth = truth_of(name)
    report = report_of(lines_of(name), truth)
    files = [one.recorded for one in of(report, Rule.FILES)]
    seen = [one for attempt in truth["attempts"] if attempt["succeeded"] for one in attempt["restored"] or [None]]

    assert {Verdict.EXACT} == {one.verdict for one in report.findings}
    assert ["nothing" if one is None else f"{one['path']} {one['how']}" for one in seen] == files


@pytest.mark.parametrize("name", NAMES)
def test_without_it_nobody_knows_what_was_put_back(name: str) -> None:
    """These records do not say it; all else is exact."""
    report = report_of(lines_of(name))
    kinds = {(one.rule is Rule.FILES, one.verdict) for one in report.findings}

    assert kinds <= {(True, Verdict.UNKNOWN), (False, Verdict.EXACT)}
    assert bool(report.boundaries) == bool(of(report, Rule.FILES))
    assert all("--truth" in one.why for one in of(report, Rule.FILES))


def test_the_window_that_fits_is_assumed_and_said() -> None:
    """The table gives the model 1,000,000, and the record compacted at 170,006; what is given is not doubted."""
    found = report_of(lines_of(EDGE)).window
    given = report_of(lines_of(EDGE), conditions=Conditions(window=1_000_000))

    assert (200_000, 167_000, True) == (found.window, found.auto, found.is_assumed)
    assert "--window" in found.why
    assert [(Rule.THRESHOLD, "WIN-013", 17)] == differing(given)
    assert not given.window.is_assumed


def test_a_window_that_no_record_contradicts_is_the_one_of_the_table() -> None:
    """Nothing was compacted, so nothing speaks against it."""

    assert 1_000_000 == report_of(lines_of("resumed-next-day")).window.window


def move_size(lines: list[Line], truth: Line) -> None:
    """One token more before the compaction."""
    for line in lines:
        if "compactMetadata" in line:
            line["compactMetadata"]["preTokens"] += 1
    truth["boundaries"][0]["preTokens"] += 1


def swap_files(_: list[Line], truth: Line) -> None:
    """Two files in each other's places."""
    files = truth["attempts"][0]["restored"]
    files[1], files[2] = files[2], files[1]


def change_manner(_: list[Line], truth: Line) -> None:
    """A file that was shown is said to have been named."""
    truth["attempts"][0]["restored"][3]["how"] = "named"


def lose_file(_: list[Line], truth: Line) -> None:
    """The last file did not come back."""
    truth["attempts"][0]["restored"].pop()


def lose_boundary(lines: list[Line], _: Line) -> None:
    """The boundary is gone, its summary is not."""
    lines[:] = [line for line in lines if "compactMetadata" not in line]


def fail_attempt(_: list[Line], truth: Line) -> None:
    """The attempt behind which there is a boundary is said to have failed."""
    truth["attempts"][0]["succeeded"] = False


def add_attempt(_: list[Line], truth: Line) -> None:
    """One attempt more than the record has places for."""
    truth["attempts"].append({"succeeded": False, "calls": []})


@pytest.mark.parametrize(
    ("plant", "rules"),
    [
        (move_size, [(Rule.SIZE, "EST-016", 17)]),
        (swap_files, [(Rule.FILES, "CMP-113", 17)] * 2),
        (change_manner, [(Rule.FILES, "CMP-116", 17)]),
        (lose_file, [(Rule.FILES, "CMP-113", 17)]),
        (fail_attempt, [(Rule.ATTEMPTS, "CMP-074", 17)]),
        (add_attempt, [(Rule.ATTEMPTS, "CMP-071", None)]),
    ],
)
def test_what_is_planted_is_found(
    plant: Callable[[list[Line], Line], None], rules: list[tuple[Rule, str, int | None]]
) -> None:
    """Each by its rule and clause, at its line, and nothing else is said to differ."""
    lines, truth = lines_of(EDGE), truth_of(EDGE)
    plant(lines, truth)

    assert rules == differing(report_of(lines, truth, Conditions(window=200_000)))


def test_a_boundary_that_is_gone_is_missed() -> None:
    """By its summary, which has none now; by the attempt that was seen; and by the list of those that were."""
    lines, truth = lines_of(EDGE), truth_of(EDGE)
    lose_boundary(lines, truth)
    alone, seen = report_of(lines), report_of(lines, truth, Conditions(window=200_000))

    assert [(Rule.SHAPE, "CMP-152", 17)] == differing(alone)
    assert {Rule.SHAPE, Rule.PASSES, Rule.ATTEMPTS} == {rule for rule, _, _ in differing(seen)}


@pytest.mark.parametrize(
    ("tokens", "verdict"), [(166_999, Verdict.DIFFERS), (167_000, Verdict.EXACT), (167_001, Verdict.EXACT)]
)
def test_a_compaction_is_due_from_the_threshold_on(tokens: int, verdict: Verdict) -> None:
    """One token decides."""
    report = report_of([prompt(0), answer(tokens, 0), *boundary("auto", tokens), answer(9, 1)])

    assert [verdict] == [one.verdict for one in of(report, Rule.THRESHOLD)]
    assert [Verdict.EXACT] == [one.verdict for one in of(report, Rule.SIZE)]


def test_a_person_needs_no_threshold() -> None:
    """The size of a manual compaction is compared, its reason is not."""
    report = report_of([prompt(0), answer(50_000, 0), *boundary("manual", 50_000), answer(9, 1)])

    assert [] == of(report, Rule.THRESHOLD)
    assert [50_000] == [one.predicted for one in of(report, Rule.SIZE)]
    assert any("CMP-079" in note for note in report.notes)


def test_a_boundary_that_says_nothing_is_still_one() -> None:
    """Older records have neither trigger nor size: unknown, and no difference."""
    report = report_of([prompt(0), answer(170_000, 0), *boundary(None, None), answer(9, 1)])

    assert [Verdict.UNKNOWN] == [one.verdict for one in of(report, Rule.SIZE)]
    assert [] == of(report, Rule.THRESHOLD)
    assert [] == differing(report)


def test_a_lowered_threshold_is_named() -> None:
    """The percentage of the environment decides, by its own clause."""
    lines = [prompt(0), answer(100_000, 0), *boundary("auto", 100_000), answer(9, 1)]
    report = report_of(lines, conditions=Conditions(env={"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "50"}))

    assert [("WIN-014", Verdict.EXACT)] == [(one.clause, one.verdict) for one in of(report, Rule.THRESHOLD)]


def test_a_request_above_the_threshold_may_have_reasons_that_no_file_tells() -> None:
    """Unknown without more; exact where the switch is off; and the prediction of the blocking limit is checked."""
    lines = [prompt(0), answer(170_000, 0), prompt(1), answer(170_000, 1)]
    alone = of(report_of(lines), Rule.PASSES)
    off = of(report_of(lines, conditions=Conditions(env={"DISABLE_AUTO_COMPACT": "1"})), Rule.PASSES)
    seen = of(report_of(lines, {"attempts": []}), Rule.PASSES)
    above = [prompt(0), answer(178_000, 0), prompt(1), answer(178_000, 1)]
    blocked = of(report_of(above, conditions=Conditions(env={"DISABLE_AUTO_COMPACT": "1"})), Rule.PASSES)

    assert (None, Verdict.UNKNOWN) == (alone[0].predicted, alone[0].verdict)
    assert ("WIN-018", Verdict.EXACT) == (off[0].clause, off[0].verdict)
    assert ("CMP-071", Verdict.DIFFERS) == (seen[0].clause, seen[0].verdict)
    assert ("CMP-078", Verdict.DIFFERS) == (blocked[0].clause, blocked[0].verdict)


def test_a_size_without_usage_is_no_difference() -> None:
    """The system prompt is missing from an estimate, so nobody can say that the record is wrong."""
    found = of(report_of([prompt(0), *boundary("manual", 20_000)]), Rule.SIZE)

    assert [(1, Verdict.UNKNOWN)] == [(one.predicted, one.verdict) for one in found]


def test_a_branch_that_was_left_does_not_count() -> None:
    """Somebody went back before the compaction, so the words that were left are no part of its size."""
    asked = [{"type": "user", "uuid": name, "parentUuid": "a0", "message": {"content": name * 400}} for name in "xy"]
    lines = [prompt(0), answer(50_000, 0), *asked, *boundary("manual", 50_100)]

    assert [50_100] == [one.predicted for one in of(report_of(lines), Rule.SIZE)]


def test_a_reactive_compaction_needs_no_threshold_where_its_gate_is_open() -> None:
    """Below it the compaction may have followed a refusal, of which the file says nothing."""
    lines = [prompt(0), answer(9_000, 0), *boundary("auto", 9_000), answer(9, 1)]
    report = report_of(lines, conditions=Conditions(gates=Gates.of({"reactive": True})))

    assert [Verdict.UNKNOWN] == [one.verdict for one in of(report, Rule.THRESHOLD)]


@pytest.mark.parametrize(
    "truth",
    [
        [],
        {"attempts": {}},
        {"attempts": [{}]},
        {"attempts": [{"succeeded": True, "restored": [{"path": "f"}]}]},
        {"mtimes_ns": [1]},
        {"mtimes_ns": {"f": "1"}},
        {"boundaries": 3},
    ],
)
def test_a_truth_of_another_form_is_refused(truth: object) -> None:
    """With a word on where its form stands."""
    with pytest.raises(InvalidArgumentError, match=r"recordings\.md"):
        read_truth(truth)


def test_a_truth_may_say_a_part() -> None:
    """Times alone give the order; what was put back stays unknown."""
    times = {"mtimes_ns": truth_of(EDGE)["mtimes_ns"]}
    found = of(report_of(lines_of(EDGE), times), Rule.FILES)

    assert ["/home/u/proj/f4.txt named", "/home/u/proj/f2.txt inlined"] == [one.predicted for one in found][:2]
    assert {Verdict.UNKNOWN} == {one.verdict for one in found}
