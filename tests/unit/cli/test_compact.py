"""`keel-ref compact`: what it says, what it writes, and what it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from keel_ref import estimate_transcript
from keel_ref.adapters.session_file import read_session
from keel_ref.cli import main
from keel_ref.strategies.session_lines import session_files
from tests.adapters.counting_server import CountingServer, counting_server
from tests.adapters.messages_answers import SUMMARY, error, message, too_long

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"
FAILS = SESSIONS / "summary-fails-thrice.jsonl"
Out = pytest.CaptureFixture[str]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[CountingServer]:
    """The server, and a key."""
    for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "CLAUDE_", "DISABLE_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "of-the-test")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with counting_server(otherwise=message(SUMMARY)) as served:
        yield served


def compact(server: CountingServer, session: Path, out: Path, *more: str) -> int:
    """The exit code of a real run."""
    return main(["compact", str(session), "--out", str(out), "--base-url", server.url, *more])


def session_of(path: Path, *reads: Path, broken: bool = False, relative: bool = False) -> Path:
    """A session that has read some files."""
    base = {"sessionId": "s", "cwd": str(path.parent), "timestamp": "2026-11-30T10:52:35.126Z", "isSidechain": False}
    lines: list[Any] = [{**base, "type": "user", "uuid": "u", "message": {"role": "user", "content": "go"}}]
    for number, read in enumerate(reads):
        call = {
            "type": "tool_use",
            "id": f"t{number}",
            "name": "Read",
            "input": {"file_path": read.name if relative else str(read)},
        }
        said: dict[str, Any] = {"id": f"m{number}", "role": "assistant", "model": "a-model", "content": [call]}
        said["usage"] = {"input_tokens": 150_000 + number}
        result = {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": f"t{number}", "content": "as it was"}],
        }
        lines += [
            {**base, "type": "assistant", "uuid": f"a{number}", "message": said},
            {**base, "type": "user", "uuid": f"r{number}", "message": result},
        ]
    texts = [json.dumps(line) for line in lines]
    path.write_text("\n".join([*texts, *(["{torn"] if broken else [])]))
    return path


def test_a_dry_run_says_what_would_happen_and_calls_nobody(server: CountingServer, tmp_path: Path, capsys: Out) -> None:
    """How full it is, what is replaced, which files come back and how; without a key."""
    os.environ.pop("ANTHROPIC_API_KEY")
    for number, (name, held) in enumerate({"small": "as it is", "large": "x" * 30_000, "gone": ""}.items()):
        (tmp_path / name).write_text(held)
        os.utime(tmp_path / name, (number, number))
    session = session_of(
        tmp_path / "s.jsonl", *(tmp_path / name for name in ("small", "large", "gone")), broken=True, relative=True
    )
    (tmp_path / "gone").unlink()
    before = sorted(path.name for path in tmp_path.iterdir())

    code = main(["compact", str(session), "--dry-run"])

    text = capsys.readouterr()
    assert 0 == code
    assert "150,00" in text.out
    assert "named only: too large" in text.out
    assert f"{tmp_path}/small  put back" in text.out
    assert f"{tmp_path}/gone  gone" in text.out
    assert "nobody was called" in text.out
    assert "line 8: no JSON object" in text.err
    assert ([], before) == (server.bodies, sorted(path.name for path in tmp_path.iterdir()))


@pytest.mark.usefixtures("server")
def test_a_dry_run_as_one_object(tmp_path: Path, capsys: Out) -> None:
    """The same for programs; what is kept is told apart from what is replaced."""
    (tmp_path / "small").write_text("as it is")
    session = session_of(tmp_path / "s.jsonl", *[tmp_path / "small"] * 3)

    assert 0 == main(["compact", str(session), "--dry-run", "--json", "--keep", "1", "--window", "100000"])

    found = json.loads(capsys.readouterr().out)
    assert ("keel-compact/1", True, 7, 2, 100_000) == tuple(
        found[key] for key in ("schema", "dry_run", "rows", "kept_rows", "window")
    )
    assert ["results", "media", "compact"] == [one["step"] for one in found["savings"]]
    assert found["kept_tokens"] < found["tokens"]
    assert [{"layer": "restore", "why": "still-shown", "path": f"{tmp_path}/small"}] == found["restored"]


def test_large_results_and_pictures_are_told_apart(
    tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a cheaper step would save is said beside what the summary saves."""
    monkeypatch.delenv("DISABLE_COMPACT", raising=False)
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}}
    rows = [
        {"type": "user", "uuid": "u", "message": {"role": "user", "content": [image, {"type": "text", "text": "see"}]}},
        {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "t", "name": "Grep", "input": {}}]}},
        {
            "type": "user",
            "message": {"content": [{"type": "tool_result", "tool_use_id": "t", "content": "y" * 60_000}]},
        },
    ]
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, rows)))

    assert 0 == main(["compact", str(tmp_path / "s.jsonl"), "--dry-run", "--json"])

    found = {one["step"]: one for one in json.loads(capsys.readouterr().out)["savings"]}
    assert (1, 1) == (found["results"]["things"], found["media"]["things"])
    assert 14_000 < found["results"]["tokens"] < 15_000
    assert 1_900 < found["media"]["tokens"] <= 2_000


