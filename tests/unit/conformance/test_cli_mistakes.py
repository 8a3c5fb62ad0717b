"""What people, scripts and terminals do wrong with the command line, and what they are told."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from keel_ref.cli import main
from keel_ref.conformance import suite as suite_module
from keel_ref.conformance.reference import suite_version
from tests.unit.conformance.toy_suite import ECHOES, TRAP, command, write_spec

Check = Callable[..., int]
PROGRAM = (sys.executable, "-m", "keel_ref.cli")


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """`keel-ref check` of the toy, in a folder of its own."""
    spec = write_spec(tmp_path / "spec", [*ECHOES, TRAP])
    monkeypatch.setattr(suite_module, "spec_folder", lambda: spec)
    monkeypatch.chdir(tmp_path)

    def run(*options: str, misdeed: str = "none") -> int:
        quick = ("--timeout", "10000", "--repeat-failures", "1", "--shrink", "0")
        return main(["check", *quick, *options, "--", *command(misdeed)])

    return run


@pytest.mark.parametrize(
    "flag", ["--area", "--clause", "--tier", "--shard", "--revision", "--require-capabilities", "--expected"]
)
@pytest.mark.parametrize("value", ["", ",", " "])
def test_an_empty_selector_selects_nothing_and_requires_nothing(
    check: Check, capsys: pytest.CaptureFixture[str], flag: str, value: str
) -> None:
    """A variable that is not set shall neither run everything nor require nothing."""
    with pytest.raises(SystemExit) as ended:
        check(flag, value)

    assert 2 == ended.value.code
    assert f"argument {flag}: it is empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("-k", "echo"), "no test matches -k echo; a glob names the whole id: -k '*echo*'"),
        (("--id", "toy-m-trp"), "did you mean toy-m-trap"),
        (("--clause", "mem-001"), "did you mean MEM-001"),
        (("--report", "json=missing/x.json"), "lies in none that exists"),
        (("--report", "junit=spec"), "spec is a folder"),
    ],
)
def test_what_was_meant_is_said_before_anything_runs(
    check: Check, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], words: str
) -> None:
    """With the name that comes nearest, and without a report of a run for nothing."""
    code = check(*options)
    streams = capsys.readouterr()

    assert (2, "") == (code, streams.out)
    assert words in streams.err


@pytest.mark.parametrize("choice", ["memory.identity=sideways", "memory.sideways=real", "real"])
def test_a_wrong_choice_is_ours_to_refuse(capsys: pytest.CaptureFixture[str], choice: str) -> None:
    """The built-in reference is not called at fault for what it was given."""
    code = main(["check", "--choice", choice])

    assert 2 == code
    assert "at fault" not in capsys.readouterr().err


def test_an_adapter_without_the_dashes_is_told_where_they_go(capsys: pytest.CaptureFixture[str]) -> None:
    """The commonest slip of the first hour."""
    code = main(["check", "node", "adapter.mjs"])

    assert 2 == code
    assert "'node' is no option of check; an adapter's command goes behind --, as in -- node" in capsys.readouterr().err


def test_a_report_may_be_written_to_two_places(check: Check, tmp_path: Path) -> None:
    """Of one kind too."""
    check("--report", "json=a.json", "--report", "json=b.json")

    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("expect = [1]\n", "write each expected failure as"),
        ("min_tests = -1\n", "min_tests is less than none"),
        ('[[expect]]\nid = "toy-*"\nfails = "crash"\nreason = "all"\n', "toy-* covers 26 tests"),
    ],
)
def test_an_odd_expected_file_is_refused_before_anything_runs(
    check: Check, capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str, words: str
) -> None:
    """In one line, and without a run for nothing."""
    (tmp_path / "known.toml").write_text(f'suite = "{suite_version()}"\n{content}')
    code = check("--expected", "known.toml")
    streams = capsys.readouterr()

    assert (2, "") == (code, streams.out)
    assert words in streams.err
    assert 1 == len(streams.err.splitlines())


@pytest.mark.parametrize("kind", ["all", "failed"])
def test_a_folder_that_takes_no_traces_is_wrong_usage(
    check: Check, capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str
) -> None:
    """As a folder is that may not be written to."""
    (tmp_path / ".keel").touch()
    code = check("--trace", kind)

    assert 2 == code
    assert capsys.readouterr().err.startswith("keel-ref: --trace: .keel/trace: cannot be made")


def test_a_folder_that_takes_no_failures_changes_no_verdict(
    check: Check, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """They are shown, and it is said that they were not saved."""
    (tmp_path / ".keel").touch()
    code = check(misdeed="wrong")
    streams = capsys.readouterr()

    assert 1 == code
    assert "FAIL  toy-m-trap" in streams.out
    assert "failures were not saved" in streams.err


def test_the_json_report_is_whole_though_nobody_reads_the_rest(tmp_path: Path) -> None:
    """What stderr is connected with is no matter of stdout."""
    words = (*PROGRAM, "check", "--id", "text-nul", "--json")
    reading, writing = os.pipe()
    os.close(reading)
    with (tmp_path / "out.json").open("wb") as out:
        code = subprocess.run(words, stdout=out, stderr=writing, check=False).returncode
    os.close(writing)

    assert 0 == code
    assert "keel-report/1" == json.loads((tmp_path / "out.json").read_bytes())["schema"]


def test_a_verdict_stands_though_stdout_was_closed_before() -> None:
    """As a shell does with `>&-`."""
    done = subprocess.run(
        ("sh", "-c", f"{sys.executable} -m keel_ref.cli check --id text-nul >&-"),
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stderr)


@pytest.mark.parametrize(
    "words", [("explain", "MEM-060", "--json"), ("list", "clauses", "--json"), ("list", "tests", "--json")]
)
def test_json_is_json_on_a_terminal_that_knows_no_unicode(words: tuple[str, ...]) -> None:
    """Every character that is not ASCII is an escape of JSON, not one of ours."""
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run((*PROGRAM, *words), stdout=subprocess.PIPE, env=env, check=True)

    assert json.loads(done.stdout)["schema"].startswith("keel-")


@pytest.fixture
def hanging(tmp_path: Path) -> Iterator[tuple["subprocess.Popen[bytes]", Path]]:
    """`keel-ref check` of a program that hangs and ignores what it can, and where that writes its id."""
    place = tmp_path / "id"
    source = (
        "import os, signal, time\n"
        "for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(number, signal.SIG_IGN)\n"
        f"with open({str(place)!r} + '.new', 'w') as file: file.write(str(os.getpid()))\n"
        f"os.rename({str(place)!r} + '.new', {str(place)!r})\n"
        "time.sleep(600)\n"
    )
    adapter = (sys.executable, "-I", "-S", "-c", source)
    words = (*PROGRAM, "check", "-j", "1", "--id", "text-nul", "--handshake-timeout", "600000", "--", *adapter)
    # a job in the background ignores some signals, and so would its child
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGHUP, signal.SIGTERM)}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        for number, handler in before.items():
            signal.signal(number, handler)
        while not place.exists():
            assert process.poll() is None
            time.sleep(0.02)
        yield process, place
        process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_broken_off_leaves_no_adapter_behind(
    hanging: tuple["subprocess.Popen[bytes]", Path], number: signal.Signals
) -> None:
    """By a person, by a machine, or by a terminal that was closed."""
    process, place = hanging
    process.send_signal(number)
    code = process.wait(60)

    assert 130 == code
    with pytest.raises(ProcessLookupError):
        os.kill(int(place.read_text()), 0)
