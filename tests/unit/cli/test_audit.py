"""`keel-ref audit` as its user meets it."""

import io
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from keel_ref.audit.finding import CHECKS
from keel_ref.cli import main
from keel_ref.cli.audit_sarif import as_uri
from keel_ref.conformance.clauses import load_clauses
from keel_ref.resources import spec_folder
from keel_ref.window.variables import Variable
from tests.unit.audit.planted import Session, clean
from tests.unit.audit.test_checks import PLANTED, no_summary, repeated

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"
SCHEMA = Draft202012Validator(json.loads((spec_folder() / "schema" / "audit-report.json").read_bytes()))
LEVELS = {"error", "warning", "note", "none"}
"""What SARIF 2.1.0 knows (3.27.10)."""


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Variable:
        monkeypatch.delenv(name, raising=False)


def written(folder: Path, session: Session, name: str = "s.jsonl") -> str:
    """The path of a file with that session."""
    path = folder / name
    path.write_bytes(b"".join(session.lines()))
    return str(path)


def report(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What `--json` prints, which follows the schema."""
    main(["audit", *words, "--json"])
    value: dict[str, Any] = json.loads(capsys.readouterr().out)
    SCHEMA.validate(value)
    return value


def sarif(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """The run that `--sarif` prints."""
    main(["audit", *words, "--sarif"])
    log = json.loads(capsys.readouterr().out)
    assert {"$schema", "version", "runs"} == set(log)
    assert "2.1.0" == log["version"]
    (run,) = log["runs"]
    found: dict[str, Any] = run
    return found


FIXTURES = {
    "auto-compact-thrice": [("A12", "warning", 11), ("A14", "warning", 17)],
    "compact-above-blocking": [("A5", "error", 4)],
    "eight-parallel-results": [("A3", "warning", 12)],
    "persisted-result": [],
    "restore-size-edge": [("A14", "warning", 14)],
    "resumed-next-day": [],
    "seven-files-read-then-compact": [("A14", "warning", 18)],
    "summary-always-too-long": [("A14", "warning", 20)],
    "summary-fails-thrice": [("A5", "warning", 4)],
    "summary-too-long-then-compacts": [("A14", "warning", 14)],
}
"""What is found in the sessions that the released client wrote, whose use was scripted."""


@pytest.mark.parametrize("name", sorted(path.stem for path in SESSIONS.glob("*.jsonl")))
def test_sessions_of_the_client(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In a window of 200,000; only rows that stand there twice are left out."""
    (found,) = report(capsys, str(SESSIONS / f"{name}.jsonl"), "--window", "200000")["recordings"]

    assert FIXTURES[name] == [(one["check"], one["level"], one["line"]) for one in found["findings"]]
    assert {"duplicate-uuid"} >= set(found["left_out"]["reasons"])


def test_shares_are_of_a_thousand_and_the_largest_first(capsys: pytest.CaptureFixture[str]) -> None:
    """At the peak they add up to its tokens."""
    (found,) = report(capsys, str(SESSIONS / "seven-files-read-then-compact.jsonl"))["recordings"]
    shares = found["at_peak"]

    assert ["not attributed", "results of Read"] == [share["source"] for share in shares[:2]]
    assert [680, 319] == [share["per_mille"] for share in shares[:2]]
    assert found["peak"] == {"line": 18, "tokens": sum(share["tokens"] for share in shares), "recorded": 170_000}


@pytest.mark.parametrize(
    ("session", "level", "code"),
    [
        (clean(), "note", 0),
        (repeated(), "error", 0),
        (repeated(), "warning", 1),
        (repeated(), "note", 1),
        (no_summary(), "error", 1),
    ],
)
def test_the_exit_code_is_for_scripts(session: Session, level: str, code: int, tmp_path: Path) -> None:
    """1 from the level on that `--fail-on` names; without it what is found fails nothing."""
    path = written(tmp_path, session)

    assert code == main(["audit", path, "--fail-on", level])
    assert 0 == main(["audit", path])


def test_one_bad_recording_of_many_fails_all(tmp_path: Path) -> None:
    """The order does not matter."""
    good, bad = written(tmp_path, clean(), "a.jsonl"), written(tmp_path, no_summary(), "b.jsonl")

    assert 1 == main(["audit", bad, good, "--fail-on", "error"])
    assert 1 == main(["audit", good, bad, "--fail-on", "error"])


def test_what_a_person_reads(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Shares, then what was found with its line, then what to do."""
    main(["audit", written(tmp_path, no_summary())])
    out = capsys.readouterr().out

    assert "Whose the window was at the peak" in out
    assert "  error    A10  line 3: a compaction left no summary before the next answer (line 5)" in out
    assert "  A10  (P-3) put a summary behind the boundary" in out
    assert out.index("Whose") < out.index("Found: 1 error, 0 warnings, 0 notes") < out.index("What to do")


def test_estimates_above_the_record_are_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The total is theirs, as that of a report by category, and the record stands beside it."""
    main(["audit", written(tmp_path, Session().prompt("x" * 4_000).answer(used=400))])

    assert "(line 2; 400 were recorded, so the estimates are too high)" in capsys.readouterr().out


def test_every_plant_is_valid_sarif(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A result names a rule that is there, a level, a text, and a place with a line (3.27, 3.28, 3.30)."""
    paths = [written(tmp_path, plant(), f"{number}.jsonl") for number, (plant, _) in enumerate(PLANTED)]
    run = sarif(capsys, *paths)
    rules = run["tool"]["driver"]["rules"]

    assert list(CHECKS) == [rule["id"] for rule in rules]
    assert [] == [rule for rule in rules if not rule["shortDescription"]["text"].endswith(".")]
    assert list(CHECKS) == [result["ruleId"] for result in run["results"]]
    for result in run["results"]:
        (place,) = result["locations"]
        assert result["ruleId"] == rules[result["ruleIndex"]]["id"]
        assert result["level"] in LEVELS
        assert result["message"]["text"]
        assert place["physicalLocation"]["artifactLocation"]["uri"].startswith("file:///")
        assert place["physicalLocation"]["region"]["startLine"] >= 1
        ids = [related["id"] for related in result.get("relatedLocations", [])]
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("a/b c.jsonl", "a/b%20c.jsonl"),
        ("/r/ä%.jsonl", "file:///r/%C3%A4%25.jsonl"),
        ("c:d.jsonl", "./c%3Ad.jsonl"),
        ("-", "stdin"),
        (os.fsdecode(b"\xff.jsonl"), "%FF.jsonl"),
    ],
)
def test_a_name_is_a_uri(name: str, uri: str) -> None:
    """Such that no name is taken for a scheme, and each is escaped."""

    assert uri == as_uri(name)
    assert re.fullmatch(r"[A-Za-z0-9._~:/%-]+", as_uri(name))


def test_checks_name_clauses_that_are_there() -> None:
    """And a principle of the five."""
    clauses = load_clauses(spec_folder())

    assert [] == [name for check in CHECKS.values() for name in check.clauses if name not in clauses]
    assert {"P-1", "P-2", "P-3", "P-4", "P-5"} == {check.principle for check in CHECKS.values()}


def test_the_guide_has_every_check() -> None:
    """With its principle and its clauses, and a word on what it cannot tell."""
    guide = (spec_folder() / "guides" / "audit.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in guide.splitlines() if line.startswith("| A")]
    shown = [[check.name, check.principle, ", ".join(check.clauses)] for check in CHECKS.values()]

    assert shown == [row[:3] for row in rows if len(row) == 6]
    assert list(CHECKS) == [row[0] for row in rows if len(row) == 2]


REQUEST = """{"model": "claude-sonnet-4-5", "system": [{"type": "text", "text": "You help."}],
 "tools": [{"name": "Bash", "description": "[{", "input_schema": {}}],
 "messages": [{"role": "user", "content": "hi"},
  {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "]"}}]},

  {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "RESULT"}]}
 ], "max_tokens": 1}"""


def test_a_request_has_lines_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A message stands where it begins, whatever its texts hold."""
    path = tmp_path / "request.json"
    path.write_text(REQUEST.replace("RESULT", "x" * 30_001), encoding="utf-8")
    (found,) = report(capsys, str(path))["recordings"]

    assert [("A2", "warning", 6)] == [(one["check"], one["level"], one["line"]) for one in found["findings"]]
    assert {"line": None, "tokens": 7_521, "recorded": None} == found["peak"]
    assert {"the system prompt", "definitions of tools"} < {share["source"] for share in found["at_peak"]}


