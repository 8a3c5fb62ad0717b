"""`keel-ref calibrate` as its user meets it: by a tokenizer on this disk, and by a server on this machine."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from tokenizers import Tokenizer, models

from keel_ref import estimate_text, load_family
from keel_ref.adapters import anthropic_api
from keel_ref.adapters.anthropic_api import ApiCounter
from keel_ref.adapters.hf_tokenizers import load_tokenizer
from keel_ref.cli import calibrate_texts, main
from keel_ref.conformance.marks import clause
from keel_ref.tokens.windows import draw
from tests.adapters.counting_server import Answer, CountingServer, count, counting_server, hang_up, say
from tests.adapters.small_tokenizer import save_small_tokenizer


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real one."""
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    save_small_tokenizer(path)
    return path


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Five files of more than twenty windows each."""
    folder = tmp_path_factory.mktemp("books")
    paths = [folder / f"{name}.md" for name in "abcde"]
    for path in paths:
        lines = (f"{path.name}, rule {n * n}: what {n % 17} texts cost, `tokens[{n}]`\n" for n in range(1_000))
        path.write_text("".join(lines))
    return paths


@pytest.fixture
def texts(tmp_path: Path) -> list[Path]:
    """Three short files."""
    paths = [tmp_path / f"{name}.txt" for name in "abc"]
    for path in paths:
        path.write_text(f"This is the text {path.name}. " * 40)
    return paths


@frozen
class Setting:
    """A counting server, texts to count there, and where the table goes."""

    server: CountingServer
    texts: list[Path]
    out: Path

    def run(self, *more: str) -> int:
        """The exit code of a run of the verb."""
        words = [*map(str, self.texts), "--model", "a-model", "--base-url", self.server.url, "--out", str(self.out)]
        return main(["calibrate", *words, *more])

    @property
    def asked(self) -> int:
        """Requests so far."""
        return len(self.server.bodies)


@pytest.fixture
def setting(monkeypatch: pytest.MonkeyPatch, texts: list[Path], tmp_path: Path) -> Iterator[Setting]:
    """All of it, in an environment in which the package finds a key and nothing else."""
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "of-the-test")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(anthropic_api, "FIRST_WAIT_SECONDS", 0.0)
    with counting_server() as served:
        yield Setting(served, texts, tmp_path / "mine.json")


def spoken(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    """Exit code, stdout and stderr; a mistake that the parser finds ends with a code too."""
    try:
        code = main(["calibrate", *map(str, words)])
    except SystemExit as end:
        code = int(end.code or 0)
    output = capsys.readouterr()
    return code, output.out, output.err


def provenance(path: Path) -> dict[str, Any]:
    """Where a table says that it comes from."""
    found: dict[str, Any] = json.loads(path.read_text())["provenance"]
    return found


@clause("EST-030")
def test_a_table_for_ones_own_tokenizer(
    tokenizer: Path, books: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every window that was fitted is at or above its real count, and the file works everywhere."""
    out = tmp_path / "mine.json"
    code, said, _ = spoken(capsys, *books, "--tokenizer", tokenizer, "--out", out, "--max-calls", "60")
    family, counter = load_family(out), load_tokenizer(tokenizer)
    fitted = draw([path.read_text(encoding="utf-8") for path in books], 60).fitted

    assert 0 == code
    assert all(
        0 < (counter.count_text(window.text) or 0) <= estimate_text(window.text, family=family) for window in fitted
    )
    assert f"wrote {out}; use it as --family {out}" in said
    assert 0 == main(["estimate", "--family", str(out), str(books[0])])
    assert "tokens by the bound of mine" in capsys.readouterr().out