def test_a_session_is_compacted_into_a_new_file(server: CountingServer, tmp_path: Path, capsys: Out) -> None:
    """Every old byte, then boundary, summary and files; the old file is as it was; the new one can be read."""
    (tmp_path / "small").write_text("as it is")
    session = session_of(tmp_path / "s.jsonl", tmp_path / "small")
    old, out = session.read_bytes(), tmp_path / "new.jsonl"

    code = compact(server, session, out)

    text = capsys.readouterr()
    assert (0, old) == (code, session.read_bytes())
    assert out.read_bytes().startswith(old + b"\n")
    assert "150,0" in text.out
    assert f"Written to {out}" in text.out
    found = read_session(str(out))
    assert ["system", "user", "attachment"] == [row["role"] for row in found.view.rows]
    assert "Next step" in str(found.view.rows[1])
    assert "thinking it over" not in str(found.view.rows[1])
    assert "as it is" in str(found.view.rows[2])
    assert 1 == estimate_transcript(out).boundaries
    assert ["Read"] == [tool["name"] for tool in server.bodies[0]["tools"]]
    assert "a-model" == server.bodies[0]["model"]
    assert 20_000 == server.bodies[0]["max_tokens"]
    assert sorted(["s.jsonl", "new.jsonl", "small"]) == sorted(path.name for path in tmp_path.iterdir())


def test_a_session_can_be_compacted_again(server: CountingServer, tmp_path: Path, capsys: Out) -> None:
    """The second time the first summary is part of what is replaced, and files that came back come back."""
    (tmp_path / "small").write_text("as it is")
    session = session_of(tmp_path / "s.jsonl", tmp_path / "small")
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"

    assert [0, 0] == [compact(server, session, first), compact(server, first, second, "--keep", "5")]

    assert 2 == estimate_transcript(second).boundaries
    assert "Next step" in str(server.bodies[1]["messages"])
    assert "put back" in capsys.readouterr().out
    assert ["system", "user", "attachment"] == [row["role"] for row in read_session(str(second)).view.rows][:3]


def test_a_tail_is_kept(server: CountingServer, tmp_path: Path, capsys: Out) -> None:
    """The last rounds stand behind the summary under their own names, and what they measured is void."""
    assert 0 == compact(server, FAILS, tmp_path / "new.jsonl", "--keep", "2", "--json")

    done = json.loads(capsys.readouterr().out)
    rows = read_session(str(tmp_path / "new.jsonl")).view.rows
    assert ["system", "user", "assistant", "user", "assistant"] == [row["role"] for row in rows]
    assert [None, None, True, True, True] == [row.get("kept") for row in rows]
    assert ("compacted", 1) == (done["why"], done["calls"])
    assert done["after_tokens"] < 1_000


