"""The command line: every exit code once, clean streams, and words for every mistake."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from keel_ref.cli import VERBS, main, split_command
from keel_ref.conformance import suite as suite_module
from keel_ref.conformance.reference import suite_version
from tests.unit.conformance.toy_suite import ECHOES, TRAP, command, echo, write_spec

Check = Callable[..., int]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """`keel-ref check` over the toy suite, in a folder of its own."""
    spec = write_spec(tmp_path / "spec", [*ECHOES, TRAP])
    monkeypatch.setattr(suite_module, "spec_folder", lambda: spec)
    monkeypatch.chdir(tmp_path)

    def run(*options: str, misdeed: str = "none", moment: str = "trap") -> int:
        quick = ("--timeout", "10000", "--repeat-failures", "1", "--shrink", "0")
        return main(["check", *quick, *options, "--", *command(misdeed, moment)])

    return run


@pytest.fixture
def expected(tmp_path: Path) -> Callable[..., str]:
    """An expected file with one entry."""

    def write(name: str = "toy-m-trap", more: str = "", suite: str | None = None) -> str:
        path = tmp_path / "keel-expected.toml"
        text = (
            f'suite = "{suite or suite_version()}"\n[[expect]]\nid = "{name}"\nfails = "mismatch"\nreason = "known"\n'
        )
        path.write_text(text + more, encoding="utf-8")
        return str(path)

    return write


def test_zero_is_conformant(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    """And the summary says passed, failed, not claimed."""
    code = check()

    assert 0 == code
    assert "26 passed, 0 failed, 0 not claimed" in capsys.readouterr().out


def test_one_is_a_failure(check: Check) -> None:
    """A wrong answer."""

    assert 1 == check(misdeed="wrong")


@pytest.mark.parametrize(
    ("entry", "misdeed", "code"),
    [
        (("toy-m-trap",), "wrong", 0),
        (("toy-m-trap",), "none", 1),
        (("toy-m-trap", "until = 2020-01-01"), "wrong", 1),
        (("toy-m-trap",), "die", 1),
        (("toy-unknown",), "none", 1),
        (("toy-*",), "wrong", 2),
        (("toy-m-trap", "whatever = 1"), "wrong", 2),
    ],
)
def test_the_expected_file_is_exact_both_ways(
    check: Check, expected: Callable[..., str], entry: tuple[str, ...], misdeed: str, code: int
) -> None:
    """It excuses what fails as it says; stale, expired, otherwise and unknown fail; a wide glob is wrong usage."""

    assert code == check("--expected", expected(*entry), misdeed=misdeed)


def test_an_entry_that_was_not_run_fails(check: Check, expected: Callable[..., str]) -> None:
    """A filtered run proves nothing about it."""

    assert 1 == check("--expected", expected(), "-k", "toy-a-*", misdeed="wrong")


def test_an_expected_file_for_another_suite_is_wrong_usage(check: Check, expected: Callable[..., str]) -> None:
    """Unless it is accepted."""
    path = expected(suite="99.0.0")

    assert 2 == check("--expected", path, misdeed="wrong")
    assert 0 == check("--expected", path, "--accept-suite", misdeed="wrong")


@pytest.mark.parametrize(
    "options",
    [
        ("-k", "nothing*"),
        ("--id", "no-such-test"),
        ("--clause", "MEM-999"),
        ("--area", "window"),
        ("--profile", "tokens"),
        ("--profile", "whatever"),
        ("--tier", "K"),
        ("--tier", "X"),
        ("--revision", "1999.01"),
        ("--shard", "3/2"),
        ("--fs", "disk"),
        ("--report", "html=x.html"),
        ("--report", "pdf=x.pdf"),
        ("--report", "json"),
        ("--report", "json=missing/x.json"),
        ("--expected", "missing.toml"),
        ("--errata", "missing.json"),
        ("--require-capabilities", "no.such"),
        ("--choice", "memory.identity=real"),
    ],
)
def test_two_is_wrong_usage(check: Check, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> None:
    """One line says what is wrong, and nothing is tested."""
    code = check(*options)

    assert 2 == code
    assert capsys.readouterr().err.startswith("keel-ref: ")


@pytest.mark.parametrize("options", [("--nonsense",), ("-j", "0"), ("-j", "many"), ("--timeout", "-1"), ("--exp", "x")])
def test_an_unknown_flag_or_number_is_wrong_usage(check: Check, options: tuple[str, ...]) -> None:
    """Also a flag that is cut short."""
    with pytest.raises(SystemExit) as ended:
        check(*options)

    assert 2 == ended.value.code


@pytest.mark.parametrize(
    ("misdeed", "moment"), [("exit", "hello"), ("nonce", "hello"), ("log", "hello"), ("die", "call")]
)
def test_three_is_the_adapter(check: Check, capsys: pytest.CaptureFixture[str], misdeed: str, moment: str) -> None:
    """It did not start, shook hands badly, or died too often; and the message says whose fault it is."""
    code = check("--max-respawns", "2", misdeed=misdeed, moment=moment)

    assert 3 == code
    assert "the adapter is at fault" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "misdeed"),
    [
        (("--min-tests", "27"), "none"),
        (("--require-capabilities", "memory,memory.part"), "none"),
        ((), "unclaimed"),
        (("--repeat-failures", "6"), "now-and-then"),
        (("--profile", "core"), "unclaimed"),
    ],
)
def test_four_is_inconclusive(check: Check, options: tuple[str, ...], misdeed: str) -> None:
    """Too few tests, a capability that is relied on, nothing run, or only nondeterminism."""

    assert 4 == check(*options, misdeed=misdeed)


def test_five_is_ours(check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that fails its own lint, or a suite that cannot be read."""
    odd = write_spec(tmp_path / "odd", [*ECHOES, echo("toy-odd", 1, expect={})])
    monkeypatch.setattr(suite_module, "spec_folder", lambda: odd)
    broken = check()
    (odd / "capabilities.json").write_text("{", encoding="utf-8")

    assert (5, 5) == (broken, check())


