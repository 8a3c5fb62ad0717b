"""`keel-ref anonymize` as its user meets it."""

from pathlib import Path

import pytest

from keel_ref.cli import main

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"
EDGE = SESSIONS / "restore-size-edge.jsonl"
TRUTH = EDGE.with_suffix(".truth.json")
Capture = pytest.CaptureFixture[str]


def complaint(capsys: Capture, *words: str | Path) -> str:
    """What is said of wrong usage."""
    assert main(["anonymize", *map(str, words)]) == 2
    return capsys.readouterr().err


def test_the_copy_goes_where_it_is_sent(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """To standard output, or to a file, byte for byte the same, and of the size of the session."""
    assert main(["anonymize", str(EDGE)]) == 0
    printed = capsysbinary.readouterr().out
    assert main(["anonymize", str(EDGE), "--out", str(tmp_path / "copy.jsonl")]) == 0

    assert printed == (tmp_path / "copy.jsonl").read_bytes()
    assert EDGE.stat().st_size == len(printed)
    assert b"/home/u" not in printed


def test_the_truth_goes_along(tmp_path: Path, capsys: Capture) -> None:
    """Both copies together are as exact as both originals, times included."""
    copy, seen = tmp_path / "copy.jsonl", tmp_path / "copy.truth.json"
    assert main(["anonymize", str(EDGE), "--out", str(copy), "--truth", str(TRUTH), "--truth-out", str(seen)]) == 0
    assert main(["verify", str(copy), "--truth", str(seen)]) == 0

    assert "10 exact, 0 different, 0 unknown" in capsys.readouterr().out
    assert "1796037072809493158" in seen.read_text(encoding="utf-8")


def test_nothing_is_written_over(tmp_path: Path, capsys: Capture) -> None:
    """Neither a file that is there, unless it is wanted, nor ever what was read."""
    copy = tmp_path / "copy.jsonl"
    copy.write_text("mine")
    own = tmp_path / "own.jsonl"
    own.write_bytes(b"{}\n")

    assert "is there already" in complaint(capsys, EDGE, "--out", copy)
    assert "never changed" in complaint(capsys, own, "--out", own, "--force")
    assert "never changed" in complaint(capsys, EDGE, "--truth", own, "--truth-out", own, "--force")
    assert "mine" == copy.read_text()
    assert 0 == main(["anonymize", str(EDGE), "--out", str(copy), "--force"])
    assert EDGE.stat().st_size == copy.stat().st_size


def test_the_last_line_need_not_end_and_a_cr_is_kept(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The copy ends as the session does."""
    session = tmp_path / "s.jsonl"
    session.write_bytes(b'{"summary":"Ann"}\r\n\n{"type":"us')
    assert main(["anonymize", str(session)]) == 0

    assert b'{"summary":"Xxx"}\r\n\nxxxxxxxxxxx' == capsysbinary.readouterr().out


def test_bad_input_is_told(tmp_path: Path, capsys: Capture) -> None:
    """Each with the word that is wrong."""
    bad = tmp_path / "bad.json"
    bad.write_text("{")

    assert "cannot be read" in complaint(capsys, tmp_path / "none")
    assert "belong together" in complaint(capsys, EDGE, "--truth", TRUTH)
    assert "one file" in complaint(capsys, EDGE, "--out", "a", "--truth", TRUTH, "--truth-out", "a")
    assert "is no JSON" in complaint(
        capsys, EDGE, "--out", tmp_path / "c", "--truth", bad, "--truth-out", tmp_path / "d"
    )
    assert not (tmp_path / "d").exists()
