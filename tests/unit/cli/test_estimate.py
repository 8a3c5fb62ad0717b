"""`keel-ref estimate` as its user meets it."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref import estimate_messages, estimate_text, estimate_transcript
from keel_ref.cli import estimate_count, estimate_input, main, progress
from keel_ref.cli.estimate_input import Source, chunks, pieces
from keel_ref.cli.utf8_pieces import Utf8Pieces
from keel_ref.conformance.marks import clause
from keel_ref.text import utf8_form
from keel_ref.tokens import FAMILIES

ROW = '{"type":"user","message":{"role":"user","content":"12345678"}}'
BOUNDARY = '{"type":"system","subtype":"compact_boundary"}'
FFFD = "\ufffd".encode()
KEYS = ["path", "kind", "bytes", "not_utf8", "tokens", "method", "family", "reported"]


def answer(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = 0) -> dict[str, Any]:
    """The JSON answer for these words."""
    assert code == main(["estimate", "--json", *map(str, words)])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def spoken(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    """Exit code, stdout and stderr."""
    code = main(["estimate", *map(str, words)])
    output = capsys.readouterr()
    return code, output.out, output.err


def plant(path: Path, content: str | bytes) -> Path:
    """A file with that content."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> io.BytesIO:
    """Standard input that is no terminal; what is put into it is read from its beginning."""
    buffer = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(buffer, encoding="utf-8"))
    return buffer


@clause("EST-001", "EST-031")
def test_the_json_has_the_published_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object of schema keel-estimate/1, an entry for each file and method, and the totals by method."""
    path = plant(tmp_path / "a.md", "hello, 世界\n")
    found = answer(capsys, "--method", "both", path)

    assert ["schema", "files", "total", "errors"] == list(found)
    assert "keel-estimate/1" == found["schema"]
    assert [KEYS, KEYS] == [list(entry) for entry in found["files"]]
    assert [("bound", "any"), ("documented", None)] == [(entry["method"], entry["family"]) for entry in found["files"]]
    assert [(str(path), "text", 14, [])] * 2 == [
        (entry["path"], entry["kind"], entry["bytes"], entry["reported"]) for entry in found["files"]
    ]
    assert {"bound": estimate_text("hello, 世界\n"), "documented": 3} == found["total"]


@clause("EST-003")
@pytest.mark.parametrize(
    ("name", "kind", "tokens"),
    [
        ("a.json", "json", 4),
        ("a.JSONC", "json", 4),
        ("a.jsonl", "json", 4),
        ("a.json5", "text", 2),
        ("json", "text", 2),
    ],
)
def test_the_extension_decides_the_ratio(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, kind: str, tokens: int
) -> None:
    """Two units a token for files of JSON, four for all others."""
    (entry,) = answer(capsys, "--method", "documented", plant(tmp_path / name, "1234567"))["files"]

    assert (kind, tokens) == (entry["kind"], entry["tokens"])


@clause("EST-003")
def test_the_kind_can_be_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--as` wins over the name, both ways."""
    path = plant(tmp_path / "a.json", "1234567")

    assert {"documented": 2} == answer(capsys, "--method", "documented", "--as", "text", path)["total"]
    other = plant(tmp_path / "a.txt", "1234567")
    assert {"documented": 4} == answer(capsys, "--method", "documented", "--as", "json", other)["total"]


@clause("EST-033")
def test_a_session_file_is_known_by_its_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its tokens are those of its rows, and its figures are shown."""
    path = plant(tmp_path / "s.jsonl", f"{ROW}\n{BOUNDARY}\n{ROW}\n{{torn")
    (entry,) = answer(capsys, path)["files"]
    expected = estimate_transcript(path)
    _, out, _ = spoken(capsys, path)

    assert ("session", expected.tokens) == (entry["kind"], entry["tokens"])
    assert (4, 1, 1, 2) == tuple(entry["session"][key] for key in ("lines", "broken", "boundaries", "rows"))
    assert expected.since_boundary == entry["session"]["since_boundary"]
    assert f"2 rows; {expected.since_boundary} tokens since the last boundary" in out
    assert "4 lines, 1 broken; 1 boundaries, 0 attachments" in out


@clause("EST-033")
@pytest.mark.parametrize("content", ["hello\n", "\n \nhello\n\n[1]\n", "\xff", '{"type":"user"'])
def test_a_file_of_broken_lines_is_no_session(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str) -> None:
    """Whoever said that it is one is told, with `--quiet` too; 0 tokens would be taken for an answer."""
    path = plant(tmp_path / "notes.md", content)
    said = f"keel-ref: {path}: is no session file, since no line of it is a JSON object; try --as text\n"

    assert (2, "", said) == spoken(capsys, "--as", "session", path)
    assert (2, "", said) == spoken(capsys, "--as", "session", "--quiet", path)


@clause("EST-033")
def test_broken_lines_of_a_session_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On stderr, also beside JSON; a session whose other lines cost nothing is one all the same."""
    path = plant(tmp_path / "s.jsonl", f"{ROW}\n{{torn")
    free = plant(tmp_path / "t.jsonl", '{"type":"mode"}\n\ntorn')
    said = "1 of {} lines are no JSON objects and are not counted\n"

    assert (0, f"keel-ref: {path}: {said.format(2)}") == spoken(capsys, "--json", path)[::2]
    assert (0, "", "") == spoken(capsys, "--quiet", path)
    assert (0, f"keel-ref: {free}: {said.format(3)}") == spoken(capsys, "--as", "session", free)[::2]