def test_an_internal_error_is_ours_too(
    check: Check, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is told in full, and never looks like a finding."""
    monkeypatch.setattr(suite_module, "load_vectors", lambda _: 1 // 0)
    code = check()

    assert 5 == code
    assert "the fault is ours" in capsys.readouterr().err


def test_json_puts_one_document_on_stdout(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    """And everything else on stderr."""
    code = check("--json", misdeed="wrong")
    streams = capsys.readouterr()

    assert 1 == code
    assert "keel-report/1" == json.loads(streams.out)["schema"]
    assert "FAIL  toy-m-trap" in streams.err


def test_a_verdict_stands_though_nobody_reads_it() -> None:
    """The exit code is that of the run, not that of the broken pipe."""
    name = next(vector.id for vector in suite_module.load_suite().vectors)
    words = (sys.executable, "-m", "keel_ref.cli", "check", "--id", name, "--min-tests", "2")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.close()
        code = process.wait(60)

    assert 4 == code


def test_reports_are_written_where_they_are_asked_for(check: Check, tmp_path: Path) -> None:
    """Several at once."""
    check("--report", "json=a.json", "--report", "junit=b.xml")

    assert "keel-report/1" == json.loads((tmp_path / "a.json").read_bytes())["schema"]
    assert "<testsuites>" in (tmp_path / "b.xml").read_text(encoding="utf-8")


@pytest.mark.parametrize("misdeed", ["none", "wrong", "die"])
def test_reports_are_equal_whatever_j(check: Check, tmp_path: Path, misdeed: str) -> None:
    """Byte for byte, twice with one process and once with two."""
    for name, jobs in (("a", "1"), ("b", "1"), ("c", "2")):
        check("--report", f"json={name}.json", "-j", jobs, misdeed=misdeed)
    reports = {(tmp_path / f"{name}.json").read_bytes() for name in "abc"}

    assert 1 == len(reports)


def test_a_failure_can_be_replayed(check: Check, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It still fails, then it is fixed, then there is nothing left."""
    check(misdeed="wrong")
    folder = str(tmp_path / ".keel" / "failures")
    codes = [main(["replay", "--all-from", folder, "--", *command(misdeed)]) for misdeed in ("wrong", "none", "none")]
    out = capsys.readouterr().out

    assert [1, 0, 2] == codes
    assert "STILL FAILS   toy-m-trap" in out
    assert "FIXED         toy-m-trap" in out


def test_a_replay_against_what_does_not_start_is_three(check: Check, tmp_path: Path) -> None:
    """And the files stay."""
    check(misdeed="wrong")
    folder = tmp_path / ".keel" / "failures"
    code = main(["replay", "--all-from", str(folder), "--", *command("exit")])

    assert 3 == code
    assert 2 == len(list(folder.iterdir()))


@pytest.mark.parametrize(("kind", "name"), [("failed", "toy-m-trap.txt"), ("all", "process-0.txt")])
def test_wire_lines_are_kept_on_request(check: Check, tmp_path: Path, kind: str, name: str) -> None:
    """Of what failed, or all of them, with an arrow before each."""
    check("--trace", kind, "-j", "1", misdeed="wrong")
    lines = (tmp_path / ".keel" / "trace" / name).read_text(encoding="utf-8").splitlines()

    assert {">", "<"} == {line[0] for line in lines}
    assert any('"wrong"' in line for line in lines)


def test_both_directions_can_be_held_to_the_schema(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    """An honest adapter passes; what the schema forbids is the adapter's fault."""
    honest = check("--validate-wire")
    capsys.readouterr()
    odd = check("--validate-wire", misdeed="no-outcome")

    assert (0, 1) == (honest, odd)
    assert "fault: adapter" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["dance"], 2, "'dance' is no verb"),
        (["serve", "--choice", "memory.identity=sideways"], 2, "memory.identity=sideways"),
        (["serve", "--choice", "memory.identity"], 2, "write NAME=VALUE"),
        (["serve", "--gate", "team_memory=perhaps"], 2, "write true or false"),
        (["serve", "--gate", "nothing=true"], 2, "not registered"),
        (["check", "--"], 2, "nothing follows --"),
        (["replay"], 2, "nothing to replay"),
        (["replay", "missing.json"], 2, "missing.json"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], code: int, said: str
) -> None:
    """Without a trace of our own stack."""
    found = main(words)
    error = capsys.readouterr().err

    assert code == found
    assert said in error
    assert 1 == len(error.splitlines())


