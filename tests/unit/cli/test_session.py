"""`keel-ref session` as its user meets it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from keel_ref.cli import main
from keel_ref.resources import spec_folder
from tests.unit.session.sessions import Writer, as_line

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"
NAMES = sorted(path.stem for path in SESSIONS.glob("*.jsonl"))
THRICE = SESSIONS / "auto-compact-thrice.jsonl"
SCHEMA = Draft202012Validator(json.loads((spec_folder() / "schema" / "session-report.json").read_bytes()))
EVIL = "\x1b[31m\u202e\x07</script>\u2028\x9b\x7f"


def said(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = 0) -> str:
    """What the verb prints."""
    assert code == main(["session", *map(str, words)])
    return capsys.readouterr().out


def answers(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = 0) -> list[dict[str, Any]]:
    """The JSON answers, each of which keeps to the schema."""
    found = [json.loads(line) for line in said(capsys, "--json", *words, code=code).splitlines()]

    assert [] == [f"{error.json_path}: {error.message}" for one in found for error in SCHEMA.iter_errors(one)]
    return found


def plant(folder: Path, writer: Writer) -> Path:
    """A session file."""
    path = folder / "s.jsonl"
    path.write_bytes(b"".join(writer.lines()))
    return path


def long_session(count: int = 400) -> Writer:
    """A session with all that a report can hold."""
    writer = Writer()
    context = 20_000
    for turn in range(count):
        if turn % 5 == 0:
            writer.say(f"turn {turn}")
            writer.attach("todo_reminder", content="do not forget " * 30)
        writer.answer(context, read=context // 2, write=1_000, output=300, call="Read")
        writer.result("y" * 4_000)
        context += 2_300
        if context > 168_000:
            writer.compact(context, trigger="manual" if turn % 2 else "auto")
            context = 20_000
    return writer


@pytest.mark.parametrize("name", NAMES)
def test_every_report_keeps_to_the_schema(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each recorded session, in its own window and in one that is given."""
    own, given = (
        answers(capsys, SESSIONS / f"{name}.jsonl")[0],
        answers(capsys, SESSIONS / f"{name}.jsonl", "--window", "50000", "--env", "DISABLE_AUTO_COMPACT=1"),
    )

    assert own["responses"] == [
        {**one, "state": old["state"], "expected": old["expected"]}
        for one, old in zip(given[0]["responses"], own["responses"], strict=True)
    ]


def test_a_report_of_everything_keeps_to_the_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With compactions of both kinds, cache drops, repeats and attachments."""
    (found,) = answers(capsys, plant(tmp_path, long_session()), "--window", "150000")

    assert [] == [key for key in ("compactions", "repeats", "differences") if not found[key]]
    assert found["cache"]["drops"]


def test_the_answer_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence, then the limits, then the picture."""
    lines = said(capsys, THRICE).splitlines()

    assert f"{THRICE}: compacted 3 times; now at 102 % of auto-compact; the next request ends the session" == lines[0]
    assert "window 200,000 (as the record has it)" in lines[1]
    assert any("auto 167k" in line for line in lines)


def test_events_have_lines_and_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    """Each compaction with its line, its sizes and why."""
    text = said(capsys, THRICE)
    words = " ".join(text.split())

    assert 3 == words.count("170,006 → 1,000 tokens; 170,006 tokens had reached the threshold of 167,000")
    assert ["11", "21", "33", "39"] == [line.split()[1] for line in text.splitlines() if line.startswith("  line")]


def test_ascii_is_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    """For terminals that show nothing else."""
    text = said(capsys, THRICE, "--ascii")

    assert text.isascii()
    assert "####" not in text
    assert "###" in text