@clause("EST-033")
def test_a_first_row_that_is_larger_than_the_head_is_a_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A picture in the first message changes nothing, in a file or in a pipe."""
    picture = {"type": "image", "source": {"type": "base64", "data": "A" * 1_200_000}}
    row = {"parentUuid": None, "sessionId": "x", "type": "user", "message": {"role": "user", "content": [picture]}}
    path = plant(tmp_path / "s.jsonl", f"{json.dumps(row)}\n{ROW}\n")
    code, out, err = spoken(capsys, "--method", "documented", path)

    assert (0, "") == (code, err)
    assert "  session   " in out
    assert out.splitlines()[-2].startswith("     2,002  ")


@clause("EST-033")
def test_a_pipe_is_looked_at_too(capsys: pytest.CaptureFixture[str], stdin: io.BytesIO) -> None:
    """Standard input, and a pipe that has a name as a shell gives it for `<(...)`."""
    stdin.write(f"{ROW}\n{ROW}".encode())
    stdin.seek(0)
    (piped,) = answer(capsys)["files"]
    reader, writer = os.pipe()
    os.write(writer, ROW.encode())
    os.close(writer)
    (substituted,) = answer(capsys, f"/dev/fd/{reader}")["files"]
    os.close(reader)

    assert ("session", 2) == (piped["kind"], piped["session"]["rows"])
    assert ("session", 1) == (substituted["kind"], substituted["session"]["rows"])


def test_a_terminal_is_asked_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is typed ends with one Ctrl-D."""

    class Typed(io.BytesIO):
        ends = 0

        def read(self, size: int | None = -1) -> bytes:
            found = super().read(size)
            Typed.ends += len(found) < (size or 0)
            return found

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Typed(b"12345678")))

    assert {"documented": 2} == answer(capsys, "--method", "documented", "-")["total"]
    assert 1 == Typed.ends


@clause("EST-033")
def test_jsonl_that_is_no_session_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It counts as a text; whoever thought that it is a session sees it."""
    path = plant(tmp_path / "a.jsonl", '{"text":"a"}\n')
    code, out, err = spoken(capsys, path)

    assert 0 == code
    assert "  json   " in out
    assert f"keel-ref: {path}: none of its first lines is a row of a session, so it counts as a text of JSON" in err
    assert "" == spoken(capsys, "--quiet", path)[2]
    assert "" == spoken(capsys, "--as", "json", path)[2]
    assert "" == spoken(capsys, plant(tmp_path / "b.jsonl", "\n"))[2]


@clause("EST-033")
def test_side_chains_are_named_and_not_in_the_total(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a sub-agent read is no part of the conversation."""
    side = ROW.replace('"type"', '"isSidechain":true,"type"', 1)
    _, out, _ = spoken(capsys, "--method", "documented", plant(tmp_path / "s.jsonl", f"{ROW}\n{side}\n"))

    assert "side chains, not in the total: 1 rows, 2 tokens" in out
    assert out.splitlines()[-2].startswith("         2  ")


def test_a_session_can_come_through_a_pipe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stdin: io.BytesIO
) -> None:
    """The same figures from standard input as from a file."""
    text = f"{ROW}\n{BOUNDARY}\n{ROW}"
    stdin.write(text.encode())
    stdin.seek(0)
    (piped,) = answer(capsys, "--as", "session", "-")["files"]
    (filed,) = answer(capsys, plant(tmp_path / "s.jsonl", text))["files"]

    assert {**filed, "path": "-"} == piped


