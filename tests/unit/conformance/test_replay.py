"""Failure files that people have edited, that other suites have written, or that are none at all."""

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from keel_ref.conformance.exits import UsageError
from keel_ref.conformance.failures import save_failures
from keel_ref.conformance.replay import Again, Replayed, load_saved, render_replayed, replay
from keel_ref.conformance.runner import Policy, run_suite
from keel_ref.conformance.select import Selection
from keel_ref.conformance.suite import Suite
from tests.unit.conformance.toy_suite import ECHOES, LIMITS, TRAP, command, make_suite, subject


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """The toy suite."""
    return make_suite(tmp_path, [*ECHOES[:1], TRAP])


@pytest.fixture
def path(tmp_path: Path, suite: Suite) -> Path:
    """The file of a wrong answer."""
    run = run_suite(suite, Selection(), command("wrong"), Policy(limits=LIMITS, repeat_failures=1))
    return save_failures(run, tmp_path / "failures")["toy-m-trap"].path


def edit(path: Path, **changes: Any) -> None:
    """Change some of what the file says."""
    path.write_text(json.dumps({**json.loads(path.read_bytes()), **changes}), encoding="utf-8")


def send(path: Path, suite: Suite, misdeed: str) -> Replayed:
    """Send the failure to the toy again."""
    process = subject(misdeed)
    try:
        process.start()
        return replay(load_saved(path), process, suite)
    finally:
        process.close()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schema": "keel-report/1"}, "'keel-replay/1' was expected"),
        ({"property": 7}, "$.property: 7 is not of type"),
        ({"choices": [1]}, "$.choices: [1] is not of type"),
        ({"choices": {"memory.identity": 1}}, "is not of type"),
        ({"original": []}, "$.original: [] is not of type"),
        ({"original": "x"}, "$.original: 'x' is not of type"),
        ({"actual": 5}, "$.actual"),
        ({"expected": []}, "$.expected"),
        ({"expected": {"resembles": 1}}, "is not one of"),
        ({"request": {"op": "call", "calls": []}}, "$.request.calls"),
        ({"request": {"op": "call", "calls": [{"fn": 5, "args": {}}]}}, "$.request.calls[0].fn"),
        ({"request": {"op": "call", "calls": [{"fn": "toy.echo", "args": "x"}]}}, "$.request.calls[0].args"),
    ],
)
def test_a_file_that_was_edited_badly_is_refused(path: Path, changes: dict[str, Any], words: str) -> None:
    """With the place that is wrong; nothing is sent."""
    edit(path, **changes)

    with pytest.raises(UsageError) as caught:
        load_saved(path)
    assert words in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("content", [b"[" * 200_000, b"\xff\xfe\x00", b"null", b"", b"{}{}"])
def test_what_is_no_file_of_ours_is_refused(path: Path, content: bytes) -> None:
    """Also where it is nested without end."""
    path.write_bytes(content)

    with pytest.raises(UsageError, match="not a failure file"):
        load_saved(path)


def test_what_says_nothing_about_the_choices_of_today_is_not_fixed(path: Path, suite: Suite) -> None:
    """The files must stay, for nothing has been shown."""
    cases = {"real": {"subset": {"value": "trap"}}}
    record = json.loads(path.read_bytes())
    edit(path, expected={"choice": "memory.identity", "cases": cases}, choices=record["choices"])
    replayed = send(path, suite, "none")

    assert Again.NOW_DIFFERENT is replayed.again
    assert "says nothing about the choices" in replayed.message


def test_what_another_suite_saved_is_said_to_be_so(path: Path, suite: Suite) -> None:
    """What was right then may be another thing now."""
    replayed = send(path, suite, "wrong")
    old = evolve(replayed, saved=evolve(replayed.saved, suite="0.0.1"))

    assert 2 == len(list(render_replayed(replayed, suite)))
    assert list(render_replayed(old, suite))[2].endswith(f"saved by suite 0.0.1, this is {suite.version}")


def test_nothing_in_a_file_moves_the_cursor(path: Path, suite: Suite) -> None:
    """It may come from anybody."""
    edit(path, property="\x1b[2Jgone", suite="\x1b[2J")

    assert not any("\x1b" in line for line in render_replayed(send(path, suite, "wrong"), suite))
