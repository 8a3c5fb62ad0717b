"""Settings, records, flags and variables that nobody would write by mistake."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from keel_ref import load_memory
from keel_ref.conformance.marks import clause
from keel_ref.trace import Reason
from tests.hostile.place import ROOT, Place

BROKEN = {
    "nothing": b"",
    "brackets": b"[" * 100_000,
    "brackets that close": b"[" * 100_000 + b"]" * 100_000,
    "thirty million brackets": b'{"a":' + b"[" * 30_000_000,
    "objects": b'{"a":' * 100_000,
    "digits": b'{"a":1' + b"0" * 5_000 + b"}",
    "ten million digits": b'{"a":1' + b"0" * 10_000_000 + b"}",
    "no number": b'{"a": NaN}',
    "infinity": b'{"a": -Infinity}',
    "UTF-16": '{"a":1}'.encode("utf-16"),
    "stray bytes": b'{"a":"\xff"}',
    "NUL bytes": b"\0" * 1_000_000,
    "a list": b"[]",
    "text": b'"x"',
    "a comment": b"{} // a",
    "an open text": b'{"a":"' + b"x" * 10_000_000,
    "a bare control": b'{"a":"\n"}',
}
SOUND = {
    "sixty megabytes of text": b'{"a":"' + b"x" * 60_000_000 + b'"}',
    "a million times the same key": b"{" + b'"a":1,' * 1_000_000 + b'"a":1}',
    "a large number": b'{"a":1e999999999}',
    "a lone surrogate": b'{"autoMemoryDirectory":"/\\ud800/\\udcff", "claudeMdExcludes":["\\ud800"]}',
    "a NUL": b'{"autoMemoryDirectory":"/a\\u0000b"}',
    "a long path": b'{"autoMemoryDirectory":"/' + b"a/" * 500_000 + b'"}',
    "a relative path": b'{"autoMemoryDirectory":"../../../x"}',
}


@clause("MEM-020", "MEM-024")
@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_settings_that_are_broken(place: Place, data: bytes) -> None:
    """Nested without end, numbers without end, half of something: a row for each file, and everything loads."""
    place.write("CLAUDE.md", "still here @/etc/hostname")
    for name in (".claude/settings.json", ".claude/settings.local.json", "~/.claude/settings.json", "~/.claude.json"):
        place.write(name, data)
    plan = place.plan(memory=1 << 30)

    assert ["CLAUDE.md"] == plan.files
    assert 4 == list(plan.rows.values()).count("settings-broken")


@clause("MEM-020", "MEM-125", "MEM-090")
@pytest.mark.parametrize("data", SOUND.values(), ids=SOUND)
def test_settings_that_are_merely_odd(place: Place, data: bytes) -> None:
    """Large, or full of what no path can hold, they are read and change nothing."""
    place.write("CLAUDE.md", "still here @/etc/hostname")
    for name in (".claude/settings.json", ".claude/settings.local.json", "~/.claude/settings.json", "~/.claude.json"):
        place.write(name, data)
    plan = place.plan(memory=1 << 30)

    assert ["CLAUDE.md"] == plan.files
    assert {"include-external"} == plan.reasons


@clause("MEM-020")
@pytest.mark.parametrize("value", ["[]", "{}", "null", "1", '"x"', "true", '[1, null, [], "/r/**"]'])
@pytest.mark.parametrize("key", ["claudeMdExcludes", "autoMemoryEnabled", "autoMemoryDirectory", "projects"])
def test_keys_of_any_type(place: Place, key: str, value: str) -> None:
    """A value of the wrong type is ignored by itself; the file that has it is named at most once."""
    place.write("CLAUDE.md", "still here")
    for name in (".claude/settings.json", "~/.claude.json"):
        place.write(name, f'{{"{key}": {value}}}')
    load = load_memory(place.project, home=place.home)
    is_excluded = key == "claudeMdExcludes" and "/r/**" in value

    assert ["still here"] == [file.text for file in load.files]
    assert not is_excluded or () == load.skipped
    assert {Reason.SETTINGS_BROKEN} >= {row.reason for row in load.skipped}


@pytest.mark.parametrize(
    ("flags", "advice"),
    [
        (["--env", "A"], "write --env NAME=VALUE"),
        (["--env", "=x"], "write --env NAME=VALUE"),
        (["--choice", "memory.root"], "write --choice NAME=VALUE"),
        (["--choice", "memory.root=both"], "see spec/choices.json"),
        (["--choice", "memory.rot=skip"], "see spec/choices.json"),
        (["--sources", "user,all"], "is none of user, project, local"),
        (["--bogus"], "--bogus"),
        (["--json", "--text"], "not allowed with"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_flags_that_mean_nothing(place: Place, flags: list[str], advice: str) -> None:
    """The answer is exit code 2 and what to write instead, never a trace of calls."""
    answer = place.run(*flags)

    assert (2, b"") == (answer.code, answer.out)
    assert advice in answer.err
    assert "Traceback" not in answer.err


@clause("MEM-008")
@pytest.mark.parametrize(
    "cwd", ["none", "file", "file/x", "fifo", "/dev/null", "loop", "x" * 300, "x/" * 3_000, "closed/x", "a\udcff\n"]
)
def test_a_working_folder_that_is_none(place: Place, cwd: str) -> None:
    """Missing, a file, a pipe, behind a file, too long: exit code 2, and a line that says what to do."""
    place.write("file", "x")
    os.mkfifo(place.project / "fifo")
    (place.project / "loop").symlink_to("loop")
    answer = place.run("--json", cwd=cwd if cwd.startswith("/") else f"{place.project}/{cwd}")

    assert (2, b"") == (answer.code, answer.out)
    assert answer.err.endswith("name an existing folder that can be read\n")
    assert 1 == answer.err.count("\n")


@clause("MEM-008")
@pytest.mark.parametrize("words", [[], ["."], [".."], ["--home", "h"], ["--reads", "x", "/"], ["--add-dir", "a", "/"]])
def test_the_current_folder_is_gone(place: Place, words: list[str]) -> None:
    """Whatever counts from a folder that was deleted ends in exit code 2; what does not is answered."""
    gone = place.project / "gone"
    gone.mkdir()
    script = "import os, sys; os.rmdir(os.getcwd()); from keel_ref.cli import main; sys.exit(main())"

    def run(*more: str) -> subprocess.CompletedProcess[bytes]:
        gone.mkdir(exist_ok=True)
        return subprocess.run(
            [sys.executable, "-P", "-c", script, "memory", *more],
            cwd=gone,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(place.home)},
            capture_output=True,
            check=False,
        )

    lost, found = run(*words), run(str(place.project))

    assert (2, b"") == (lost.returncode, lost.stdout)
    assert b"name an existing folder" in lost.stderr
    assert 0 == found.returncode


@clause("MEM-004")
@pytest.mark.parametrize(
    "flags",
    [
        ["--env", "CLAUDE_CONFIG_DIR="],
        ["--env", "CLAUDE_CONFIG_DIR=../c"],
        ["--env", "CLAUDE_CONFIG_DIR=" + "x/" * 50_000],
        ["--env", "CLAUDE_CONFIG_DIR=/dev/null"],
        ["--env", "CLAUDE_CONFIG_DIR=\udcff\n"],
        ["--config-dir", ""],
        ["--config-dir", "/dev/zero"],
        ["--home", ""],
        ["--home", "/dev/null"],
        ["--home", "nowhere"],
        ["--managed-dir", "/dev/null"],
        ["--add-dir", "/dev/null", "--env", "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD=1"],
        ["--add-dir", "nowhere", "--add-dir", "nowhere"],
        ["--settings", "/dev/zero"],
        ["--settings", "nowhere", "--settings", ""],
        ["--sources", ""],
        ["--reads", ""],
        ["--reads", "/dev/zero"],
        ["--reads", "x" * 100_000],
        ["--reads", "../" * 10_000 + "x"],
    ],
    ids=lambda flags: " ".join(flags)[:60],
)
def test_folders_and_files_that_are_none(place: Place, flags: list[str]) -> None:
    """Empty, relative, a device, of stray bytes, endless: what a flag names may be anything, and there is a plan."""
    place.write("CLAUDE.md", "still here")
    place.write("../c/CLAUDE.md", "of the folder")
    plan = place.plan(*flags)
    expected = [] if flags[:1] == ["--sources"] else ["CLAUDE.md"]

    assert expected == [name for name in plan.files if name != "../c/CLAUDE.md"]
    assert plan.reasons <= {"settings-broken", "source-off"}


@clause("MEM-004")
@pytest.mark.parametrize("folder", ["a\0b", "\0", "", "../..", "\ud800", "/" + "a/" * 100_000])
def test_a_configuration_folder_that_no_disk_has(place: Place, folder: str) -> None:
    """A variable can hold what no argument can; the project's files load."""
    place.write("CLAUDE.md", "still here")
    load = load_memory(place.project, home=place.home, env={"CLAUDE_CONFIG_DIR": folder})

    assert ["still here"] == [file.text for file in load.files]
    assert () == load.skipped


