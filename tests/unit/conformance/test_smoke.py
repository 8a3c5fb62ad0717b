"""The ladder for a new adapter: every rung can be red, and a red one says what to do."""

import json
from pathlib import Path

import pytest

from keel_ref.cli import main
from keel_ref.conformance.clauses import heading_anchor
from keel_ref.conformance.exits import ExitCode
from keel_ref.conformance.smoke import NAMES, Colour, Rung, climb
from keel_ref.conformance.subject import Limits
from keel_ref.conformance.suite import load_suite
from keel_ref.resources import spec_folder
from tests.unit.conformance.skeletons import skeleton
from tests.unit.conformance.toy_suite import command

QUICK = Limits(timeout_ms=500, handshake_timeout_ms=500)
SUITE = load_suite()
PINGS = '    if op in ("ping", "bye"):\n'


def ladder(command: tuple[str, ...], limits: Limits = QUICK) -> tuple[Rung, ...]:
    """Every rung that was tried."""
    return tuple(climb(command, SUITE, limits=limits))


def test_the_skeleton_climbs_to_the_top(tmp_path: Path) -> None:
    """Only the rung for programs, which nobody can run yet, is left out, with a word."""
    rungs = ladder(skeleton(tmp_path))

    assert NAMES == tuple(rung.name for rung in rungs)
    assert [7] == [rung.number for rung in rungs if rung.colour is not Colour.GREEN]
    assert rungs[6].note


@pytest.mark.parametrize(
    ("misdeed", "moment", "number", "words"),
    [
        ("exit", "hello", 1, "ended with status 1"),
        ("die-mid-line", "hello", 1, "in the middle of a line"),
        ("hang", "hello", 2, "no answer within the limit"),
        ("banner", "hello", 2, "not JSON"),
        ("log-json", "hello", 2, "no id"),
        ("bad-utf8", "hello", 2, "not UTF-8"),
        ("wrong-id", "hello", 2, "never sent"),
        ("nonce", "hello", 3, "nonce"),
        ("wire", "hello", 4, "no shared wire version"),
        ("choice", "hello", 4, "memory.identity"),
    ],
)
def test_a_bad_handshake_is_red_at_its_rung(misdeed: str, moment: str, number: int, words: str) -> None:
    """The rungs below are green, none above is tried, and the note says what happened."""
    *below, last = ladder(command(misdeed, moment))

    assert (number, Colour.RED) == (last.number, last.colour)
    assert words in last.note
    assert {Colour.GREEN} >= {rung.colour for rung in below}


@pytest.mark.parametrize(
    ("old", "new", "number", "words"),
    [
        ('files.append({"p": path', 'files.append({"p": path + "x"', 5, "must list one file, /r/CLAUDE.md"),
        (
            'return {"files": files',
            'raise Refused("not_a_folder", "x")\n    return {"files": files',
            5,
            "a result was due",
        ),
        ('return {"files": files', 'return {"fils": files', 5, "breaks the schema"),
        ('raise Refused("unknown_function"', 'raise Refused("invalid_argument"', 6, '"unknown_function"'),
        ('raise Refused("unknown_function", f', "raise TypeError(f", 6, "internal"),
        ("except ValueError as fault", "except KeyError as fault", 8, "ended with status 1"),
    ],
)
def test_a_bad_answer_is_red_at_its_rung(tmp_path: Path, old: str, new: str, number: int, words: str) -> None:
    """What shakes hands rightly may still answer wrongly."""
    last = ladder(skeleton(tmp_path, (old, new)))[-1]

    assert (number, Colour.RED) == (last.number, last.colour)
    assert words in last.note


def test_a_command_that_cannot_be_run_is_the_first_rung() -> None:
    """Nothing was sent, so nothing is shown as sent."""
    (rung,) = ladder(("./no-such-adapter",))

    assert (1, Colour.RED, ()) == (rung.number, rung.colour, rung.sent)
    assert "./no-such-adapter: cannot be run" in rung.note


def test_a_red_rung_shows_both_directions(tmp_path: Path) -> None:
    """Whoever wrote the adapter sees what it was asked and what it said."""
    last = ladder(skeleton(tmp_path, ('if op == "hello":', 'if op == "hello":\n        return {}')))[-1]

    assert ["hello"] == [json.loads(line)["op"] for line in last.sent]
    assert ({"id": 0, "ok": {}},) == tuple(json.loads(line) for line in last.received)