@pytest.mark.parametrize("verb", ["check", "serve", "replay"])
def test_every_verb_shows_an_example(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    """Its help is enough to start with."""
    with pytest.raises(SystemExit) as ended:
        main([verb, "--help"])

    assert 0 == ended.value.code
    assert f"keel-ref {verb}" in capsys.readouterr().out.partition("example:")[2]


def test_the_help_names_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    """Without importing any of them."""
    with pytest.raises(SystemExit):
        main([])
    out = capsys.readouterr().out

    assert all(f"  {verb} " in out for verb in VERBS)


def test_the_version_is_that_of_the_suite(capsys: pytest.CaptureFixture[str]) -> None:
    """As an expected file pins it."""
    with pytest.raises(SystemExit):
        main(["--version"])

    assert f"keel-ref {suite_version()}\n" == capsys.readouterr().out


def test_the_command_of_an_adapter_stands_behind_the_dashes() -> None:
    """What looks like our own options there is its own."""

    assert (["check", "-j", "2"], ("node", "x.mjs", "--", "-j")) == split_command(
        ["check", "-j", "2", "--", "node", "x.mjs", "--", "-j"]
    )
    assert (["check"], ()) == split_command(["check"])


def test_without_a_command_the_reference_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Through the same wire, with the choices that are passed on to it."""
    spec = write_spec(tmp_path / "spec", [echo("toy-one", 1, expect={"error": "invalid_argument"})])
    monkeypatch.setattr(suite_module, "spec_folder", lambda: spec)
    monkeypatch.chdir(tmp_path)
    code = main(["check", "--json", "--choice", "memory.identity=real", "--repeat-failures", "0", "--shrink", "0"])
    report = json.loads(capsys.readouterr().out)

    assert 1 == code
    assert ["keel-ref", "serve", "--choice", "memory.identity=real"] == report["command"]
    assert ("keel-ref", "real") == (report["impl"]["name"], report["choices"]["memory.identity"])
    assert sys.executable not in json.dumps(report)