def test_a_summary_that_lacks_something_is_told(server: CountingServer, tmp_path: Path, capsys: Out) -> None:
    """The file is written; what is missing stands on stderr."""
    server.answers.append(message("all is well"))

    assert 0 == compact(server, FAILS, tmp_path / "new.jsonl")
    assert "keel-ref: the summary has no part 'next step'" in capsys.readouterr().err


def test_one_that_is_too_long_is_asked_again(server: CountingServer, tmp_path: Path, capsys: Out) -> None:
    """And the calls are counted."""
    server.answers += [too_long(), too_long()]

    assert 0 == compact(server, FAILS, tmp_path / "new.jsonl")
    assert "by 3 calls for a summary" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (message(""), "summary-empty"),
        (error(401, "authentication_error", "invalid x-api-key"), "the server answers 401: invalid x-api-key"),
    ],
)
def test_a_failed_attempt_writes_nothing(
    server: CountingServer, tmp_path: Path, capsys: Out, answer: Any, said: str
) -> None:
    """Exit 1, and why."""
    server.answers += [answer, answer]

    assert 1 == compact(server, FAILS, tmp_path / "new.jsonl")

    text = capsys.readouterr()
    assert "Not compacted: no call gave a valid summary" in text.out
    assert said in text.err
    assert [] == list(tmp_path.iterdir())


def test_what_switches_it_off_is_named(
    server: CountingServer, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 1, dry or not, and no call."""
    monkeypatch.setenv("DISABLE_COMPACT", "1")

    assert [1, 1] == [compact(server, FAILS, tmp_path / "n"), main(["compact", str(FAILS), "--dry-run"])]
    assert 2 == capsys.readouterr().out.count("DISABLE_COMPACT switches compaction off")
    assert [] == server.bodies


def test_nothing_to_summarise_is_said(server: CountingServer, tmp_path: Path, capsys: Out) -> None:
    """A session that ends in its boundary."""
    row = {"type": "system", "subtype": "compact_boundary", "uuid": "b"}
    (tmp_path / "s.jsonl").write_text(json.dumps(row))

    assert 1 == main(["compact", str(tmp_path / "s.jsonl"), "--dry-run"])
    assert "nothing to summarise" in capsys.readouterr().out
    assert [] == server.bodies


def test_without_a_key_it_says_what_to_do(
    server: CountingServer, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is read or called."""
    monkeypatch.delenv("ANTHROPIC_API_KEY")

    assert 2 == compact(server, FAILS, tmp_path / "new.jsonl")
    assert (
        "no key: a summary is written by a model; set ANTHROPIC_API_KEY, or give --dry-run" in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{s}"], "--out is missing"),
        (["{s}", "--out", "{s}"], "is the session itself, which is never changed"),
        (["{s}", "--out", "{s}", "--force"], "is the session itself"),
        (["{s}", "--out", "{link}", "--force"], "is the session itself"),
        (["{s}", "--out", "{there}"], "is there already; name another file, or give --force"),
        (["{s}", "--out", "{d}/none/new"], "is no place for a file"),
        (["{s}", "--out", "{d}", "--force"], "is no place for a file"),
        (["{d}/none", "--dry-run"], "cannot be read (No such file"),
        (["{d}", "--dry-run"], "cannot be read (Is a directory)"),
        (["{fifo}", "--dry-run"], "is no regular file"),
        (["{there}", "--dry-run"], "holds no row of a session"),
        (["{s}", "--out", "{d}/new", "--base-url", "x"], "is no address"),
        (["{nobody}", "--out", "{d}/new"], "names a model; say with --model"),
    ],
)
def test_what_cannot_be_done_is_said_before_a_call(
    server: CountingServer, tmp_path: Path, capsys: Out, words: list[str], said: str
) -> None:
    """Exit 2, in one line, and everything is as it was."""
    session = session_of(tmp_path / "s.jsonl", tmp_path / "f")
    (tmp_path / "there").write_text("plain")
    (tmp_path / "link").symlink_to(session)
    os.mkfifo(tmp_path / "fifo")
    session_of(tmp_path / "nobody")
    names = {"s": session, "d": tmp_path} | {name: tmp_path / name for name in ("there", "link", "fifo", "nobody")}
    before = sorted(tmp_path.iterdir())

    code = main(["compact", *(word.format(**names) for word in words)])

    text = capsys.readouterr().err
    assert (2, []) == (code, server.bodies)
    assert said in text
    assert before == sorted(tmp_path.iterdir())
    assert "plain" == (tmp_path / "there").read_text()


