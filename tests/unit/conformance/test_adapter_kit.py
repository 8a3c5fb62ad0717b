"""The first adapter that people start from, and the nasty lines that it must stand."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from keel_ref.cli import main
from keel_ref.conformance.adapter_kit import SKELETONS, write_skeleton
from keel_ref.conformance.envelope import probe, probe_one
from keel_ref.conformance.exits import ExitCode, UsageError
from keel_ref.conformance.misbehaviour import AdapterError
from keel_ref.conformance.smoke import Colour, climb
from keel_ref.conformance.subject import Limits
from keel_ref.conformance.suite import load_suite
from tests.unit.conformance.skeletons import skeleton
from tests.unit.conformance.toy_suite import command

SUITE = load_suite()
QUICK = Limits(timeout_ms=500)
MAX_LINES = 100
LANGUAGES = [
    pytest.param(name, marks=pytest.mark.skipif(shutil.which(one.command.split()[0]) is None, reason=f"no {name} here"))
    for name, one in SKELETONS.items()
]
READS_LINES = "for line in sys.stdin.buffer:"
READS_CHUNKS = "for line in iter(lambda: sys.stdin.buffer.read1(2**23).split(b'\\n')[0], b''):"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_skeleton_passes_smoke_and_check(language: str, tmp_path: Path) -> None:
    """Whoever starts from it starts green, in every language there is one for."""
    folder = tmp_path / "new" / "adapter"
    write_skeleton(language, folder)
    program, file = SKELETONS[language].command.split()
    adapter = (program, str(folder / file))

    assert {Colour.GREEN, Colour.SKIPPED} == {rung.colour for rung in climb(adapter, SUITE)}
    assert {Colour.GREEN} == {finding.colour for finding in probe(adapter, SUITE)}


@pytest.mark.parametrize("language", SKELETONS)
def test_a_skeleton_is_small_and_needs_nothing(language: str, tmp_path: Path) -> None:
    """Less than a hundred lines, and no import but of the language's own library."""
    path = write_skeleton(language, tmp_path)[0]
    lines = path.read_text(encoding="utf-8").splitlines()
    imports = [line for line in lines if line.startswith(("import", "from")) or "require(" in line]

    assert len(lines) < MAX_LINES
    assert set(imports) <= {"import json", "import sys"}


@pytest.mark.parametrize("language", SKELETONS)
def test_the_readme_names_file_and_command(language: str, tmp_path: Path) -> None:
    """The commands in it can be copied as they stand."""
    one = SKELETONS[language]
    readme = (write_skeleton(language, tmp_path)[1]).read_text(encoding="utf-8")

    assert f"keel-ref smoke -- {one.command}" in readme
    assert one.file in readme
    assert "$" not in readme


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A file in the way is kept, and nothing is written beside it."""
    (tmp_path / "README.md").write_text("mine")

    with pytest.raises(UsageError, match=r"README\.md is there already"):
        write_skeleton("python", tmp_path)
    assert ["README.md"] == [path.name for path in tmp_path.iterdir()]
    assert (tmp_path / "README.md").read_text() == "mine"


def test_a_dangling_link_is_in_the_way_too(tmp_path: Path) -> None:
    """Writing through a link would put the file somewhere else."""
    (tmp_path / "adapter.py").symlink_to(tmp_path / "elsewhere.py")

    with pytest.raises(UsageError, match=r"adapter\.py is there already"):
        write_skeleton("python", tmp_path)
    assert not (tmp_path / "elsewhere.py").exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """A file where the folder should be is the caller's to move."""
    (tmp_path / "file").touch()

    with pytest.raises(UsageError, match="cannot be written to"):
        write_skeleton("python", tmp_path / "file" / "adapter")