@clause("EST-030")
def test_the_table_says_where_it_comes_from(
    tokenizer: Path, books: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who counted, how much, and what it is worth on what was fitted and on what was held out."""
    out = tmp_path / "mine.json"
    spoken(capsys, *books, "--tokenizer", tokenizer, "--out", out, "--max-calls", "60")
    found = provenance(out)

    assert (60, 1_050, 2_000, None) == tuple(
        found[key] for key in ("calls", "safety_permille", "window_characters", "model")
    )
    assert found["counter"].startswith("tokenizer ")
    assert (40, 20) == (found["fitted"]["windows"], found["held_out"]["windows"])
    assert (0, True) == (found["fitted"]["below"], found["fitted"]["worst_permille"] >= 1_000)
    assert ["files", "windows", "below", "worst_permille", "median_permille"] == list(found["held_out"])


def test_equal_texts_give_an_equal_table(
    tokenizer: Path, books: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever the order of the files; the base can be said."""
    paths = [tmp_path / name / "mine.json" for name in "ab"]
    for path, order in zip(paths, (1, -1), strict=True):
        path.parent.mkdir()
        files = books[::order]
        spoken(capsys, *files, "--tokenizer", tokenizer, "--out", path, "--max-calls", "30", "--family", "claude")
    first, second = (json.loads(path.read_text()) for path in paths)

    assert first | {"provenance": None} == second | {"provenance": None}
    assert "claude" == provenance(paths[0])["base"]


def test_the_counting_call(setting: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    """One call for each window and one for the frame, which is taken off; a second run asks nothing."""
    code = setting.run()
    said, table = capsys.readouterr().out, setting.out.read_bytes()

    assert (0, 4) == (code, setting.asked)
    assert {"a-model"} == {body["model"] for body in setting.server.bodies}
    assert (7, 4, "a-model") == tuple(provenance(setting.out)[key] for key in ("frame_tokens", "calls", "model"))
    assert "with fewer than 20 fitted windows none nearer can be chosen), its weights times " in said
    assert ", then 1.050 for safety\n" in said
    assert (0, 4) == (setting.run(), setting.asked)
    assert table == setting.out.read_bytes()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (say(429, {"error": {"message": "slow down"}}, retry_after="0"), "the server answers 429: slow down"),
        (say(429, {}, retry_after="3600"), "asks to wait 3600 seconds"),
        (say(500, {}), "the server answers 500"),
        (say(401, {}), "the server answers 401"),
        (say(200, b"garbage"), "stopped at 2 of 4"),
        (hang_up, "Connection error"),
    ],
)
def test_what_stops_it_loses_nothing(
    setting: Setting, capsys: pytest.CaptureFixture[str], answer: Answer, said: str
) -> None:
    """Exit 4, how to go on, no table; the same command asks for what is missing and for nothing else."""
    setting.server.answers += [count, count, answer, answer, answer]
    code, err = setting.run(), capsys.readouterr().err
    setting.server.answers.clear()
    asked = setting.asked

    assert 4 == code
    assert said in err
    assert "stopped at 2 of 4 counts: " in err
    assert f"they are kept in {setting.out}.state; the same command goes on from there" in err
    assert not setting.out.exists()
    assert (0, 2) == (setting.run(), setting.asked - asked)