def test_standard_input_is_read(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the name `-`."""
    stream = io.TextIOWrapper(io.BytesIO(b"".join(no_summary().lines())))
    monkeypatch.setattr(sys, "stdin", stream)
    (found,) = report(capsys, "-")["recordings"]

    assert ("-", "A10") == (found["file"], found["findings"][0]["check"])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "holds nothing"),
        (b"\n\n", "holds nothing"),
        (b"hello", "neither a session nor JSON"),
        (b"[1]", "is no request"),
        (b'{"messages": 1}', "is no request"),
        (b"\xff\xfe{", "is not UTF-8 at byte 0"),
    ],
)
def test_what_is_neither_is_refused(
    data: bytes, words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With 2, and words that say what to name."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)

    assert 2 == main(["audit", str(path)])
    assert words in capsys.readouterr().err


def test_what_is_no_file_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A folder, a pipe with nobody at its other end, and nothing."""
    os.mkfifo(tmp_path / "pipe")

    assert [2, 2, 2, 2] == [main(["audit", name]) for name in (str(tmp_path), str(tmp_path / "pipe"), "/no/such", "")]
    assert "no regular file" in capsys.readouterr().err


def test_a_window_that_the_record_contradicts_is_assumed(capsys: pytest.CaptureFixture[str]) -> None:
    """A compaction at 170,006 cannot be that of a window of 1,000,000."""
    (found,) = report(capsys, str(SESSIONS / "auto-compact-thrice.jsonl"))["recordings"]

    assert (1_000_000, False) == (found["window"], found["window_known"])


def test_equal_input_gives_equal_bytes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """In every form."""
    path = written(tmp_path, repeated())
    outs = []
    for _ in range(2):
        for form in ([], ["--json"], ["--sarif"]):
            main(["audit", path, *form])
        outs.append(capsys.readouterr().out)

    assert outs[0] == outs[1]