def test_the_verb_writes_and_says_what_comes_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The last line is the next command."""
    code = main(["adapter", "new", "--lang", "python", str(tmp_path)])

    assert ExitCode.CONFORMANT == code
    assert f"next: cd {tmp_path} && keel-ref smoke -- python3 adapter.py" == capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize("language", ["go", "ts", "cobol", ""])
def test_a_language_without_skeleton_is_wrong_usage(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message names those there are, and that any language can join."""
    code = main(["adapter", "new", "--lang", language, str(tmp_path / "new")])

    assert ExitCode.USAGE == code
    assert "only for python and node; any language" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_new_takes_no_command(tmp_path: Path) -> None:
    """A command behind the dashes would be ignored, so it is refused."""

    assert ExitCode.USAGE == main(["adapter", "new", "--lang", "python", str(tmp_path), "--", "true"])
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        (
            'op = request.get("op")',
            'op = request.get("op"); assert "later" not in request',
            "unknown fields are ignored",
        ),
        ('raise Refused("malformed_request", f"no operation {op}")', "return {}", "an unknown operation is survived"),
        (READS_LINES, "while line := sys.stdin.buffer.readline(65536):", "a line of 4 MiB is read whole"),
        (READS_LINES, READS_CHUNKS, "two requests may wait in the pipe"),
        (READS_LINES, READS_CHUNKS, "a line may come in pieces"),
        (READS_LINES, "for line in (text.encode() for text in open(0)):", "a CR inside a line ends nothing"),
        ("json.loads(line)", 'json.loads(line.replace(b"\\r", b"x"))', "a CR before the LF is white space"),
        ('raise Refused("unknown_function"', 'raise Refused("unknown"', "an unknown function is an error"),
        ("attempt(call, one)", 'FUNCTIONS[one["fn"]](one)', "a bad call spares its neighbours"),
        (
            "[attempt(call, one) for one",
            "request['calls'][0] and [attempt(call, one) for one",
            "an empty batch has no results",
        ),
        ("except ValueError as fault", "except KeyError as fault", "nonsense is survived"),
        ('if request.get("op") == "bye":\n            return', "pass", "bye is answered, then it ends"),
        ("\nmain()\n", "\nmain()\nimport time\ntime.sleep(60)\n", "the end of input ends it"),
    ],
)
def test_a_fault_of_the_envelope_is_found(tmp_path: Path, old: str, new: str, name: str) -> None:
    """Each probe can be red, and the fault that it is named for makes it so."""
    finding = probe_one(name, skeleton(tmp_path, (old, new)), SUITE, limits=QUICK)

    assert Colour.RED is finding.colour
    assert finding.reason


def test_an_adapter_that_says_no_hello_is_not_probed() -> None:
    """There is nothing to learn from thirteen equal failures; the ladder explains the one."""

    with pytest.raises(AdapterError, match="`keel-ref smoke` explains it"):
        next(probe(command("nonce", "hello"), SUITE))


def test_child_processes_left_behind_are_told() -> None:
    """A grandchild that outlives the adapter would outlive every run."""
    finding = probe_one("bye is answered, then it ends", command("children", "bye"), SUITE)

    assert (Colour.RED, "it left child processes behind; they were killed") == (finding.colour, finding.reason)


def test_the_verb_tells_each_probe_with_a_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Green ones say why they matter; the code is 0 when all are green."""
    code = main(["adapter", "check", "--", *skeleton(tmp_path)])
    lines = capsys.readouterr().out.splitlines()

    assert ExitCode.CONFORMANT == code
    assert "green    an empty batch has no results: no call is no error" in lines
    assert {"green"} == {line.split()[0] for line in lines}


def test_the_verb_ends_with_1_where_a_probe_is_red(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As JSON too, in one document."""
    change = ('raise Refused("unknown_function"', 'raise Refused("unknown"')
    code = main(["adapter", "check", "--json", "--", *skeleton(tmp_path, change)])
    document = json.loads(capsys.readouterr().out)

    assert (ExitCode.NOT_CONFORMANT, "keel-adapter-check/1") == (code, document["schema"])
    assert "red" in {finding["colour"] for finding in document["findings"]}


def test_the_verb_ends_with_3_where_there_is_no_hello(capsys: pytest.CaptureFixture[str]) -> None:
    """As every verb that starts an adapter."""

    assert ExitCode.ADAPTER == main(["adapter", "check", "--", *command("exit", "hello")])
    assert "the adapter is at fault" in capsys.readouterr().err


def test_the_skeleton_answers_by_plain_shell(tmp_path: Path) -> None:
    """No runner is needed to try it: a line in, a line out."""
    adapter = skeleton(tmp_path)
    call = {"fn": "memory.load", "args": {"cwd": "/r", "tree": [{"p": "/r/CLAUDE.md", "t": "A"}]}}
    line = json.dumps({"id": 1, "op": "call", "calls": [call]}).encode() + b"\n"
    done = subprocess.run(adapter, input=line, capture_output=True, check=True)

    assert [{"ok": {"files": [{"p": "/r/CLAUDE.md", "layer": "project"}], "skipped": []}}] == json.loads(done.stdout)[
        "ok"
    ]["results"]
    assert sys.executable == adapter[0]
