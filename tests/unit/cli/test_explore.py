"""The verbs about programs, in this process: what they print, what they leave behind, and their codes."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from keel_ref.cli import main
from keel_ref.cli.compare import split_commands
from keel_ref.cli.explore import MAX_SEED, duration, seed
from keel_ref.conformance.exits import UsageError
from keel_ref.strategies.program_drawing import StartProgram
from tests.unit.conformance.adapters.program_toy import start_program
from tests.unit.conformance.program_toy_runs import command


@pytest.fixture(autouse=True)
def _toy_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The honest toy is the model, and nothing is left in the checkout."""

    def model(*_: object) -> StartProgram:
        return start_program

    for module in ("explore", "explore_model", "shrink_saved", "compare_adapters"):
        monkeypatch.setattr(f"keel_ref.conformance.{module}.reference_model", model)
    monkeypatch.chdir(tmp_path)


def keel(*words: str) -> int:
    """One verb with its words."""
    return main(words)


def test_explore_saves_what_it_finds_and_replay_sees_it_again(capsys: pytest.CaptureFixture[str]) -> None:
    """The block names the files; an honest toy passes."""
    code = keel("explore", "--examples", "40", "-j", "1", "--", *command("leak"))
    text = capsys.readouterr().out
    saved = sorted(Path(".keel/failures").glob("*.json"))

    assert 1 == code
    assert saved
    assert all(f"keel-ref replay {path}" in text for path in saved)
    assert 1 == keel("replay", str(saved[0]), "--", *command("leak"))
    assert 0 == keel("replay", str(saved[0]), "--", *command())
    assert not saved[0].exists()


def test_explore_says_the_same_twice(capsys: pytest.CaptureFixture[str]) -> None:
    """The same bytes, whatever -j is."""
    said = []
    for jobs in ("1", "2"):
        keel("explore", "--examples", "40", "-j", jobs, "--seed", "3", "--", *command("leak"))
        said.append(capsys.readouterr().out)

    assert said[0] == said[1]
    assert "seed 3" in said[0]


@pytest.mark.parametrize(("fault", "code"), [("none", 0), ("unclaimed", 4), ("flap", 4), ("short", 1)])
def test_explore_ends_with_the_codes_of_a_check(fault: str, code: int) -> None:
    """Never success on nothing."""

    assert code == keel("explore", "--examples", "40", "-j", "1", "--", *command(fault))


def test_an_adapter_that_does_not_start_ends_with_three() -> None:
    """It is at fault, not the implementation."""

    assert 3 == keel("explore", "--examples", "1", "-j", "1", "--", "/no/such/adapter")


def test_shrink_makes_a_saved_failure_smaller_and_keeps_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    """A file that was written by hand, with more in it than is needed."""
    steps: list[object] = [
        ["append", {"kind": "user", "tokens": 9}],
        ["append", {"s": "b", "kind": "user", "tokens": 8}],
    ]
    path = Path("large.json")
    path.write_text(json.dumps(failure(steps)), encoding="utf-8")
    code = keel("shrink", str(path), "--", *command("leak"))
    record = json.loads(path.read_bytes())
    text = capsys.readouterr().out

    assert 0 == code
    assert "one-minimal" in text
    assert record["request"]["steps"][1][1]["tokens"] == 0
    assert steps == record["original"]["program"]["steps"]
    assert 0 == keel("shrink", str(path), "--", *command("leak"))
    assert 4 == keel("shrink", str(path), "--", *command())


def failure(steps: Sequence[object]) -> dict[str, object]:
    """A failure file about a program."""
    return {
        "schema": "keel-replay/1",
        "property": "program-append-used",
        "clauses": ["CMP-180"],
        "suite": "0.1.0",
        "revision": "2026.11",
        "impl": {},
        "choices": {},
        "seed": 0,
        "request": {"op": "program", "config": {}, "steps": steps},
        "expected": {"subset": [{}, {"ok": {"used": 8}}]},
        "actual": {"ok": [{"ok": {"used": 9}}, {"ok": {"used": 17}}]},
        "first_difference": "[1].ok.used: expected 8, got 17",
        "minimal": "time",
        "repeats": "5/5",
        "shell": "",
    }


def test_compare_finds_where_two_adapters_part(capsys: pytest.CaptureFixture[str]) -> None:
    """Both answers, the steps, and a line of shell for each."""
    code = keel("compare", "--examples", "40", "-j", "1", "--", *command(), "----", *command("leak"))
    text = capsys.readouterr().out

    assert 1 == code
    assert "DIFFER  program-" in text
    assert text.count("shell    head -2 .keel/differences/") == 2 * text.count("DIFFER")
    assert list(Path(".keel/differences").glob("*.ndjson"))


@pytest.mark.parametrize(("fault", "code"), [("none", 0), ("unclaimed", 4)])
def test_compare_ends_well_only_where_something_was_compared(fault: str, code: int) -> None:
    """Two that claim nothing together prove nothing."""

    assert code == keel("compare", "--examples", "20", "-j", "1", "--", *command(), "----", *command(fault))


def test_compare_needs_two_commands() -> None:
    """With the separator between them."""
    for words in ((), ("one",), ("----", "two"), ("one", "----"), ("one", "----", "two", "----", "three")):
        with pytest.raises(UsageError, match="----"):
            split_commands(words)

    assert (("one", "a"), ("two",)) == split_commands(("one", "a", "----", "two"))


@pytest.mark.parametrize(("text", "seconds"), [("5", 5.0), ("60s", 60.0), ("2m", 120.0)])
def test_a_time_is_in_seconds_or_minutes(text: str, seconds: float) -> None:
    """With the unit behind the number."""

    assert seconds == duration(text)


@pytest.mark.parametrize("text", ["", "s", "0", "1h", "-1s", "1.5s", "٣s", "99999999"])
def test_a_time_that_is_none_is_refused(text: str) -> None:
    """With the form that was expected."""
    with pytest.raises(Exception, match="no time such as 60s"):
        duration(text)


def test_a_seed_is_a_number_or_random() -> None:
    """What was drawn is a number that can be given again."""

    assert 7 == seed("7")
    assert 0 <= seed("random") < MAX_SEED
    for text in ("-1", "x", str(MAX_SEED + 1)):
        with pytest.raises(Exception, match="no whole number"):
            seed(text)


def test_exploration_alone_is_its_own_verb(capsys: pytest.CaptureFixture[str]) -> None:
    """A check without a single test would prove nothing about the vectors."""

    assert 2 == keel("check", "--tier", "X", "--", *command())
    assert "keel-ref explore" in capsys.readouterr().err


def test_a_check_can_explore_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    """The report of record holds what was found, and the codes are joined."""
    words = ("--tier", "K,X", "--json", "-j", "1", "--shrink", "1", "--repeat-failures", "1", "--id", "corpus-none")
    code = keel("check", *words[:-2], "--shard", "1/40", "--", *command("leak"))
    report = json.loads(capsys.readouterr().out)

    assert 1 <= code
    assert report["exploration"]["findings"]
    assert "--tier K,X" in report["selection"]
