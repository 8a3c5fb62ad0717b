"""A copy of a session keeps its sizes, its form and its verdicts, and none of its words."""

import json
from pathlib import Path
from typing import Any

import pytest

from keel_ref.recording.anonymize import Anonymizer
from keel_ref.recording.fillers import filled, filled_raw, read_raw, rewrite_raw
from keel_ref.recording.names import Names
from keel_ref.recording.record import read_record
from keel_ref.recording.truth import read_truth
from keel_ref.recording.verify import verify
from keel_ref.text import size_utf8, size_utf16
from keel_ref.tokens.transcript import count_lines

FOLDER = Path(__file__).parents[2] / "fixtures" / "sessions"
NAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def lines_of(name: str) -> list[bytes]:
    """The lines of a recorded session, with their ends."""
    return (FOLDER / f"{name}.jsonl").read_bytes().splitlines(keepends=True)


def copy_of(value: Any, **how: Any) -> Any:
    """The copy of one row."""
    return json.loads(Anonymizer(**how).line(json.dumps(value).encode()))


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_gives_the_same_verdicts(name: str) -> None:
    """Each finding comes out the same, with what was seen and without it; sizes of lines and estimates too."""
    one, lines = Anonymizer(), lines_of(name)
    copy = list(one.lines(lines))
    seen = (FOLDER / f"{name}.truth.json").read_text()
    before, after = (read_truth(json.loads(text)) for text in (seen, one.document(seen, keeps_numbers=True)))

    for truths in ((None, None), (before, after)):
        reports = [verify(read_record(held), truth=truth) for held, truth in zip((lines, copy), truths, strict=True)]
        found = [[(one.rule, one.clause, one.line, one.verdict) for one in report.findings] for report in reports]
        assert found[0] == found[1]
    assert [len(line) for line in lines] == [len(line) for line in copy]
    assert count_lines(lines, method="documented") == count_lines(copy, method="documented")


def test_a_copy_of_a_copy_has_the_same_form() -> None:
    """Filler is filler again, and equal input gives equal bytes."""
    lines = lines_of("restore-size-edge")
    copy = list(Anonymizer().lines(lines))

    assert copy == list(Anonymizer().lines(lines))
    assert copy == list(Anonymizer().lines(copy))


@pytest.mark.parametrize(
    ("text", "filler"),
    [
        ("Hello, world 42!\n\tif (a_b) {}", "Xxxxx, xxxxx 00!\n\txx (x_x) {}"),
        ("Grüße an Ðß", "Xxéée xx éé".replace("éée", "ééx")),
        ("Привет αβγ", "яяяяяя ααα"),
        ("漢字かなカナ한글", "字字ああアア가가"),
        ("“a” – b…", "“x” – x…"),
        ("\U0001f680\U00020001", "\U0001f600\U00020000"),
        ("\ud800", "\ud800"),
        ("", ""),
    ],
)
def test_filler_is_of_the_same_size_and_kind(text: str, filler: str) -> None:
    """In bytes, in UTF-16 units and in code points."""

    assert filler == filled(text)
    assert (size_utf8(text), size_utf16(text), len(text)) == (size_utf8(filler), size_utf16(filler), len(filler))


@pytest.mark.parametrize(
    ("raw", "filler"),
    [
        (r"a\nb\"c\\d\/e", r"x\nx\"x\\x\/x"),
        (r"\u0041\u00e4\n", r"\u0058\u00e9\n"),
        (r"\ud83d\ude80!", r"\ud83d\ude00!"),
        (r"\ud83d \u0000\u001F", r"\ud83d \u0000\u001F"),
    ],
)
def test_an_escape_stays_an_escape(raw: str, filler: str) -> None:
    """So the line keeps its bytes."""

    assert filler == filled_raw(raw)
    assert json.loads(f'"{raw}"') == read_raw(raw)
    assert filled(read_raw(raw)) == read_raw(filler)
    assert filler == rewrite_raw(raw, filled(read_raw(raw)))


def test_names_stay_apart() -> None:
    """A thousand names of one form, and every name of two letters, are still as many."""
    names = Names()
    two = [a + b for a in "abcdefghijklmnopqrstuvwxyz" for b in "abcdefghijklmnopqrstuvwxyz"]
    long = [f"file{number:03}" for number in range(1_000)]

    assert 1_000 == len({names.name(name) for name in long})
    assert len(two) - 5 <= len({names.name(name) for name in two})
    assert names.name("file007") == names.name("file007")


def test_paths_keep_their_form_and_what_rules_go_by() -> None:
    """Each part is renamed by itself, the same everywhere; known extensions and the names of memory stay."""
    names = Names()

    assert "/qqqq/q/qqqqqqx.py" == names.path("/home/u/secrets.py").replace("qqqqqqq", "qqqqqqx")
    assert "/qqqq/q/.claude/rules/CLAUDE.md" == names.path("/home/u/.claude/rules/CLAUDE.md")
    assert "../qqqq/*.ts" == names.path("../home/*.ts")
    assert names.path("C:\\work\\a.txt").endswith(".txt")
    assert names.path("/home").split("/")[1] == names.path("home")


def test_a_salt_gives_other_names() -> None:
    """Of the same form, and the same ones for the same salt."""
    row = {"cwd": "/home/user/project", "uuid": "b9464735-d762-4f89-ae27-4faa7ccfd194"}
    plain, salted, again = (copy_of(row, names=Names(salt=salt)) for salt in ("", "s", "s"))

    assert plain != salted == again
    assert [len(value) for value in row.values()] == [len(value) for value in salted.values()]


def test_the_words_of_the_record_stay() -> None:
    """Kinds, tools, models, times, usage and sizes: all that a reader of rows goes by."""
    usage = {"input_tokens": 1234, "output_tokens": 56}
    row = {
        "type": "assistant",
        "timestamp": "2026-11-30T10:47:50.195Z",
        "version": "2.1.89",
        "isSidechain": False,
        "message": {"model": "claude-sonnet-4-6", "role": "assistant", "usage": usage, "stop_reason": "end_turn"},
        "compactMetadata": {"trigger": "auto", "preTokens": 170_006},
    }

    assert row == copy_of(row)


def test_what_is_somebodys_own_goes() -> None:
    """Names of tools, keys, models, numbers, times that are none, and values of known keys that are no known words."""
    block = {"type": "tool_use", "id": "tu", "name": "mcp__acme__pay", "input": {"customer": "Ann", "iban": 9876.5}}
    row = {"type": "acme-row", "model": "acme-model", "timestamp": "noon", "version": "acme", "content": [block]}
    text = json.dumps(copy_of({**row, "model": "arn:aws:bedrock:123456789012:claude-sonnet-4-5"}))

    assert not [word for word in ("acme", "pay", "customer", "Ann", "iban", "9876", "noon", "1234567") if word in text]
    assert '"mcp__' in text
    assert "1111.1" in text


@pytest.mark.parametrize(
    "line", [b"{broken", b'{"type":"user","uu', b"5", b"null", b"[1]", b"\xff\xfe {}", b"secret words"]
)
def test_a_broken_line_stays_broken(line: bytes) -> None:
    """Of the same size, with its blanks, and nothing else of it."""
    copy = Anonymizer().line(line + b"\n")

    assert len(line) + 1 == len(copy)
    assert set(copy) <= set(b"x \n")
    assert (1,) == read_record([copy]).session.broken


@pytest.mark.parametrize("line", [b"", b"\n", b" \t\r\n"])
def test_a_blank_line_stays(line: bytes) -> None:
    """It says nothing."""

    assert line == Anonymizer().line(line)
