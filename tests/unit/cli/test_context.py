"""`keel-ref context` as its user meets it."""

import io
import json
import os
import re
import sys
import tracemalloc
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from keel_ref.adapters.session_file import read_session
from keel_ref.adapters.session_view import read_view
from keel_ref.cli import main
from keel_ref.cli.context_found import Asked
from keel_ref.cli.context_session import look_at_session
from keel_ref.conformance.marks import clause
from keel_ref.context.message_parts import break_down
from keel_ref.context.recorded import Recorded, recorded_of
from keel_ref.resources import spec_folder
from keel_ref.window.variables import Variable

MODEL = "claude-sonnet-4-5"
FIXTURES = Path(__file__).parents[2] / "fixtures"
FIXTURE = FIXTURES / "reports" / "context.json"
SESSIONS = FIXTURES / "sessions"
SCHEMA = Draft202012Validator(json.loads((spec_folder() / "schema" / "context-report.json").read_bytes()))
READ = {"name": "Read", "description": "Reads a file", "input_schema": {"type": "object"}}
ASK = {"name": "mcp__db__ask", "description": "asks", "defer_loading": True}
REQUEST: dict[str, Any] = {
    "model": MODEL,
    "system": [{"type": "text", "text": "You help.\n# Tone\nShort."}],
    "tools": [READ, ASK],
    "messages": [
        {"role": "user", "content": "Hello there"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Read", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "12345678"}]},
    ],
}


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is set where the tests run shall not matter."""
    for name in Variable:
        monkeypatch.delenv(name, raising=False)


def plant(path: Path, content: Any) -> Path:
    """A file with that text, or with that value as JSON."""
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def said(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    """What the verb prints."""
    assert main(["context", *map(str, words)]) == 0
    return capsys.readouterr().out


def answer(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict[str, Any]:
    """The JSON answer, which keeps to its schema and whose figures add up."""
    found: dict[str, Any] = json.loads(said(capsys, "--json", *words))

    assert [] == [f"{error.json_path}: {error.message}" for error in SCHEMA.iter_errors(found)]
    check_sums(found)
    return found


def check_sums(report: Mapping[str, Any]) -> None:
    """What every report has to hold to."""
    counted = [one for one in report["categories"] if not one["deferred"]]
    tokens = {one["name"]: one["tokens"] for one in report["categories"]}
    squares = [place for row in report["grid"]["rows"] for place in row]
    together = report["total"] + report["free"] + (report["buffer"] or 0)

    assert together == report["window"] or (report["free"] == 0 and together > report["window"])
    assert report["total"] == sum(
        one["tokens"] for one in counted if one["name"] not in {"Free space", "Autocompact buffer"}
    )
    assert tokens["Messages"] == sum(report["messages"].values())
    assert 10 * report["grid"]["columns"] == len(squares)
    assert [one["squares"] for one in report["categories"]] == [
        squares.count(place) for place in range(len(report["categories"]))
    ]


def refused(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    """What is told about a source that cannot be used: one line."""
    code = main(["context", *map(str, words)])
    out, err = capsys.readouterr()

    assert (2, "", 1) == (code, out, err.count("\n"))
    return err


def row(uuid: str, parent: str | None, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    """A row of a session file."""
    about = {"role": kind, "content": content, **more.pop("message", {})}
    return {"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "message": about, **more}


def response(uuid: str, parent: str, content: Any, **usage: int) -> dict[str, Any]:
    """A row of the model with its usage."""
    return row(uuid, parent, "assistant", content, message={"id": uuid, "model": MODEL, "usage": usage})


def session(path: Path, *rows: Mapping[str, Any]) -> Path:
    """A session file."""
    return plant(path, "".join(json.dumps(one) + "\n" for one in rows))


def usual(path: Path) -> Path:
    """A session of two responses: a call with a result of 10,000 characters, and an answer."""
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "x" * 10_000}
    return session(
        path,
        row("a", None, "user", "x" * 400),
        response("b", "a", [call], input_tokens=20_000, output_tokens=10),
        row("c", "b", "user", [result]),
        response("d", "c", [{"type": "text", "text": "done"}], input_tokens=24_000, output_tokens=10),
    )


def test_the_published_example_is_one() -> None:
    """It keeps to the schema, and its figures add up."""
    example = json.loads(FIXTURE.read_bytes())

    assert [] == [error.message for error in SCHEMA.iter_errors(example)]
    check_sums(example)


@clause("CTX-101", "CTX-102", "CTX-103", "CTX-106")
def test_a_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its prompt by section, its tools by server, its messages by kind and by tool."""
    found = answer(capsys, plant(tmp_path / "any.name", REQUEST))

    assert ("request", MODEL) == (found["source"]["kind"], found["model"])
    assert [{"name": "", "tokens": 3}, {"name": "Tone", "tokens": 3}] == found["system_prompt"]
    assert [("Read", None, False, True), ("mcp__db__ask", "db", True, False)] == [
        (one["name"], one["server"], one["deferred"], one["loaded"]) for one in found["tools"]
    ]
    assert {"tool_call": 2, "tool_result": 2, "attachment": 0, "assistant": 0, "user": 3} == found["messages"]
    assert [{"name": "Read", "calls": 1, "call_tokens": 2, "results": 1, "result_tokens": 2}] == found["by_tool"]
    assert (None, None, None) == (found["memory_files"], found["skills"], found["agents"])
    assert {"Memory files", "Skills", "Custom agents"} == {one["what"] for one in found["unknown"]}
    assert (None, 0) == (found["recorded"], found["excess"])


@clause("CTX-103")
@pytest.mark.parametrize(
    "content",
    [
        [{"type": "tool_reference", "tool_name": "mcp__db__ask"}],
        {
            "type": "tool_search_tool_search_result",
            "tool_references": [{"type": "tool_reference", "tool_name": "mcp__db__ask"}],
        },
    ],
)
def test_a_tool_that_was_found_is_loaded(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: Any) -> None:
    """A reference to it in a result, in either form, says that its definition is sent now."""
    block = {"type": "tool_result", "tool_use_id": "t", "content": content}
    body = {**REQUEST, "messages": [*REQUEST["messages"], {"role": "user", "content": [block]}]}
    found = answer(capsys, plant(tmp_path / "r.json", body))

    assert [True, True] == [one["loaded"] for one in found["tools"]]
    assert not any(one["deferred"] for one in found["categories"])


@clause("CTX-107")
def test_a_session(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The record is the total, what cannot be seen is unattributed, and the first growth is told apart."""
    found = answer(capsys, usual(tmp_path / "any.name"))

    assert ("session", MODEL, 24_010) == (found["source"]["kind"], found["model"], found["recorded"])
    assert (24_010, 19_900, 0) == (found["total"], found["first_growth"], found["excess"])
    assert {"tool_call": 5, "tool_result": 2_500, "attachment": 0, "assistant": 1, "user": 100} == found["messages"]
    assert ["Messages", "Unattributed", "Free space", "Autocompact buffer"] == [
        one["name"] for one in found["categories"]
    ]
    assert {"System prompt", "Tools"} <= {one["what"] for one in found["unknown"]}
    assert (None, None) == (found["system_prompt"], found["tools"])


@clause("CTX-107")
def test_a_person_reads_both_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The record beside the estimates, and what of the rest was there at the start."""
    out = said(capsys, usual(tmp_path / "s.jsonl"))

    assert f"{MODEL}: 24,010 of 200,000 tokens (12 %)\n" in out
    assert "  24,010 tokens by the record; the estimates of what can be seen are 2,606\n" in out
    assert "  19,900 of what is not attributed were there at the first response: system prompt and tools\n" in out
    assert "  1,504 came later: by so much the estimates are too low\n" in out
    assert "      2,505  Bash: 1 call, 1 result\n" in out


@clause("CTX-107")
def test_estimates_that_are_too_high_are_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The total is then that of the estimates."""
    rows = [row("a", None, "user", "x" * 4_000), response("b", "a", "done", input_tokens=600, output_tokens=1)]
    path = session(tmp_path / "s.jsonl", *rows)

    assert 400 == answer(capsys, path)["excess"]
    assert "so the estimates are 400 too high, and the total above is theirs\n" in said(capsys, path)


@clause("CTX-105")
def test_what_a_compaction_took_away_is_gone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only what the next turn sees counts; a compaction that the window does not explain is told."""
    about = {"trigger": "auto", "preTokens": 120_000}
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "x", "parentUuid": None, "sessionId": "s"}
    path = session(
        tmp_path / "s.jsonl",
        row("a", None, "user", "x" * 400_000),
        response("b", "a", "done", input_tokens=120_000, output_tokens=1),
        {**boundary, "logicalParentUuid": "b", "compactMetadata": about},
        row("y", "x", "user", "12345678", isCompactSummary=True),
    )
    found = answer(capsys, path)

    assert (2, None, None) == (found["total"], found["recorded"], found["first_growth"])
    assert MODEL == found["model"]
    assert "Window of that session" in {one["what"] for one in found["unknown"]}
    assert "Window of that session" not in {
        one["what"] for one in answer(capsys, path, "--env", "CLAUDE_CODE_AUTO_COMPACT_WINDOW=150000")["unknown"]
    }


@clause("CTX-104")
def test_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each instruction file with its layer; prompt and tools are not known, and said not to be."""
    (tmp_path / "home" / ".claude").mkdir(parents=True)
    (tmp_path / "work").mkdir()
    plant(tmp_path / "home" / ".claude" / "CLAUDE.md", "x" * 40)
    plant(tmp_path / "work" / "CLAUDE.md", "x" * 80)
    found = answer(capsys, tmp_path / "work", "--home", tmp_path / "home")

    assert "folder" == found["source"]["kind"]
    assert [("user", 10), ("project", 20)] == [(one["type"], one["tokens"]) for one in found["memory_files"]]
    assert (30, None, None) == (found["total"], found["system_prompt"], found["tools"])
    assert "         20  " in said(capsys, tmp_path / "work", "--home", tmp_path / "home")


def test_this_folder_is_the_default(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    """Without a word it is the one in which the command was typed."""
    monkeypatch.chdir(tmp_path)
    plant(tmp_path / "CLAUDE.md", "x" * 80)

    assert str(tmp_path / "CLAUDE.md") in [one["path"] for one in answer(capsys)["memory_files"]]


@pytest.mark.parametrize("kind", ["request", "session"])
def test_standard_input(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    """A request or a session, told apart by what it holds."""
    path = plant(tmp_path / "r", REQUEST) if kind == "request" else usual(tmp_path / "s")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))

    assert {"kind": kind, "name": "-"} == answer(capsys, "-")["source"]


@clause("CTX-108", "CTX-109", "CTX-120")
def test_the_options_before_the_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Model, window, output and variables are those of the command line."""
    path = plant(tmp_path / "r.json", REQUEST)
    large = answer(capsys, path, "--model", f"{MODEL}[1m]")
    small = answer(capsys, path, "--window", "100000", "--max-output", "8000")
    off = answer(capsys, path, "--env", "DISABLE_AUTO_COMPACT=1")

    assert (1_000_000, 20, f"{MODEL}[1m]") == (large["window"], large["grid"]["columns"], large["model"])
    assert (100_000, 21_000) == (small["window"], small["buffer"])
    assert (None, False) == (off["buffer"], off["auto_compact"])
    assert [("switched-off", "1")] == [(one["reason"], one["value"]) for one in off["reported"]]


def test_without_a_terminal_there_are_letters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The grid stands beside its legend, all of it in ASCII."""
    out = said(capsys, plant(tmp_path / "r.json", REQUEST))

    assert out.isascii()
    assert "P T C . . . . . . .    P System prompt                    6   <0.1 %\n" in out
    assert 2 == out.count("# # # # # #")


class _Terminal(io.StringIO):
    """A terminal that takes UTF-8."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("variables", "has_colours"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colours_on_a_terminal_that_wants_them(
    variables: dict[str, str], has_colours: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Squares in colour; letters where NO_COLOR or a simple terminal forbids it."""
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COLUMNS", "100")
    screen = _Terminal()
    monkeypatch.setattr(sys, "stdout", screen)

    assert 0 == main(["context", str(plant(tmp_path / "r.json", REQUEST))])
    assert has_colours == ("\033[" in screen.getvalue())
    assert has_colours == ("\N{BLACK SQUARE}" in screen.getvalue())


def test_a_narrow_terminal_has_the_legend_below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No line is longer than the terminal is wide."""
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setenv("NO_COLOR", "1")
    screen = _Terminal()
    monkeypatch.setattr(sys, "stdout", screen)

    assert 0 == main(["context", str(plant(tmp_path / "r.json", REQUEST))])
    assert "P T C . . . . . . .\n" in screen.getvalue()
    assert "\nP System prompt                    6   <0.1 %\n" in screen.getvalue()


def test_what_others_wrote_moves_no_cursor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names of tools and headings are anybody's text."""
    body = {**REQUEST, "system": "# a\033[2Jb", "tools": [{"name": "x\033[2Jy\u202e"}], "model": "m\033[2J"}
    path = plant(tmp_path / "r.json", body)

    assert not re.search("[\033\u202e]", said(capsys, path))
    assert not re.search("[\033\u202e]", said(capsys, path, "--json"))


def test_lone_surrogates_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A half of a pair in a name stops neither form."""
    path = plant(tmp_path / "r.json", {**REQUEST, "tools": [{"name": "\ud800"}], "system": "# \ud800"})

    assert ["\ud800"] == [one["name"] for one in answer(capsys, path)["tools"]]
    assert "\\ud800" in said(capsys, path)


def test_a_long_list_says_what_it_leaves_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The largest rows, and the sum of the others; JSON has all."""
    tools = [{"name": f"tool-{number:02}", "description": "x" * 4 * number} for number in range(30)]
    path = plant(tmp_path / "r.json", {**REQUEST, "tools": tools})

    assert "tool-29" in said(capsys, path)
    assert re.search(r" in 18 more \(--json has all\)\n", said(capsys, path))
    assert 30 == len(answer(capsys, path)["tools"])


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "holds nothing"),
        ("hello", "is neither a session nor JSON"),
        ("{", "is neither a session nor JSON"),
        ("[]", "is no request"),
        ('{"messages": {}}', "is no request"),
        ('{"messages": [], "tools": {}}', "tools is no list"),
        ('{"messages": [], "tools": [1]}', "tools[0] has no name"),
        ('{"messages": [], "system": 7}', "system is no list"),
        ('{"messages": [], "system": [{"type": "image"}]}', "system[0] is no block of text"),
        ("[" * 300, "is neither a session nor JSON"),
    ],
)
def test_what_is_no_source(content: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Told in one line that names the file and says what it is."""
    path = plant(tmp_path / "f.json", content)
    told = refused(capsys, path)

    assert told.startswith(f"keel-ref: {path}: ")
    assert problem in told


def test_what_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    """A name that leads nowhere, an empty one, a pipe, bytes that are no text, and a terminal as standard input."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "bytes").write_bytes(b'{"\xff": 1}')
    monkeypatch.setattr(sys, "stdin", _Terminal())

    assert "cannot be read (No such file or directory)" in refused(capsys, tmp_path / "none")
    assert "the name is empty" in refused(capsys, "")
    assert "is no regular file" in refused(capsys, tmp_path / "pipe")
    assert "is not UTF-8 at byte 2" in refused(capsys, tmp_path / "bytes")
    assert "nothing is sent there" in refused(capsys, "-")


def attachment(uuid: str, parent: str | None, **about: Any) -> dict[str, Any]:
    """An attachment row of a session file."""
    return {"type": "attachment", "uuid": uuid, "parentUuid": parent, "sessionId": "s", "attachment": about}


@clause("CTX-104", "CTX-107")
def test_memory_and_skills_that_the_record_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The last list of instructions, each nested file, the listing of skills; what is left is unattributed."""
    files = [{"type": "User", "path": "/h/CLAUDE.md", "content": "x" * 40}]
    nested = {"type": "Project", "path": "/r/rules/a.md", "content": "x" * 16}
    found = answer(
        capsys,
        session(
            tmp_path / "s.jsonl",
            attachment("i", None, type="instructions", files=[{"path": "/old.md", "type": "User", "content": "x"}]),
            attachment("j", "i", type="instructions", files=[*files, {"path": "/r/CLAUDE.md", "content": 7}]),
            attachment("k", "j", type="skill_listing", content="x" * 20),
            row("a", "k", "user", "x" * 400),
            response("b", "a", "done", input_tokens=1_000, output_tokens=1),
            attachment("n", "b", type="nested_memory", path="/r/rules/a.md", content=nested),
            attachment("o", "n", type="nested_memory", path="/r/rules/b.md", content="x" * 8),
            attachment("p", "o", type="hook_success", content="ok"),
        ),
    )

    assert [("/h/CLAUDE.md", "user", 10), ("/r/rules/a.md", "project", 4), ("/r/rules/b.md", "unknown", 2)] == [
        (one["path"], one["type"], one["tokens"]) for one in found["memory_files"]
    ]
    assert [5] == [one["tokens"] for one in found["skills"]]
    assert 1_000 - 100 - 10 - 5 == found["first_growth"]
    assert {"Attachments (hook_success)", "Attachments (a memory file without path or text)"} <= {
        one["what"] for one in found["unknown"]
    }


def test_a_session_with_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Broken lines are told with the first of them, odd content with its reason; nothing stops."""
    good = usual(tmp_path / "s.jsonl").read_text(encoding="utf-8")
    odd = row("z", "d", "user", [7])
    path = plant(tmp_path / "t.jsonl", f"{good}not json\n{json.dumps(odd)}\n{{")
    out = said(capsys, path)

    assert "2 lines are no JSON objects and are left out; the first is line 5.\n" in out
    assert "  bad-block: 1 time\n" in out


def test_the_model_before_the_boundary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is that of the last answer, and no line that merely says the word."""
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "x", "sessionId": "s"}
    path = session(
        tmp_path / "s.jsonl",
        response("b", "a", "done", input_tokens=1, output_tokens=1),
        {"type": "note", "model": "other"},
        boundary,
        row("c", "x", "user", "hello"),
        boundary,
    )

    assert (MODEL, {"tool_call": 0, "tool_result": 0, "attachment": 0, "assistant": 0, "user": 1}) == (
        (found := answer(capsys, path))["model"],
        found["messages"],
    )


@clause("CTX-105")
def test_a_large_session_is_read_in_little_memory(tmp_path: Path) -> None:
    """Twenty megabytes of results take a fraction of that: no text is kept."""
    path = tmp_path / "s.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(2_000):
            result = {"type": "tool_result", "tool_use_id": "t", "content": "x" * 10_000}
            file.write(json.dumps(row(f"u{number}", None, "user", [result])) + "\n")
    tracemalloc.start()
    found = look_at_session(Asked(source=str(path)), str(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert 2_000 * 2_500 == found.holdings.messages.tool_result
    assert peak < 4_000_000


@clause("CTX-105", "CTX-107")
@pytest.mark.parametrize("path", sorted(SESSIONS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_reading_in_pieces_changes_nothing(path: Path) -> None:
    """What is measured row by row is what the rows measure as a list, and the record is the same."""
    found = look_at_session(Asked(source=str(path)), str(path))
    rows = read_session(str(path)).view.rows
    broken_down, reported = break_down(rows)
    recorded = recorded_of(rows)

    assert broken_down.parts() == found.holdings.messages
    assert (broken_down.tools(), broken_down.attachments()) == (found.tools, found.attachments)
    assert recorded == Recorded(tokens=found.holdings.recorded, first_growth=found.first_growth)
    assert [one.as_object() for one in reported] == found.reported


def test_progress_is_told_to_the_last_byte(tmp_path: Path) -> None:
    """In steps, whether there is a boundary or not."""
    path = tmp_path / "s.jsonl"
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "x", "sessionId": "s"}
    session(path, row("a", None, "user", "x" * 6_000_000), boundary, row("b", "x", "user", "y" * 9_000_000))
    told: list[int] = []
    read_view(str(path), on_bytes=told.append)

    assert path.stat().st_size == sum(told)
    assert 6_000_000 < told[0] < 6_001_000


@clause("CTX-105")
def test_what_somebody_went_back_from_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A prompt that was written anew takes the place of the first one, with all that followed it."""
    path = session(
        tmp_path / "s.jsonl",
        row("a", None, "user", "x" * 40),
        response("b", "a", "x" * 4, input_tokens=10, output_tokens=1),
        row("c", "b", "user", "x" * 4_000),
        response("d", "c", "x" * 4, input_tokens=1_010, output_tokens=1),
        row("e", "b", "user", "x" * 8),
        response("f", "e", "x" * 4, input_tokens=15, output_tokens=1),
    )
    found = answer(capsys, path)

    assert {"tool_call": 0, "tool_result": 0, "attachment": 0, "assistant": 2, "user": 12} == found["messages"]
    assert 16 == found["recorded"]
    assert "2 rows of branches that somebody went back from are left out.\n" in said(capsys, path)
