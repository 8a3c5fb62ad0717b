"""Names that are not text, or that would like to write on the screen themselves."""

import base64
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from keel_ref.cli.terminal_text import clipped, visible
from keel_ref.conformance.marks import clause
from tests.hostile.place import ROOT, Place

ODD = (
    b"\xff\xfe.md",
    b"\xc3\xa9-\xed\xa0\x80.md",
    b"line\nWarnings.md",
    b"\x1b[31mred\x1b[0m.md",
    b"\x1b]0;title\x07.md",
    b"bell\x07 back\x08 return\r.md",
    b"c1\xc2\x9b31m.md",
    b"\xe2\x80\xaeright-to-left.md",
    b"paragraph\xe2\x80\xa9.md",
    b"wide\xe3\x80\x80blank.md",
    b"tag\xf3\xa0\x81\x81.md",
)
"""Stray bytes, a surrogate as three bytes, ends of lines, escapes of both kinds, what turns or hides text."""
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What a terminal acts upon, or takes for the end of a line; but for LF and tabs."""
COLOURS = re.compile(r"\x1b\[(?:0|1|2|33)m")


def put(folder: Path, name: bytes, text: str) -> None:
    """A file with any bytes for its name."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(os.fsencode(folder) + b"/" + name, "wb") as file:
        file.write(text.encode())


def fill(place: Place) -> None:
    """Each odd name as a rule, a folder of rules, a file that is no rule, a conditional rule and memory below."""
    rules = place.project / ".claude" / "rules"
    for i, name in enumerate(ODD):
        put(rules, name, f"rule {i}")
        put(Path(os.fsdecode(os.fsencode(rules) + b"/d" + name)), name, f"deeper rule {i}")
        put(rules, name + b".txt", "no rule")
        put(rules / "held", name, f'---\npaths: "{json.dumps(name.decode("latin-1"))[1:-1]}"\n---\nheld')
        put(Path(os.fsdecode(os.fsencode(place.project) + b"/s" + name)), b"CLAUDE.md", "below")


@clause("MEM-030", "MEM-031")
def test_names_are_bytes_in_the_plan(place: Place) -> None:
    """Every rule loads, in the order of its bytes, and a name that is not UTF-8 is told by its bytes."""
    fill(place)
    plan = place.plan()
    raw = [
        path.encode() if isinstance(path, str) else base64.b64decode(path["b64"])
        for path in (file["path"] for file in plan.whole["files"])
    ]
    names = sorted([*ODD, *(b"d" + name + b"/" + name for name in ODD)])

    assert [os.fsencode(place.project) + b"/.claude/rules/" + name for name in names] == raw
    assert {"not-md", "conditional", "on-demand"} == plan.reasons


@clause("MEM-023")
def test_no_name_writes_on_the_screen(place: Place) -> None:
    """In the plan for a person every name stays on its line, and shows what it is made of."""
    fill(place)
    lines = place.seen("--all")

    assert "Warnings" in lines
    assert ["Warnings"] == [line for line in lines if line.startswith("Warnings")]
    assert 2 * len(ODD) == sum("./.claude/rules/" in line and ".txt" not in line for line in lines[:40])
    for shown in (r"\xff\xfe.md", r"\x1b[31mred\x1b[0m.md", r"line\nWarnings.md", r"\x9b31m", r"\u202e", r"\U000e0041"):
        assert any(shown in line for line in lines)


@clause("MEM-023")
def test_a_terminal_gets_no_escape_but_our_own(place: Place) -> None:
    """On a terminal there are colours, and nothing else that a terminal would obey, not even in the text sent."""
    fill(place)
    for flags in ([], ["--text"], ["--json"]):
        master, slave = pty.openpty()
        command = [sys.executable, "-m", "keel_ref.cli", "memory", str(place.project), "--home", str(place.home)]
        with subprocess.Popen(
            [*command, *flags], stdout=slave, cwd=ROOT, env={"PATH": os.environ["PATH"], "TERM": "xterm"}
        ) as run:
            os.close(slave)
            out = b""
            while piece := read_on(master):
                out += piece
        os.close(master)
        text = out.decode("utf-8").replace("\r\n", "\n")
        plain = text if flags else COLOURS.sub("", text)

        assert 0 == run.returncode
        assert not OBEYED.search(plain)
        assert bool(flags) == (plain == text)