def test_a_server_that_does_not_answer_stops_it(
    setting: Setting, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time for an answer is limited, and what was counted is kept."""

    def hold(request: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        setting.server.patience.wait()
        request.close_connection = True

    hurried = partial(anthropic_api.connect, timeout_seconds=0.05)
    monkeypatch.setattr(anthropic_api, "connect", hurried)
    setting.server.answers += [count, hold, hold, hold]

    assert 4 == setting.run()
    assert "stopped at 1 of 4 counts: Request timed out" in capsys.readouterr().err


def test_ctrl_c_loses_nothing(
    setting: Setting, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 130, and the counts so far are kept."""
    ask = ApiCounter.count_text

    def broken_off(counter: ApiCounter, text: str) -> int | None:
        if counter.requests == 3:
            raise KeyboardInterrupt
        return ask(counter, text)

    with monkeypatch.context() as patch:
        patch.setattr(ApiCounter, "count_text", broken_off)
        code = setting.run()

    assert (130, True) == (code, "stopped at 3 of 4 counts: broken off" in capsys.readouterr().err)
    assert (0, 4) == (setting.run(), setting.asked)


def test_never_more_calls_than_allowed(setting: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    """Retries among them; what is missing then comes with the next run."""
    setting.server.answers.append(say(500, {}))
    code = setting.run("--max-calls", "3")

    assert (4, 3) == (code, setting.asked)
    assert "stopped at 2 of 3 counts: all 3 calls that were allowed are made" in capsys.readouterr().err
    assert (0, 4) == (setting.run("--max-calls", "3"), setting.asked)


def test_a_dry_run_sends_nothing(
    setting: Setting, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says how many calls, and about how many tokens, and what is there already; it needs no key and no package."""
    expected = sum(estimate_text(path.read_text()) for path in setting.texts) + estimate_text(".")
    with monkeypatch.context() as patch:
        patch.delenv("ANTHROPIC_API_KEY")
        patch.setitem(sys.modules, "anthropic", None)
        code, said = setting.run("--dry-run"), capsys.readouterr().out

    assert (0, 0) == (code, setting.asked)
    assert f"4 calls for the model a-model, about {expected:,} tokens (the bound of any) in all" in said
    assert "200 calls are allowed\nnothing was sent\n" in said
    assert [] == [path for path in setting.out.parent.iterdir() if path.name.startswith("mine")]
    setting.run()
    setting.run("--dry-run")
    again = capsys.readouterr().out
    assert "0 calls for the model a-model, about 0 tokens" in again
    assert f"4 counts are in {setting.out}.state already" in again


def test_a_tokenizer_that_fails_stops_it(texts: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 4 with its words, and no traceback."""
    path, out = tmp_path / "tokenizer.json", tmp_path / "mine.json"
    Tokenizer(models.WordLevel({"known": 0}, unk_token="[UNK]")).save(str(path))
    code, _, err = spoken(capsys, *texts, "--tokenizer", path, "--out", out)

    assert (4, 1) == (code, err.count("\n"))
    assert "stopped at 0 of 3 counts: the tokenizer cannot count this text (WordLevel error" in err


def test_a_missing_key_is_said_before_anything_is_counted(
    setting: Setting, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 2, with the name of the variable; where all is counted already none is needed."""
    with monkeypatch.context() as patch:
        patch.delenv("ANTHROPIC_API_KEY")
        code, err = setting.run(), capsys.readouterr().err
    assert (2, 0) == (code, setting.asked)
    assert "keel-ref: there is no key for the provider; set ANTHROPIC_API_KEY, or count with --tokenizer FILE\n" == err
    assert [] == [path for path in setting.out.parent.iterdir() if "mine" in path.name]

    assert 0 == setting.run()
    with monkeypatch.context() as patch:
        patch.delenv("ANTHROPIC_API_KEY")
        assert 0 == setting.run()


@pytest.mark.skipif(sys.platform != "linux", reason="here even root can make no file below /proc")
@pytest.mark.parametrize("option", ["--out", "--state"])
def test_a_file_that_cannot_be_written_is_said_before_anything_is_counted(
    setting: Setting, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    """Exit 2, and no call is made; later they would be paid for in vain."""
    code, err = setting.run(option, "/proc/mine"), capsys.readouterr().err

    assert (2, 0, 1) == (code, setting.asked, err.count("\n"))
    assert f"keel-ref: {option} /proc/mine: cannot be written (No such file or directory); name " in err


@pytest.mark.parametrize("address", ["htp://x", "x", "http://", "http://h:99999", "http://[::1", "http://\0", ""])
def test_an_address_that_is_none_is_said_before_anything_is_counted(
    setting: Setting, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """Exit 2, from the option as from the variable."""
    words = [str(setting.texts[0]), "--model", "a-model", "--out", str(setting.out)]

    assert 2 == main(["calibrate", *words, "--base-url", address])
    assert "is no address; write one such as https://HOST" in capsys.readouterr().err
    if address and "\0" not in address:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
        assert 2 == main(["calibrate", *words])


def test_a_file_that_is_no_text_is_left_out(
    tokenizer: Path, texts: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By name, on stderr; replaced bytes would be fitted to."""
    texts[0].write_bytes(b"caf\xe9 " * 100)
    out = tmp_path / "mine.json"
    code, _, err = spoken(capsys, *texts, "--tokenizer", tokenizer, "--out", out)

    assert (0, f"keel-ref: {texts[0]}: is no UTF-8 at byte 3, so it is left out\n") == (code, err)
    assert (1, 1) == (provenance(out)["fitted"]["files"], provenance(out)["held_out"]["files"])


def test_a_file_that_is_cut_is_said(
    tokenizer: Path,
    texts: list[Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where the cut goes through a character."""
    monkeypatch.setattr(calibrate_texts, "TEXT_CAP_BYTES", 1_000)
    texts[0].write_text("né" * 400)
    code, _, err = spoken(capsys, texts[0], "--tokenizer", tokenizer, "--out", texts[0].parent / "mine.json")

    assert 0 == code
    assert f"keel-ref: {texts[0]}: is larger than 1,000 bytes, so only so many of its bytes are drawn from\n" == err


def test_one_file_holds_nothing_out(
    tokenizer: Path, texts: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which is said."""
    out = tmp_path / "mine.json"
    _, said, _ = spoken(capsys, texts[0], "--tokenizer", tokenizer, "--out", out)

    assert "nothing was held out" in said
    assert None is provenance(out)["held_out"]["worst_permille"]


@clause("EST-030")
def test_a_count_that_no_table_reaches_is_said(setting: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 1 and a line that says so; the table is written, with its figures."""
    setting.server.answers += [say(200, {"input_tokens": 8})] + [say(200, {"input_tokens": 9_000})] * 3
    code, output = setting.run("--family", "claude"), capsys.readouterr()

    assert 1 == code
    assert "keel-ref: 2 of 2 fitted windows lie below their count" in output.err
    assert "of the weights came out above 255, the largest that a table holds, and are 255" in output.out
    assert (2, 2) == (provenance(setting.out)["fitted"]["below"], provenance(setting.out)["unreachable_windows"])


@clause("EST-030")
def test_capped_weights_do_not_break_the_promise(setting: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    """The others are raised until every fitted window is at or above its count."""
    counts = [say(200, {"input_tokens": 8})] + [say(200, {"input_tokens": 2_500})] * 3
    setting.server.answers += counts
    code, output = setting.run("--family", "claude"), capsys.readouterr()
    found = provenance(setting.out)

    assert (0, "") == (code, output.err)
    assert 0 < found["capped_weights"]
    assert (0, 0) == (found["fitted"]["below"], found["unreachable_windows"])
    assert 1_000 < found["raised_permille"]
    assert "are 255; for it the others are raised, times" in output.out


def test_counts_of_nothing_fit_nothing(setting: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    """A counter that says 0 to everything is no ground for a table."""
    setting.server.answers += [say(200, {"input_tokens": 0})] * 4

    assert (2, True) == (setting.run(), "every count is 0" in capsys.readouterr().err)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{t}", "--out", "{o}"], "one of the arguments --tokenizer --model is required"),
        (["{t}", "--tokenizer", "{k}", "--model", "m", "--out", "{o}"], "not allowed with"),
        (["{t}", "--tokenizer", "{k}", "--base-url", "http://x", "--out", "{o}"], "--base-url goes with --model"),
        (["{t}", "--tokenizer", "{k}"], "--out"),
        (["{t}", "--model", "m", "--out", "{o}", "--max-calls", "1"], "1 is less than 2"),
        (["{t}", "--model", "m", "--out", "{t}"], "is no table of a family"),
        (["{t}", "--model", "m", "--out", "{d}"], "it is a folder"),
        (["{t}", "--model", "m", "--out", "{d}/gone/mine.json"], "lies in none that exists"),
        (["{t}", "--model", "m", "--out", "{o}", "--state", "{o}"], "the table goes there"),
        (["{t}", "--model", "m", "--out", "{o}", "--state", "{t}"], "another kind of file"),
        (["{t}", "--model", "m", "--out", "{o}", "--family", "claud"], "is no file and none of"),
        (["{d}", "--model", "m", "--out", "{o}"], "is a folder"),
        (["{d}/gone", "--model", "m", "--out", "{o}"], "cannot be read (No such file"),
        (["/dev/null", "--model", "m", "--out", "{o}"], "no text in these files"),
        (["{t}", "--tokenizer", "{t}", "--out", "{o}"], "holds no tokenizer"),
        (["{t}", "--tokenizer", "{d}/gone", "--out", "{o}"], "cannot be read"),
        (
            ["{t}", "--tokenizer", "{k}", "--out", "{d}/claude.json"],
            "name the file otherwise, as in my-claude",
        ),
        (["{t}", "--model", "m", "--out", "{o}", "--state", "/dev/zero"], "it is no file that can be added to"),
        (["{b}", "--model", "m", "--out", "{o}"], "none of these files is a text in UTF-8"),
    ],
)
def test_bad_input_ends_with_two_and_says_what_to_do(
    tokenizer: Path, texts: list[Path], capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    """Before anything is counted; the files of the user stay as they are."""
    before, folder = texts[0].read_bytes(), texts[0].parent
    broken = folder / "broken"
    broken.write_bytes(b"\xff\xfe")
    places = {"b": broken, "t": texts[0], "k": tokenizer, "o": folder / "mine.json", "d": folder}
    code, out, err = spoken(capsys, *(word.format(**places) for word in words))

    assert (2, "") == (code, out)
    assert said in err
    assert (before, False) == (texts[0].read_bytes(), (folder / "mine.json").exists())