@clause("MEM-025")
def test_the_same_tree_gives_the_same_bytes(place: Place) -> None:
    """Two runs under other circumstances, of one tree with something of everything, print the same."""
    place.write("CLAUDE.md", "@a.md @gone.md @" + "x/" * 5_000)
    place.write("a.md", "é")
    place.write(".claude/settings.json", json.dumps({"claudeMdExcludes": 5}))
    for i in (3, 1, 2):
        place.write(f".claude/rules/{i}.md", f"---\npaths: '{i}{{a,b}}/**'\n---\nR")
    (place.project / "loop").symlink_to("loop")
    runs = [
        place.run("--json", env={"PYTHONHASHSEED": seed, "LANG": lang, "TZ": zone})
        for seed, lang, zone in CIRCUMSTANCES
    ]

    assert runs[0].out == runs[1].out
    assert [0, 0] == [run.code for run in runs]


CIRCUMSTANCES = (("1", "C", "UTC"), ("2", "tr_TR.UTF-8", "Asia/Kathmandu"))


@pytest.mark.parametrize("reader", ["true", "head -c 100"])
def test_nobody_reads_to_the_end(place: Place, reader: str) -> None:
    """A reader that goes away ends the run quietly."""
    for i in range(300):
        place.write(f".claude/rules/{i}.md", "x" * 10_000)
    command = f"{sys.executable} -m keel_ref.cli memory {place.project} --home {place.home} --json | {reader}"
    done = subprocess.run(["sh", "-c", command], cwd=Path(ROOT), capture_output=True, check=False)

    assert b"" == done.stderr
