"""`keel-ref window` as its user meets it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from keel_ref.cli import main
from keel_ref.cli.window_words import WORDS
from keel_ref.conformance.marks import clause
from keel_ref.window import ValueReason
from keel_ref.window.variables import Variable

MODEL = "claude-sonnet-4-5"


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is set where the tests run shall not matter."""
    for name in Variable:
        monkeypatch.delenv(name, raising=False)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the verb prints for these arguments."""
    assert main(["window", *arguments]) == 0
    return capsys.readouterr().out


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """The JSON answer for these arguments."""
    found: dict[str, Any] = json.loads(said(capsys, "--json", *arguments))
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What is told about arguments that cannot be used."""
    try:
        code = main(["window", *arguments])
    except SystemExit as ended:  # argparse's own way
        code = int(str(ended.code))
    out, err = capsys.readouterr()

    assert (2, "") == (code, out)
    return err


@clause("WIN-011", "WIN-013", "WIN-015", "WIN-016")
def test_the_ladder_stands_in_the_order_of_its_amounts(capsys: pytest.CaptureFixture[str]) -> None:
    """Each stage with its tokens and its share of both bases, and the use where it stands."""
    out = said(capsys, "--model", MODEL, "--used", "150000")

    assert out.startswith(f"{MODEL}: 180,000 of 200,000 tokens can be filled\n")
    assert [
        "  warning and error     147,000     73.5 %        81.7 %  reached",
        "  used                  150,000     75.0 %        83.3 %  <- here",
        "  automatic compaction  167,000     83.5 %        92.8 %  17,000 to go",
        "  requests refused      177,000     88.5 %        98.3 %  27,000 to go",
        "  effective window      180,000     90.0 %       100.0 %  30,000 to go",
        "  window                200,000    100.0 %       111.1 %  50,000 to go",
    ] == out.splitlines()[3:9]


@clause("WIN-021", "WIN-024")
def test_each_percentage_names_its_base(capsys: pytest.CaptureFixture[str]) -> None:
    """Three shares that are used, and what the client shows as left."""
    out = said(capsys, "--model", MODEL, "--used", "150000")

    assert "150,000 tokens: 17,000 to automatic compaction\n" in out
    assert "   75.0 %  of the window (200,000)\n" in out
    assert "   83.3 %  of the effective window (180,000)\n" in out
    assert "   89.8 %  of the threshold of automatic compaction (167,000)\n" in out
    assert "     10 %  left as the client shows it, counted to 167,000\n" in out


@clause("WIN-020")
@pytest.mark.parametrize(
    ("used", "line"),
    [
        ("0", "0 tokens: 147,000 to warning and error"),
        ("147000", "147,000 tokens: 20,000 to automatic compaction"),
        ("167000", "167,000 tokens: automatic compaction is due"),
        ("177000", "177,000 tokens: automatic compaction is due; no request is sent where it fails"),
    ],
)
def test_the_next_stage_is_named(capsys: pytest.CaptureFixture[str], used: str, line: str) -> None:
    """Or what happens now."""

    assert f"{line}\n" in said(capsys, "--model", MODEL, "--used", used)


@clause("WIN-018")
def test_off_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """By what, in the ladder, and in what comes next."""
    out = said(capsys, "--model", MODEL, "--used", "170000", "--env", "DISABLE_COMPACT=1")

    assert "automatic compaction (off)" in out
    assert "170,000 tokens: 7,000 to requests refused\n" in out
    assert "DISABLE_COMPACT=1: switches automatic compaction off\n" in out
    assert "compaction by hand is off, too\n" in out


@clause("WIN-006")
def test_a_model_of_the_table_names_its_source(capsys: pytest.CaptureFixture[str]) -> None:
    """With the versions of the packages, and who disagrees."""
    out = said(capsys, "--model", "us.anthropic.claude-3-5-sonnet-20240620-v1:0")

    assert "claude-3-5-sonnet-20240620 has a window of 200,000 and a maximum output of 8,192\n" in out
    assert "by litellm " in out
    assert "bedrock says 200,000 and 4,096" in out


@clause("WIN-001", "WIN-007")
def test_an_unknown_model_is_told_with_close_names(capsys: pytest.CaptureFixture[str]) -> None:
    """What is assumed is said, and what to do."""
    out = said(capsys, "--model", "claude-sonet-4.5")

    assert "claude-sonet-4.5: no such model in the table; close names: claude-sonnet-4-5" in out
    assert "say what it has with --window and --max-output\n" in out
    assert "the window: assumed to be 200,000, since nobody says it\n" in out
    assert "the maximum output: assumed to be 20,000, since nobody says it\n" in out


def test_a_model_without_a_name_has_a_window(capsys: pytest.CaptureFixture[str]) -> None:
    """Of somebody else's agent, for example."""
    out = said(capsys, "--window", "131072", "--max-output", "16384")

    assert out.startswith("a model without a name: 114,688 of 131,072 tokens can be filled\n")
    assert "no such model" not in out