@pytest.mark.parametrize("width", [20, 40, 80, 300])
def test_the_picture_fits(
    width: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Into the terminal, whatever the number of responses; a very small one gets the smallest picture."""
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr("keel_ref.cli.session_show._width", lambda: width)
    text = said(capsys, plant(tmp_path, long_session()))
    picture = [line for line in text.splitlines() if "│" in line or "└" in line]

    assert 13 == len(picture)
    assert max(width, 34) >= max(map(len, picture))


def test_every_response_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    """One line each, with what entered."""
    lines = said(capsys, THRICE, "--responses").splitlines()
    start = lines.index("Every response") + 2

    assert 8 == len([line for line in lines[start : lines.index("What comes next") - 1] if line])
    assert "results of tools 89" in lines[start + 1]


def test_the_wrong_sum_beside_the_right_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Only on request."""
    text = said(capsys, THRICE, "--naive")

    assert ["input", "1,195,000", "684,000", "75", "%"] == next(
        line.split() for line in text.splitlines() if line.startswith("  input")
    )
    assert "1,195,000" not in said(capsys, THRICE)


def test_several_files_with_a_broken_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The others are told all the same, and the exit code says that one was not."""
    missing, empty = tmp_path / "missing.jsonl", tmp_path / "empty.jsonl"
    empty.write_bytes(b"")
    found = answers(capsys, THRICE, missing, empty, THRICE, code=2)

    assert [str(THRICE)] * 2 == [one["file"] for one in found]
    main(["session", str(THRICE), str(missing)])
    assert f"{missing}: cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["missing.jsonl"],
        ["."],
        [str(THRICE), "--gate", "nothing=true"],
        [str(THRICE), "--gate", "snip=maybe"],
        [str(THRICE), "--env", "X"],
        [str(THRICE), str(THRICE), "--html", "out.html"],
        [str(THRICE), str(THRICE), "--repair", "out.jsonl"],
        [str(THRICE), "--repair", str(THRICE), "--force"],
        [str(THRICE), "--html", str(THRICE), "--force"],
        [str(THRICE), "--choice", "nothing=else"],
    ],
)
def test_bad_input_is_told(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With code 2, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    before = THRICE.read_bytes()

    assert 2 == main(["session", *words])
    assert ([], before) == (list(tmp_path.iterdir()), THRICE.read_bytes())


def test_a_pipe_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It does not keep anybody waiting."""
    os.mkfifo(tmp_path / "pipe")

    assert 2 == main(["session", str(tmp_path / "pipe")])
    assert "is no regular file" in capsys.readouterr().err


def test_the_doctor_finds_something_or_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """1 where something is wrong, 0 where there are mere notes; each with its line."""
    writer = long_session(3)
    lines = writer.lines()
    lines.insert(2, b"{broken\n")
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"".join(lines))

    assert "line       3  error    broken-line" in said(capsys, path, "--doctor", code=1)
    assert "duplicate-uuid" in said(capsys, THRICE, "--doctor")
    found = json.loads(said(capsys, path, "--doctor", "--json", code=1))
    assert (False, [(3, "broken-line", "error")]) == (
        found["is_sound"],
        [(one["line"], one["reason"], one["level"]) for one in found["findings"]],
    )


def test_a_repair_writes_a_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which has nothing wrong with it; a second one does not take its place unasked."""
    path, out = tmp_path / "s.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(b"{broken\n" + b"".join(long_session(3).lines()))

    assert "1 things mended; nothing is wrong with it" in said(capsys, path, "--repair", out)
    assert "nothing is wrong" in said(capsys, out, "--doctor")
    assert 2 == main(["session", str(path), "--repair", str(out)])
    found = json.loads(said(capsys, path, "--repair", out, "--force", "--json"))
    assert ([{"line": 1, "reason": "broken-line", "remedy": "left out of the copy"}], []) == (
        found["done"],
        found["left"],
    )


def test_a_page_has_the_same_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report stands in it, as `--json` prints it."""
    out = tmp_path / "page.html"
    (found,) = answers(capsys, THRICE, "--html", out)
    page = out.read_text(encoding="utf-8")

    assert "170,006" in page
    assert "the context held 170,006 tokens, at or above the threshold of 167,000" in page
    assert json.dumps(found["responses"][0]["line"]) in page


def evil_session(folder: Path) -> Path:
    """Names and texts that would obey nobody."""
    writer = Writer()
    writer.say(EVIL)
    writer.answer(50_000, call=EVIL, path=f"/{EVIL}", model=EVIL)
    writer.result("z" * 400)
    writer.attach(EVIL, content="w" * 400, path=EVIL)
    writer.attach(EVIL, content="w" * 400, path=EVIL)
    writer.fail(EVIL + "\ud800")
    writer.compact(60_000, trigger=EVIL)
    writer.answer(9_000, model="other" + EVIL)
    return plant(folder, writer)


@pytest.mark.parametrize("more", [[], ["--json"], ["--responses", "--naive"], ["--doctor"], ["--doctor", "--json"]])
def test_no_text_commands_the_terminal(more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Escapes, turned writing and half characters are spelled out."""
    main(["session", str(evil_session(tmp_path)), *more])
    out = capsys.readouterr().out

    assert [] == [char for char in "\x1b\x07\x7f\x9b\u202e\u2028\ud800" if char in out]


@pytest.mark.parametrize(
    "content",
    [
        b"\x00" * 100,
        b"\xff\xfe{}\n",
        b"{}\n" * 50,
        b"null\n",
        b'{"type":"assistant"}\n',
        b'{"type":"user"}',
        b"[" * 5_000,
    ],
)
def test_anything_is_read(content: bytes, tmp_path: Path) -> None:
    """Whatever the bytes: an answer, or a word that it is no session; never a fault of ours."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(content)

    assert main(["session", str(path)]) in {0, 2}
    assert main(["session", str(path), "--json"]) in {0, 2}
    assert main(["session", str(path), "--doctor"]) in {0, 1, 2}
    assert main(["session", str(path), "--repair", str(tmp_path / "out")]) in {0, 1}


def test_a_row_of_nothing_but_bad_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every field of the wrong type."""
    row = {
        "type": "assistant",
        "uuid": 5,
        "parentUuid": [],
        "timestamp": {},
        "requestId": 1.5,
        "message": {
            "id": {},
            "model": 7,
            "content": [None, 3, {"type": 4}, {"type": "tool_use", "input": 3}],
            "usage": 9,
        },
    }
    path = tmp_path / "s.jsonl"
    path.write_bytes(as_line(row) * 3)
    (found,) = answers(capsys, path)

    assert "no response is recorded" == found["answer"]