@clause("EST-012", "EST-026")
@pytest.mark.parametrize("form", ["{}", '{{"messages": {}, "model": "m"}}'])
def test_messages_are_counted_as_a_list(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    """A list, or an object with one; what cannot be taken as it stands is reported."""
    rows = [{"role": "user", "content": "hello"}, None, {"role": "user", "content": [None, {"type": "text"}]}]
    path = plant(tmp_path / "m.json", form.format(json.dumps(rows)))
    (entry,) = answer(capsys, "--as", "messages", path)["files"]
    _, out, _ = spoken(capsys, "--as", "messages", path)

    assert ("messages", estimate_messages(rows)) == (entry["kind"], entry["tokens"])
    assert [
        {"reason": "bad-row", "row": 1},
        {"reason": "bad-block", "row": 2, "block": 0},
        {"reason": "no-text", "row": 2, "block": 1},
    ] == entry["reported"]
    assert "bad-row: 1, the first in message 1" in out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"hello", "is no JSON"),
        (b'{"messages": 1}', "neither a list of messages nor"),
        (b"{}", "neither a list of messages nor"),
        (b'["\xff"]', "is not UTF-8 at byte 2"),
        (b"[" * 100_000, "is no JSON (more than 200 levels)"),
    ],
)
def test_what_is_no_list_of_messages_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, said: str
) -> None:
    """Exit 2, and a line that says why."""
    code, out, err = spoken(capsys, "--as", "messages", plant(tmp_path / "m.json", content))

    assert (2, "") == (code, out)
    assert said in err


def test_a_list_that_is_too_large_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As soon as that is seen, and nothing is allocated for what a file might hold."""
    reads: list[int] = []

    class Counting(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            reads.append(-1 if size is None else size)
            return super().read(size)

    monkeypatch.setattr(estimate_count, "MESSAGES_CAP_BYTES", 9)
    monkeypatch.setattr(estimate_input, "CHUNK_BYTES", 4)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Counting(b"[1,2,3,4,5,6,7,8]")))
    code, _, err = spoken(capsys, "--as", "messages", "-")

    assert 2 == code
    assert "holds more than 9 bytes; count it in parts" in err
    assert [4, 4, 4] == reads
    assert 0 == spoken(capsys, "--as", "messages", plant(tmp_path / "a", "[1,2,3,4]"))[0]


def test_what_nobody_sees_is_not_looked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `--quiet` the fast count is all; the verdict is the same."""

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("the model is slower")

    path = plant(tmp_path / "m.json", json.dumps([{"role": "user", "content": "x" * 12}, None]))
    monkeypatch.setattr(estimate_count, "estimate_messages", fail)

    words = ("--as", "messages", "--method", "documented", "--quiet", "--max-tokens")
    assert [1, 0] == [spoken(capsys, *words, limit, path)[0] for limit in ("2", "3")]


@pytest.mark.parametrize(("limit", "code"), [(3, 0), (2, 1), (4, 0), (0, 1)])
def test_the_limit_is_passed_at_and_failed_above(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], limit: int, code: int
) -> None:
    """A total of exactly N is not too many."""
    words = ("--method", "documented", "--max-tokens", str(limit), plant(tmp_path / "a", "x" * 12))
    ended, out, err = spoken(capsys, *words)

    assert code == ended
    assert "3" in out
    assert err == (
        "" if code == 0 else f"keel-ref: 3 tokens (the documented rule) are more than --max-tokens {limit}\n"
    )


def test_the_limit_holds_for_all_files_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two files that pass alone may not pass together; of two methods the larger total counts."""
    paths = [plant(tmp_path / name, "x" * 12) for name in "ab"]

    assert 1 == spoken(capsys, "--method", "documented", "--max-tokens", "5", *paths)[0]
    assert 0 == spoken(capsys, "--method", "documented", "--max-tokens", "6", *paths)[0]
    assert 1 == spoken(capsys, "--method", "both", "--max-tokens", "6", *paths)[0]


def test_quiet_prints_problems_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing where all is well, one line where it is not."""
    path = plant(tmp_path / "a", "x" * 12)

    assert (0, "", "") == spoken(capsys, "--quiet", path)
    code, out, err = spoken(capsys, "--quiet", "--max-tokens", "1", path)
    assert (1, "", 1) == (code, out, err.count("\n"))