@clause("WIN-010", "WIN-031", "WIN-033")
def test_the_variables_of_the_process_are_read_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of --env lie over them, and each says what became of it."""
    monkeypatch.setenv(Variable.AUTO_COMPACT_WINDOW, "100k")
    monkeypatch.setenv(Variable.PERCENTAGE, "50")
    told = answer(capsys, "--model", MODEL, "--env", f"{Variable.AUTO_COMPACT_WINDOW}=150000")
    out = said(capsys, "--model", MODEL)

    assert (150_000, 65_000) == (told["compact_window"], told["auto"])
    assert [("lowered", "150000"), ("lowered", "50")] == [(one["reason"], one["value"]) for one in told["reported"][:2]]
    assert "CLAUDE_CODE_AUTO_COMPACT_WINDOW=100k: only the number at its head is read; write it out\n" in out
    assert "compact window" in out


@clause("WIN-031")
def test_a_choice_can_be_made(capsys: pytest.CaptureFixture[str]) -> None:
    """By its registered name."""
    number = (f"{Variable.AUTO_COMPACT_WINDOW}=100000 tokens", "--choice", "env.number=strict")

    assert 200_000 == answer(capsys, "--model", MODEL, "--env", *number)["compact_window"]


@clause("WIN-005", "WIN-002")
def test_headers_and_suffixes(capsys: pytest.CaptureFixture[str]) -> None:
    """What asks for the large window, and what that says."""
    by_header = answer(capsys, "--model", MODEL, "--beta", "context-1m-2025-08-07")
    out = said(capsys, "--model", "claude-opus-4-1", "--beta", "context-1m-2025-08-07")

    assert (1_000_000, "extended") == (by_header["window"], by_header["reported"][0]["reason"])
    assert 1_000_000 == answer(capsys, "--model", f"{MODEL}[1m]")["window"]
    assert "the beta header context-1m: ignored; the model is not known to have the large window\n" in out


@clause("WIN-018")
def test_settings_files_are_read_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first that says it counts; what is neither true nor false is told."""
    off, on, odd = (tmp_path / name for name in ("off.json", "on.json", "odd.json"))
    off.write_text('{"autoCompactEnabled": false}')
    on.write_text('{"autoCompactEnabled": true, "model": "x"}')
    odd.write_text('\ufeff{"autoCompactEnabled": "no"}', encoding="utf-8")
    model = ("--model", MODEL, "--settings")

    assert answer(capsys, *model, str(off), "--settings", str(on))["enabled"] is False
    assert answer(capsys, *model, str(on), "--settings", str(off))["enabled"] is True
    assert "the setting autoCompactEnabled: ignored, since it is neither true nor false" in said(
        capsys, *model, str(odd)
    )


@clause("WIN-020", "WIN-024")
def test_the_json_has_the_published_form(capsys: pytest.CaptureFixture[str]) -> None:
    """One object of schema keel-window/1, every key always there."""
    with_use = answer(capsys, "--model", MODEL, "--used", "147000")
    without = answer(capsys, "--model", "nobody")

    assert list(with_use) == list(without)
    assert ("keel-window/1", MODEL, 167_000) == (with_use["schema"], with_use["row"], with_use["auto"])
    assert {"rung": "auto", "tokens": 20_000} == with_use["state"]["next"]
    assert (12, True) == (with_use["state"]["percent_left"], with_use["state"]["above_warning"])
    assert (None, None) == (without["state"], without["row"])


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ((), "name it with --model"),
        (("--model", " "), "an empty --model names none"),
        (("--model", MODEL, "--used", "many"), "no whole number"),
        (("--model", MODEL, "--used", "-1"), "less than 0"),
        (("--model", MODEL, "--window", "0"), "less than 1"),
        (("--model", MODEL, "--window", "9" * 30), "is no whole number from 1 to"),
        (("--model", MODEL, "--env", "X"), "write NAME=VALUE"),
        (("--model", MODEL, "--choice", "env.number=loose"), "prefix, strict"),
        (("--model", MODEL, "--choice", "env.x=y"), "no choice of that name"),
        (("--model", MODEL, "--settings", "/no/such/file"), "cannot be read"),
        (("--model", MODEL, "--settings", "/"), "cannot be read"),
        (("--model", MODEL, "extra"), "unrecognized arguments"),
    ],
)
def test_what_cannot_be_used_is_told(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], hint: str) -> None:
    """In one line that says what to do, with exit code 2."""

    assert hint in refused(capsys, *arguments)


@pytest.mark.parametrize(
    ("text", "hint"), [("{", "is no JSON"), ("[1]", "holds no JSON object"), ("[" * 100_000, "nested too deeply")]
)
def test_a_broken_settings_file_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, hint: str
) -> None:
    """With what is wrong with it."""
    path = tmp_path / "settings.json"
    path.write_text(text)
    told = refused(capsys, "--model", MODEL, "--settings", str(path))

    assert str(path) in told
    assert hint in told


def test_somebodys_text_moves_no_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    """A model's name and a variable are shown as text, and cut."""
    out = said(capsys, "--model", "x\x1b[2J" + "y" * 500, "--env", f"{Variable.PERCENTAGE}=a\x07")

    assert "\x1b" not in out
    assert "\x07" not in out
    assert "y" * 300 not in out


def test_every_reason_has_words() -> None:
    """But for what is assumed, which names its amount."""

    assert set(ValueReason) - {ValueReason.ASSUMED} == set(WORDS)


def test_the_help_shows_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    """That one can type."""
    with pytest.raises(SystemExit):
        main(["window", "--help"])

    assert "keel-ref window --model claude-sonnet-4-5 --used 150000" in capsys.readouterr().out


def test_little_is_loaded() -> None:
    """What makes other verbs slow to start stays away: the suite's judge, the tables of the bound, the loader."""
    code = (
        "import sys; from keel_ref.cli import main; main(['window', '--model', 'm', '--used', '1']);"
        "print(*[name for name in sys.modules if name.startswith('keel_ref.')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    areas = {name.split(".")[1] for name in done.stderr.split()}

    assert not areas & {"memory", "tokens", "messages", "compaction", "adapters", "fast", "_native", "ports"}
    assert "keel_ref.conformance.match" not in done.stderr