def test_force_replaces_a_file(server: CountingServer, tmp_path: Path) -> None:
    """Only when the summary is there."""
    (tmp_path / "new").write_text("plain")
    server.answers += [message(""), message("")]

    assert 1 == compact(server, FAILS, tmp_path / "new", "--force")
    assert "plain" == (tmp_path / "new").read_text()
    assert 0 == compact(server, FAILS, tmp_path / "new", "--force")
    assert 1 == estimate_transcript(tmp_path / "new").boundaries


def test_a_file_that_comes_up_meanwhile_is_not_replaced(server: CountingServer, tmp_path: Path, capsys: Out) -> None:
    """While the summary was written somebody else took the place."""
    out = tmp_path / "new"

    def answer(request: Any, body: dict[str, Any]) -> None:
        out.write_text("somebody's")
        message(SUMMARY)(request, body)

    server.answers.append(answer)

    assert 2 == compact(server, FAILS, out)
    assert "is there already" in capsys.readouterr().err
    assert (["new"], "somebody's") == ([path.name for path in tmp_path.iterdir()], out.read_text())


def test_a_dry_run_does_not_import_the_client() -> None:
    """Nor anything else that is of no use to it."""
    code = (
        "import sys; from keel_ref.cli import main; "
        f"main(['compact', {str(FAILS)!r}, '--dry-run', '--json']); "
        "found = {'anthropic', 'httpx2', 'keel_ref.memory.load', 'asyncio', 'hypothesis'} & {*sys.modules}; "
        "print(sorted(found), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]\n" == ran.stderr


def test_one_that_is_broken_off_writes_nothing(
    server: CountingServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a shell expects of a program that was interrupted."""

    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("keel_ref.adapters.compaction_driver.ask_summary", interrupted)

    assert 130 == compact(server, FAILS, tmp_path / "new.jsonl")
    assert [] == list(tmp_path.iterdir())


def test_a_window_of_another_size(server: CountingServer, tmp_path: Path) -> None:
    """The words of the caller go before the table; the room of the summary is its limit."""
    assert 0 == compact(
        server, FAILS, tmp_path / "new", "--model", "other[1m]", "--max-output", "5000", "--window", "9000"
    )

    assert ("other", 5_000) == (server.bodies[0]["model"], server.bodies[0]["max_tokens"])


def test_settings_that_the_package_refuses_are_said(
    server: CountingServer, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one line, and without a call."""

    def refuse(**_: Any) -> Any:
        raise ValueError("no such\nprofile")

    monkeypatch.setattr("anthropic.Anthropic", refuse)

    assert 2 == compact(server, FAILS, tmp_path / "new")
    assert "anthropic cannot be used (no such profile)" in capsys.readouterr().err


@given(session_files(), st.integers(0, 3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_dry_run_of_anything_is_an_answer(tmp_path: Path, capsys: Out, data: bytes, keep: int) -> None:
    """Any bytes: told, declined or refused, and never a fault of ours."""
    (tmp_path / "s.jsonl").write_bytes(data)

    code = main(["compact", str(tmp_path / "s.jsonl"), "--dry-run", "--json", "--keep", str(keep)])

    text = capsys.readouterr()
    assert code in {0, 1, 2}, text.err
    assert code == 2 or json.loads(text.out)["dry_run"]