def test_what_cannot_be_read_is_named_and_the_rest_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing file and a folder, with a hint; exit 2, and the others have their figures."""
    path = plant(tmp_path / "a", "x" * 12)
    found = answer(capsys, tmp_path / "gone", tmp_path, path, "", "--max-tokens", "0", code=2)
    code, out, err = spoken(capsys, tmp_path / "gone", tmp_path, path)

    assert [str(path)] == [entry["path"] for entry in found["files"]]
    assert [str(tmp_path / "gone"), str(tmp_path), ""] == [entry["path"] for entry in found["errors"]]
    assert 2 == code
    assert f"keel-ref: {tmp_path / 'gone'}: cannot be read (No such file or directory)\n" in err
    assert "is a folder; name the files in it" in err
    assert "1 file" in out


def test_an_empty_input_costs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str], stdin: io.BytesIO) -> None:
    """An empty file, an empty session, empty standard input."""
    paths = [plant(tmp_path / name, "") for name in ("a.md", "b.jsonl", "c.json")]

    assert stdin.tell() == 0
    assert {"bound": 0, "documented": 0} == answer(capsys, "--method", "both", *paths, "-")["total"]
    assert {"bound": 0} == answer(capsys, "--as", "session", *paths)["total"]
    assert {"bound": 0} == answer(capsys)["total"]


def test_nothing_to_read_is_a_mistake(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A person who names no file is told so, and not left before an empty terminal."""
    monkeypatch.setattr(sys, "stdin", None)
    code, _, err = spoken(capsys)

    assert 2 == code
    assert "nothing to count; name a file, or -" in err
    assert 2 == spoken(capsys, "-", "-")[0]


@pytest.mark.skipif(sys.platform == "darwin", reason="its disks take no such name")
def test_a_name_that_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is shown with its bytes spelled out, and is bytes in the JSON."""
    path = plant(Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\x1b[1m.md")), "x" * 12)
    found = answer(capsys, path)
    _, out, _ = spoken(capsys, path)

    assert {"b64"} == set(found["files"][0]["path"])
    assert "\\xff\\x1b[1m.md" in out


@clause("EST-001")
@pytest.mark.parametrize("content", [b"\xff\xfe\xe4\xb8", b"\xf0\x9f\x92", b"a\xed\xa0\x80b", b"\xef\xbb\xbfhi"])
def test_bytes_that_are_not_utf8_are_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    """They count as the library counts them."""
    total = answer(capsys, "--method", "both", plant(tmp_path / "a", content))["total"]

    assert {method: estimate_text(content, method=method) for method in ("bound", "documented")} == total


@clause("EST-001")
@pytest.mark.parametrize(
    ("content", "parts", "said"),
    [
        (b"\xff\xfe\xe4\xb8", 3, "3 parts of it are no UTF-8"),
        (b"a\xed\xa0\x80b", 3, "3 parts of it are no UTF-8"),
        (b"caf\xe9 \xef\xbf\xbd", 1, "1 part of it is no UTF-8"),
        ("naïve \ufffd".encode(), 0, None),
    ],
)
def test_bytes_that_are_not_utf8_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, parts: int, said: str | None
) -> None:
    """How many parts were replaced, on stderr and in the JSON; a U+FFFD that was written is none."""
    path = plant(tmp_path / "a.txt", content)

    assert ("" if said is None else f"keel-ref: {path}: {said}\n") == spoken(capsys, path)[2]
    assert parts == answer(capsys, path)["files"][0]["not_utf8"]
    assert "" == spoken(capsys, "--quiet", path)[2]


@clause("EST-025")
def test_one_huge_line_is_a_text_like_any_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No line end in megabytes, in a file that could be a session."""
    content = b'{"text":"' + b"word " * 300_000 + b'"}'
    (entry,) = answer(capsys, "--method", "documented", plant(tmp_path / "a.jsonl", content))["files"]

    assert ("json", (len(content) + 1) // 2) == (entry["kind"], entry["tokens"])


@clause("EST-001", "EST-031")
@given(
    data=st.binary(max_size=40)
    | st.text(max_size=20).map(utf8_form)
    | st.lists(st.sampled_from([FFFD, b"\xff", b"\xef", b"\xef\xbf", b"a"]), max_size=20).map(b"".join),
    size=st.integers(1, 7),
)
def test_pieces_are_the_whole(data: bytes, size: int) -> None:
    """However the bytes are cut, the pieces joined are the text that the bytes say."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(estimate_input, "CHUNK_BYTES", size)
        source = Source(name="a", kind="text", file=io.BytesIO(data[2:]), head=data[:2])

        text = Utf8Pieces()
        whole = data.decode("utf-8", "replace")

        assert whole == "".join(pieces(source, text, lambda _: None))
        assert data.count(FFFD) + text.replaced == whole.count("\ufffd")
        source.file.seek(0)
        assert all(len(chunk) <= max(size, 2) for chunk in chunks(source))


def test_a_family_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--family` takes a name that is published, or a file; anything else is refused with the names."""
    path = plant(tmp_path / "a", "x" * 12)
    code, _, err = spoken(capsys, "--family", "claud", path)
    broken, _, why = spoken(capsys, "--family", plant(tmp_path / "f.json", "{}"), path)

    assert "claude" == answer(capsys, "--family", "claude", path)["files"][0]["family"]
    assert (2, 2) == (code, broken)
    assert "is no file and none of openai-cl100k" in err
    assert "this is no table of a family" in why


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """It does."""
        return True


@pytest.mark.parametrize("is_long", [True, False])
def test_long_work_is_shown_on_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, is_long: bool
) -> None:
    """A bar on stderr while much is read, none for a little; stdout stays as it is."""
    shown = Terminal()
    monkeypatch.setattr(progress, "LONG_BYTES", 11 if is_long else 12)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", shown)
        code, out, _ = spoken(capsys, plant(tmp_path / "a", "x" * 12))

    assert 0 == code
    assert is_long == ("reading" in shown.getvalue())
    assert "total" in out