def read_on(master: int) -> bytes:
    """What comes next out of a terminal; nothing at its end."""
    try:
        return os.read(master, 65_536)
    except OSError:  # Linux tells the end so
        return b""


@clause("MEM-001")
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_the_plan_is_json_whatever_the_stream_takes(place: Place, encoding: str) -> None:
    """A stream that is not UTF-8 gets escapes that mean the same."""
    fill(place)
    place.write("CLAUDE.md", "é 😀 @ü.md")
    answer = place.run("--json", env={"PYTHONIOENCODING": encoding})

    assert 0 == answer.code
    assert "é 😀 @ü.md" in [file["text"] for file in json.loads(answer.out.decode(encoding))["files"]]
    assert 0 == place.run(env={"PYTHONIOENCODING": encoding}).code
    assert 0 == place.run("--text", env={"PYTHONIOENCODING": encoding}).code


@clause("MEM-143")
def test_reads_whose_names_are_not_text_are_kept_apart(place: Place) -> None:
    """Each name of `--reads` keeps its own list, and one that is given twice loses nothing."""
    place.write("sub/CLAUDE.md", "below")
    names = [f"{place.project}/sub/{name}" for name in ("\udcff.x", "\udcfe.x", "a\n.x", "\udcff.x")]
    plan = place.plan(*(word for name in names for word in ("--reads", name)))
    lines = place.seen(*(word for name in names for word in ("--reads", name)))

    assert dict.fromkeys(names, 0) | {names[0]: 1} == {name: len(files) for name, files in plan.whole["read"].items()}
    assert r"Reading ./sub/\xff.x attaches" in lines
    assert r"Reading ./sub/a\n.x attaches" in lines


@clause("MEM-008", "MEM-005")
@pytest.mark.parametrize("name", ODD)
def test_a_working_folder_of_any_name(place: Place, name: bytes) -> None:
    """Its files load; a missing one is named in the complaint without doing what the name says."""
    folder = os.fsdecode(os.fsencode(place.project) + b"/" + name)
    put(Path(folder), b"CLAUDE.md", "still here @i.md")
    put(Path(folder), b"i.md", "included")
    plan = place.plan(cwd=folder)
    missing = place.run(cwd=folder + "/none")

    assert ["still here @i.md", "included"] == [file["text"] for file in plan.whole["files"]]
    assert 2 == missing.code
    assert [] == [char for char in missing.err[:-1] if ord(char) < ord(" ") or 0x7F <= ord(char) < 0xA0]
    assert "name an existing folder" in missing.err


@clause("MEM-106", "MEM-070")
def test_an_include_cannot_name_what_is_not_text(place: Place) -> None:
    """A mention with a stray byte means the replacement character, so the file with that byte is not found by it."""
    put(place.project, b"\xff.md", "never")
    put(place.project, "\ufffd.md".encode(), "this one")
    place.write("CLAUDE.md", b"@./\xff.md @no\xfe.md")
    plan = place.plan()

    assert ["CLAUDE.md", "\ufffd.md"] == plan.files
    assert {"no\ufffd.md": "not-found"} == plan.rows


@clause("MEM-047")
def test_a_pattern_may_hold_half_a_character(place: Place) -> None:
    """YAML can spell a lone surrogate; it matches nothing on a disk, and it breaks no output."""
    place.write(".claude/rules/r.md", '---\npaths: ["\\ud800*.x", "*.y"]\n---\nR')
    plan = place.plan("--reads", f"{place.project}/a.y")

    assert [["\ud800*.x", "*.y"]] == [file["globs"] for file in plan.whole["read"][f"{place.project}/a.y"]]
    assert any(r"\ud800*.x" in line for line in place.seen("--reads", f"{place.project}/a.y"))


def test_what_can_be_seen_is_left_alone() -> None:
    """Letters of every script stay as they are; what would be obeyed, or not be seen, is spelled out."""

    assert "Zoë/日本語 ~ 😀" == visible("Zoë/日本語 ~ 😀")
    assert r"\x1b\n\x9b\u202e\ud800\xff" == visible("\x1b\n\x9b\u202e\ud800\udcff")
    assert "a\n\\x1b" == visible("a\n\x1b", kept="\n")
    assert 1_100 > len(clipped("a" * 10**6)) > 1_000