def test_a_red_rung_shows_the_last_words_of_a_process() -> None:
    """What it wrote on stderr before it died is mostly the whole answer."""
    (rung,) = ladder(command("die", "hello"))

    assert ("about to die",) == rung.stderr


def test_a_bad_hello_shows_the_last_words_too() -> None:
    """The process lives, and what it wrote says why its hello is as it is."""
    *_, rung = ladder(command("nonce", "hello"))

    assert (3, ("the cache is stale",)) == (rung.number, rung.stderr)


def test_nothing_of_an_adapter_moves_the_cursor(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Neither its words on stderr nor its names."""
    adapter = skeleton(
        tmp_path,
        ('{"memory": {}}', '{"\\x1b[2J": []}'),
        ("def main():", "def main():\n    print('\\x1b[2J', file=sys.stderr, flush=True)"),
    )
    main(["smoke", "--", *adapter])
    out = capsys.readouterr().out

    assert "4  red" in out
    assert "\\u001b[2J" in out
    assert "\x1b" not in out


def test_a_misspelt_claim_is_named_with_what_was_meant(tmp_path: Path) -> None:
    """It counts for nothing in a run, so the ladder says so where there is still time."""
    rungs = ladder(skeleton(tmp_path, ('{"memory": {}}', '{"memory": {}, "memory.include": {}}')))

    assert Colour.GREEN is rungs[3].colour
    assert "capability memory.include; did you mean memory.includes" in rungs[3].note


def test_what_is_not_claimed_is_not_called(tmp_path: Path) -> None:
    """An adapter without memory has no fifth rung, but the others."""
    rungs = ladder(skeleton(tmp_path, ('{"memory": {}}', "{}")))

    assert Colour.SKIPPED is rungs[4].colour
    assert len(NAMES) == len(rungs)


def test_every_section_named_is_in_the_protocol() -> None:
    """A red rung sends the reader to a heading that exists."""
    headings = [line.lstrip("# ") for line in (spec_folder() / "protocol.md").read_text("utf-8").splitlines()]
    anchors = {f"protocol.md#{heading_anchor(heading)}" for heading in headings}
    rungs = [ladder(command(misdeed, "hello"))[-1] for misdeed in ("exit", "banner", "nonce", "wire")]

    assert {rung.section for rung in rungs} <= anchors
    assert all(rung.section for rung in rungs)


@pytest.mark.parametrize(
    ("adapter", "code"),
    [
        (command("nonce", "hello"), ExitCode.ADAPTER),
        (command("none"), ExitCode.NOT_CONFORMANT),
        ((), ExitCode.CONFORMANT),
    ],
)
def test_the_verb_ends_with_the_code_of_its_last_rung(
    capsys: pytest.CaptureFixture[str], adapter: tuple[str, ...], code: ExitCode
) -> None:
    """3 without a handshake, 1 for a red rung above it, 0 at the top; without a command the reference climbs."""
    words = ["smoke", "--timeout", "5000", *(["--", *adapter] if adapter else [])]

    assert code == main(words)
    assert "1  green    starts" in capsys.readouterr().out


def test_the_verb_explains_what_is_red(capsys: pytest.CaptureFixture[str]) -> None:
    """Sent, received, where to read, and what was not tried."""
    main(["smoke", "--", *command("nonce", "hello")])
    out = capsys.readouterr().out

    assert "3  red      repeats the nonce: hello: the nonce did not come back as it was sent" in out
    assert '     received  {"id": 0, "ok": {"wire": 1, "nonce": "other"' in out
    assert '     sent      {"id":0,"op":"hello"' in out
    assert "     read      spec/protocol.md#hello\n  rungs 4 to 8 were not tried\n" in out


def test_the_verb_speaks_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One document, and nothing else on stdout."""
    code = main(["smoke", "--json", "--", *skeleton(tmp_path)])
    document = json.loads(capsys.readouterr().out)

    assert (ExitCode.CONFORMANT, "keel-smoke/1") == (code, document["schema"])
    assert [*range(1, 9)] == [rung["number"] for rung in document["rungs"]]
