"""Counts that are kept one by one."""

from pathlib import Path

import pytest

from keel_ref.adapters.calibration_state import HEADER, CalibrationState
from keel_ref.errors import InvalidArgumentError


def test_a_count_is_in_the_file_at_once(tmp_path: Path) -> None:
    """Before the next one is asked for, and found again by the same counter only."""
    path = str(tmp_path / "state")
    with CalibrationState.load("one", path) as state:
        state.add("a", 5)
        assert {"a": 5} == CalibrationState.load("one", path).counts
        state.add("b", 6)

    assert {"a": 5, "b": 6} == CalibrationState.load("one", path).counts
    assert {} == CalibrationState.load("other", path).counts


def test_a_torn_line_costs_that_line_alone(tmp_path: Path) -> None:
    """What was written before stays, and what comes after begins on a line of its own."""
    path = tmp_path / "state"
    with CalibrationState.load("one", str(path)) as state:
        state.add("a", 5)
        state.add("b", 6)
    path.write_bytes(path.read_bytes()[:-9])
    with CalibrationState.load("one", str(path)) as state:
        assert {"a": 5} == state.counts
        state.add("c", 7)

    assert {"a": 5, "c": 7} == CalibrationState.load("one", str(path)).counts


def test_odd_lines_are_passed_over(tmp_path: Path) -> None:
    """Whoever wrote them."""
    path = tmp_path / "state"
    rows = ['{"counter":"one","window":"a","tokens":-1}', '{"counter":"one","window":1,"tokens":1}', "[]", "[" * 99_999]
    path.write_bytes(HEADER + "\n".join(rows).encode() + b"\n\xff\n")

    assert {} == CalibrationState.load("one", str(path)).counts


def test_without_a_path_nothing_is_kept() -> None:
    """The counts are in memory."""
    with CalibrationState.load("one", None) as state:
        state.add("a", 5)

    assert {"a": 5} == state.counts


def test_another_kind_of_file_is_left_alone(tmp_path: Path) -> None:
    """A mistake in the name destroys nothing; a folder is none."""
    path = tmp_path / "notes.txt"
    path.write_text("my notes\n")

    with pytest.raises(InvalidArgumentError, match="another kind of file"):
        CalibrationState.load("one", str(path))
    with pytest.raises(InvalidArgumentError, match="cannot be read"):
        CalibrationState.load("one", str(tmp_path))
    with (
        CalibrationState.load("one", str(tmp_path / "gone/state")) as state,
        pytest.raises(InvalidArgumentError, match=r"cannot be written \(No such file"),
    ):
        state.add("a", 1)
    assert "my notes\n" == path.read_text()
