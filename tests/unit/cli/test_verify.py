"""`keel-ref verify` as its user meets it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from keel_ref.cli import main
from keel_ref.resources import spec_folder

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"
NAMES = sorted(path.stem for path in SESSIONS.glob("*.jsonl"))
EDGE = SESSIONS / "restore-size-edge.jsonl"
SCHEMA = Draft202012Validator(json.loads((spec_folder() / "schema" / "verify-report.json").read_bytes()))
Capture = pytest.CaptureFixture[str]


def plant(path: Path, *lines: Any) -> Path:
    """A file of these lines, given as values or as text."""
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def answer(capsys: Capture, code: int, *words: str | Path) -> dict[str, Any]:
    """The JSON answer, which keeps to its schema and whose verdicts add up."""
    assert code == main(["verify", "--json", *map(str, words)])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)

    assert [] == [f"{error.json_path}: {error.message}" for error in SCHEMA.iter_errors(found)]
    assert len(found["findings"]) == sum(found["verdicts"].values())
    return found


def complaint(capsys: Capture, *words: str | Path) -> str:
    """What is said of wrong usage."""
    assert main(["verify", *map(str, words)]) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("name", NAMES)
def test_every_recorded_session_is_exact(name: str, capsys: Capture) -> None:
    """With what was seen, and without it, as far as it is known."""
    path = SESSIONS / f"{name}.jsonl"
    seen = answer(capsys, 0, path, "--truth", path.with_suffix(".truth.json"))
    alone = answer(capsys, 0, path)

    assert len(seen["findings"]) == seen["verdicts"]["exact"]
    assert 0 == alone["verdicts"]["differs"]


def test_a_difference_ends_with_one(capsys: Capture) -> None:
    """In a window that cannot have been, by the clause of the threshold, in both forms of the answer."""
    found = answer(capsys, 1, EDGE, "--window", "1000000")
    assert main(["verify", str(EDGE), "--window", "1000000"]) == 1

    assert ["WIN-013"] == [one["clause"] for one in found["findings"] if one["verdict"] == "differs"]
    assert "differs  threshold at boundary 1" in capsys.readouterr().out


def test_the_text_stands_side_by_side(capsys: Capture) -> None:
    """Predicted and recorded in one line, and below the table why something is unknown."""
    assert main(["verify", str(EDGE)]) == 0
    lines = capsys.readouterr().out.splitlines()

    assert any(line.split()[:7] == ["exact", "tokens", "at", "boundary", "1", "170,006", "170,006"] for line in lines)
    assert any(line.startswith("unknown: the record does not say what was put back") for line in lines)


def test_no_variable_of_ours_counts(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The session ran elsewhere; only what is said counts."""
    monkeypatch.setenv("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "1")

    assert 167_000 == answer(capsys, 0, EDGE)["window"]["auto"]
    assert (
        1_800
        == answer(capsys, 0, EDGE, "--env", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=1", "--window", "200000")["window"]["auto"]
    )


def test_instruction_files_are_those_that_load(capsys: Capture, tmp_path: Path) -> None:
    """Listed and loading: exact; a layer, a file too many or too few: a difference; without a folder: unknown."""
    for name in ("CLAUDE.md", "sub/CLAUDE.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("Words.\n", encoding="utf-8")
    read = {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": str(tmp_path / "sub/a.py")}}
    listed = [{"path": str(tmp_path / "CLAUDE.md"), "type": "Project", "content": "Words.\n"}]
    nested = {"type": "nested_memory", "path": str(tmp_path / "sub/CLAUDE.md"), "content": {"type": "Project"}}

    def session(files: Any) -> Path:
        return plant(
            tmp_path / "s.jsonl",
            {"type": "attachment", "attachment": {"type": "instructions", "files": files}},
            {"type": "assistant", "message": {"id": "m", "content": [read]}},
            {"type": "attachment", "attachment": nested},
        )

    right = answer(capsys, 0, session(listed), "--cwd", tmp_path)
    wrong = answer(capsys, 1, session([{**listed[0], "type": "Local"}]), "--cwd", tmp_path)
    lost = answer(capsys, 1, session([]), "--cwd", tmp_path)
    alone = answer(capsys, 0, session(listed))

    def verdicts(found: dict[str, Any]) -> list[str]:
        return [one["verdict"] for one in found["findings"] if one["rule"] == "V6"]

    assert ["exact", "exact"] == verdicts(right)
    assert ["differs", "exact"] == verdicts(wrong)
    assert ["differs", "exact"] == verdicts(lost)
    assert ["unknown", "unknown"] == verdicts(alone)


def test_a_record_that_says_what_came_back_needs_no_truth(capsys: Capture, tmp_path: Path) -> None:
    """Newer clients write attachments behind the boundary: the files and their manner, in any order without times."""
    lines = [json.loads(line) for line in EDGE.read_bytes().splitlines()]
    texts = {
        line["toolUseResult"]["file"]["filePath"]: line["toolUseResult"]["file"]["content"]
        for line in lines
        if isinstance(line.get("toolUseResult"), dict) and "file" in line["toolUseResult"]
    }

    def attachment(number: int) -> dict[str, Any]:
        path = f"/home/u/proj/f{number}.txt"
        shown = {"type": "file", "filename": path, "content": {"type": "text", "file": {"content": texts[path]}}}
        about = {"type": "compact_file_reference", "filename": path} if number == 4 else shown
        return {"type": "attachment", "uuid": f"x{number}", "attachment": about}

    summary = next(place for place, line in enumerate(lines) if line.get("isCompactSummary"))

    def session(*numbers: int) -> Path:
        put = [attachment(number) for number in numbers]
        return plant(tmp_path / "s.jsonl", *lines[: summary + 1], *put, *lines[summary + 1 :])

    times = plant(
        tmp_path / "times.json", {"mtimes_ns": json.loads(EDGE.with_suffix(".truth.json").read_text())["mtimes_ns"]}
    )

    assert 5 == sum(one["rule"] == "V5" for one in answer(capsys, 0, session(0, 1, 2, 3, 4))["findings"])
    assert 1 == answer(capsys, 1, session(0, 1, 2, 3))["verdicts"]["differs"]
    assert 0 == answer(capsys, 0, session(4, 2, 0, 1, 3), "--truth", times)["verdicts"]["unknown"]
    assert 2 == answer(capsys, 1, session(4, 0, 2, 1, 3), "--truth", times)["verdicts"]["differs"]


@pytest.mark.parametrize("lines", [[], ["x"], ["[]", "5", "null"], ['{"type":"summary","summary":"s"}']])
def test_a_file_without_a_row_is_refused(lines: list[str], tmp_path: Path, capsys: Capture) -> None:
    """It holds no session."""

    assert "holds no row of a session" in complaint(capsys, plant(tmp_path / "s.jsonl", *lines))


def test_bad_input_is_told(tmp_path: Path, capsys: Capture) -> None:
    """Each with the word that is wrong."""
    os.mkfifo(tmp_path / "pipe")
    bad = plant(tmp_path / "bad.json", "{")
    deep = plant(tmp_path / "deep.json", "[" * 100_000)

    assert "cannot be read" in complaint(capsys, tmp_path / "none.jsonl")
    assert "no regular file" in complaint(capsys, tmp_path / "pipe")
    assert "is no JSON" in complaint(capsys, EDGE, "--truth", bad)
    assert "nested too deeply" in complaint(capsys, EDGE, "--truth", deep)
    assert "is no JSON object" in complaint(capsys, EDGE, "--truth", plant(tmp_path / "list.json", []))
    assert "there is none of that name" in complaint(capsys, EDGE, "--gate", "x=true")
    assert "write true or false" in complaint(capsys, EDGE, "--gate", "reactive=1")
    assert "--home belongs to --cwd" in complaint(capsys, EDGE, "--home", tmp_path)
    assert "name an existing folder" in complaint(capsys, EDGE, "--cwd", tmp_path / "none")


def test_broken_lines_and_odd_names_do_no_harm(tmp_path: Path, capsys: Capture) -> None:
    """A cut line, foreign values and a name that moves the cursor: counted, left out, and spelled out."""
    name = tmp_path / "a\x1b[31m.jsonl"
    plant(name, *EDGE.read_text(encoding="utf-8").splitlines(), "5", "null", '{"type":"user","uu')
    found = answer(capsys, 0, name)
    assert main(["verify", str(name)]) == 0

    assert [21, 22, 23] == found["broken"]
    assert "\x1b" not in capsys.readouterr().out