def test_no_bar_where_nobody_looks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stderr that is no terminal stays empty."""
    monkeypatch.setattr(progress, "LONG_BYTES", 0)

    assert "" == spoken(capsys, plant(tmp_path / "a", "x" * 12))[2]


def test_ctrl_c_ends_cleanly(tmp_path: Path) -> None:
    """Exit 130, and no traceback."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "keel_ref.cli", "estimate", str(pipe)]
    # a job in the background ignores the signal, and so would its child
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        with pipe.open("wb"):  # goes on when the other side is open too
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()

        signal.signal(signal.SIGINT, before)
        assert (130, b"", b"") == (process.returncode, out, err)


def test_a_reader_who_has_gone_is_no_failure(tmp_path: Path) -> None:
    """The verdict stands, and stderr stays empty."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "keel_ref.cli", "estimate", str(plant(tmp_path / "a", "x" * 12))]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)

    assert (0, b"") == (done.returncode, done.stderr)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("words", [["{path}"], ["--json", "{path}"], ["--help"]])
def test_a_full_device_is_said_in_one_line(tmp_path: Path, words: list[str]) -> None:
    """Exit 2, since the answer has reached nobody, and no traceback."""
    path = str(plant(tmp_path / "a", "x" * 12))
    command = [sys.executable, "-m", "keel_ref.cli", "estimate", *(word.format(path=path) for word in words)]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)

        untold = subprocess.run(command, stdout=full, stderr=full, check=False)

    assert (2, 1, 2) == (done.returncode, done.stderr.count(b"\n"), untold.returncode)
    assert b"keel-ref: what was found cannot be written (No space left on device); send" in done.stderr


def test_a_backend_that_there_is_not_is_said_in_one_line(tmp_path: Path) -> None:
    """Exit 2, with the variable and what it may say."""
    command = [sys.executable, "-m", "keel_ref.cli", "estimate", str(plant(tmp_path / "a", "x"))]
    done = subprocess.run(command, env={**os.environ, "KEEL_REF_NATIVE": "bogus"}, capture_output=True, check=False)

    assert (2, b"") == (done.returncode, done.stdout)
    assert b"keel-ref: KEEL_REF_NATIVE: 'bogus' is none of auto, require and never; set one\n" == done.stderr


@pytest.mark.parametrize("verb", ["estimate", "calibrate"])
@pytest.mark.parametrize("columns", [60, 100])
def test_the_help_names_the_families_and_fits_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, verb: str, columns: int
) -> None:
    """Every family, the exit codes, and no line that is too long but those of examples."""
    monkeypatch.setenv("COLUMNS", str(columns))
    with pytest.raises(SystemExit):
        main([verb, "--help"])
    out = capsys.readouterr().out
    words = out.replace(",", " ").replace(")", " ").split()

    assert [] == [name for name in FAMILIES if name not in words]
    assert [] == [line for line in out.splitlines() if len(line) > columns and not line.startswith("  ")]
    assert "\n  2    wrong usage, " in out


def test_the_help_says_what_a_file_is_taken_for(capsys: pytest.CaptureFixture[str]) -> None:
    """The rule by which a session is found, and that messages have to be said."""
    with pytest.raises(SystemExit):
        main(["estimate", "--help"])
    said = " ".join(capsys.readouterr().out.split())

    assert "for a session file when one of its first lines is a row of one" in said
    assert "Nothing is taken for a list of messages unless --as messages says so" in said
