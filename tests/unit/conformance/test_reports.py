"""What comes out of a run: the report of record, JUnit, the text for a person, and the files of failures."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from attrs import evolve
from jsonschema import Draft202012Validator

from keel_ref.conformance import shrink
from keel_ref.conformance.exits import UsageError
from keel_ref.conformance.expected import parse_expected
from keel_ref.conformance.failures import SavedFailure, save_failures
from keel_ref.conformance.replay import Again, find_files, forget, load_saved, render_replayed, replay
from keel_ref.conformance.report_json import report_run, write_report
from keel_ref.conformance.report_junit import write_junit
from keel_ref.conformance.report_terminal import COLOURED, render_run
from keel_ref.conformance.runner import Policy, Run, run_suite
from keel_ref.conformance.select import Selection
from keel_ref.conformance.show_call import show_call
from keel_ref.conformance.wire import CallItem
from keel_ref.resources import spec_folder
from tests.unit.conformance.toy_suite import (
    ADAPTER,
    ECHOES,
    LIMITS,
    TRAP,
    command,
    echo,
    limits_for,
    make_suite,
    subject,
)

POLICY = Policy(limits=LIMITS, repeat_failures=1)
PATIENCE = {"hang": evolve(POLICY, limits=limits_for("hang"))}
LIST = echo(
    "toy-list",
    0,
    call={"fn": "toy.list", "args": {"cwd": "/r", "tree": [{"p": f"/r/{name}", "t": name} for name in "abcd"]}},
    expect={"subset": {"files": [{"p": f"/r/{name}"} for name in "abcd"]}},
    seen=["B002"],
)


def check(folder: Path, misdeed: str = "none", *vectors: dict[str, Any], policy: Policy | None = None) -> Run:
    """A run against the toy, in which it may break at the trap."""
    suite = make_suite(folder, vectors or (*ECHOES, TRAP))
    return run_suite(suite, Selection(), command(misdeed), policy or PATIENCE.get(misdeed, POLICY))


def check_list(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run in which the toy lists a tree backwards, with a reference that knows better."""

    def right(_: str, args: dict[str, Any], __: object) -> dict[str, Any]:
        return {"files": [{"p": entry["p"]} for entry in args["tree"]], "count": len(args["tree"])}

    monkeypatch.setattr(shrink, "call_reference", right)
    return check(folder, "reversed", LIST, *ECHOES)


def is_valid(document: object, schema: str) -> bool:
    """Whether a document keeps to a published schema."""
    validator = Draft202012Validator(json.loads((spec_folder() / "schema" / schema).read_bytes()))
    errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]

    assert [] == errors
    return True


def read_xml(text: str) -> ET.Element:
    """A document of our own."""
    return ET.fromstring(text)  # noqa: S314 (written a line before)


@pytest.mark.parametrize("misdeed", ["none", "wrong", "error", "die", "log", "nonce", "unclaimed", "unknown", "exit"])
def test_a_report_keeps_to_its_schema(tmp_path: Path, misdeed: str) -> None:
    """Whatever happened in the run."""

    assert is_valid(report_run(check(tmp_path, misdeed)), "report.json")


def test_a_report_with_every_verdict_keeps_to_its_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A smaller case, a broken test, an entry of the expected file, a claim that is missing."""
    expected = parse_expected({"suite": "1", "expect": [{"id": "toy-a-echo", "fails": "crash", "reason": "why"}]})
    vectors = (LIST, *ECHOES, echo("toy-part", 1, needs=["memory", "memory.part"]), echo("toy-odd", 1, expect={}))
    monkeypatch.setattr(shrink, "call_reference", lambda *_: {"files": []})
    run = check(tmp_path, "reversed", *vectors, policy=evolve(POLICY, expected=expected))

    assert is_valid(report_run(run), "report.json")
    assert is_valid(report_run(check_list(tmp_path / "list", monkeypatch)), "report.json")


def test_a_report_says_what_was_wrong(tmp_path: Path) -> None:
    """Kind, fault, place, expected and got; and it says that it is a claim."""
    report = json.loads(write_report(check(tmp_path, "wrong")))
    row = next(row for row in report["tests"] if row["id"] == "toy-m-trap")

    assert {
        "kind": "mismatch",
        "fault": "implementation",
        "message": 'value: expected "trap", got "wrong"',
        "at": "value",
        "expected": "trap",
        "got": "wrong",
    } == row["failure"]
    assert ([1, 1], {"code": 1, "reasons": ["1 test fails"]}) == (row["repeats"], report["exit"])
    assert "claim" in report["claim"].lower()
    assert sorted(row["id"] for row in report["tests"]) == [row["id"] for row in report["tests"]]


def test_junit_counts_as_build_servers_do(tmp_path: Path) -> None:
    """One case a test, a real failure, a skip for what is not claimed, an error for a broken test."""
    vectors = (*ECHOES, TRAP, echo("toy-part", 1, needs=["memory", "memory.part"]), echo("toy-odd", 1, expect={}))
    suite = read_xml(write_junit(check(tmp_path, "wrong", *vectors), {}))[0]
    case = next(case for case in suite.iter("testcase") if case.get("name") == "toy-m-trap")

    assert ("28", "1", "1", "1") == tuple(suite.get(key) for key in ("tests", "failures", "errors", "skipped"))
    failure = case.find("failure")
    assert failure is not None
    assert ("mismatch", 'value: expected "trap", got "wrong"') == (failure.get("type"), failure.get("message"))


def test_junit_says_how_to_see_a_failure_again(tmp_path: Path) -> None:
    """The clauses and both commands are properties of the case."""
    run = check(tmp_path, "wrong")
    saved = save_failures(run, tmp_path / "failures")
    properties = {each.get("name"): each.get("value") for each in read_xml(write_junit(run, saved)).iter("property")}

    assert "MEM-001" == properties["clauses"]
    assert saved["toy-m-trap"].replay == properties["replay"]
    assert saved["toy-m-trap"].shell == properties["shell"]


def test_junit_holds_nothing_that_xml_cannot(tmp_path: Path) -> None:
    """Control characters and surrogates of a message are written as escapes."""
    vector = echo("toy-odd", 0, expect={"subset": {"value": "\x00\x1b\ud800"}})
    text = write_junit(check(tmp_path, "none", vector), {})

    assert "\\\\u0000" in text or "\\u0000" in text
    assert "testsuites" == read_xml(text).tag


def test_a_person_sees_the_clause_the_place_and_the_way_back(tmp_path: Path) -> None:
    """Everything that is needed to mend it, in one block."""
    run = check(tmp_path, "wrong")
    lines = ("keel-ref replay x.json", "head -2 x | y")
    saved = {"toy-m-trap": SavedFailure(Path("x.json"), *lines)}
    text = render_run(run, saved)

    for words in (
        "FAIL  toy-m-trap",
        "MEM-001  MUST  deterministic 1/1  fault: implementation",
        "clause   What goes in comes out.",
        'expected value  "trap"',
        'got             "wrong"',
        "seen in  B001",
        "replay   keel-ref replay x.json",
        "shell    head -2 x | y",
        "tests    25 passed, 1 failed, 0 not claimed",
        "exit 1: not conformant",
    ):
        assert words in text


def test_a_person_sees_the_smallest_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Readable, with how much was left out, and the difference that belongs to it."""
    text = render_run(check_list(tmp_path, monkeypatch), {})

    assert "minimal  2 tree entries (from 4, one-minimal)" in text
    assert '/r/c  ""' in text
    assert 'expected files[0].p  "/r/c"' in text


def test_a_person_sees_the_last_words_of_a_dead_process(tmp_path: Path) -> None:
    """And that the fault is the adapter's."""
    text = render_run(check(tmp_path, "die"), {})

    assert "fault: adapter" in text
    assert "crash: the process ended with status 7" in text
    assert "stderr   about to die" in text


def test_nothing_of_an_adapter_moves_the_cursor(tmp_path: Path) -> None:
    """What it says is shown as text, escapes and bells as their codes."""
    text = render_run(check(tmp_path, "escape"), {})

    assert "internal: \\u001b[2J\\u0007 gone\\ud800" in text
    assert text.encode().isascii()


def test_colours_are_asked_for(tmp_path: Path) -> None:
    """Plain text has no escape in it."""
    run = check(tmp_path, "wrong")

    assert "\x1b" not in render_run(run, {})
    assert "\x1b[31mFAIL" in render_run(run, {}, COLOURED)


def test_a_clean_run_says_what_was_not_claimed(tmp_path: Path) -> None:
    """Beside a zero, so that nobody takes it for more than it is."""
    vectors = (*ECHOES, echo("toy-part", 1, needs=["memory", "memory.part"], clauses=["MEM-002"]))
    text = render_run(check(tmp_path, "none", *vectors), {})

    assert "exit 0: conformant in all that is claimed; 1 clause not claimed" in text


@pytest.mark.parametrize("misdeed", ["wrong", "error", "die", "hang", "internal", "declined", "now-and-then"])
def test_a_saved_failure_keeps_to_its_schema(tmp_path: Path, misdeed: str) -> None:
    """Whatever kind it is."""
    saved = save_failures(check(tmp_path, misdeed), tmp_path / "failures")

    assert ["toy-m-trap"] == list(saved)
    assert is_valid(json.loads(saved["toy-m-trap"].path.read_bytes()), "replay.json")


def test_a_smaller_case_is_saved_with_the_tests_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The request is the smallest, the original stands beside it."""
    saved = save_failures(check_list(tmp_path, monkeypatch), tmp_path / "failures")
    record = json.loads(saved["toy-list"].path.read_bytes())

    assert is_valid(record, "replay.json")
    assert ["/r/c", "/r/d"] == [entry["p"] for entry in record["request"]["calls"][0]["args"]["tree"]]
    assert 4 == len(record["original"]["call"]["args"]["tree"])
    assert {"subset": {"files": [{"p": "/r/c"}, {"p": "/r/d"}]}} == record["expected"]


def test_two_lines_show_a_failure_by_plain_shell(tmp_path: Path) -> None:
    """Without this suite: the shell line of the failure, run by a shell."""
    run = evolve(check(tmp_path, "wrong"), command=(sys.executable, str(ADAPTER), "wrong"))
    shell = save_failures(run, tmp_path / "failures")["toy-m-trap"].shell
    done = subprocess.run(["sh", "-c", shell], capture_output=True, check=True, timeout=30)
    lines = [json.loads(line) for line in done.stdout.splitlines()]

    assert "replay" == lines[0]["ok"]["nonce"]
    assert [{"ok": {"value": "wrong"}}] == lines[1]["ok"]["results"]


def test_nothing_is_saved_of_a_clean_run(tmp_path: Path) -> None:
    """Not even a folder."""
    save_failures(check(tmp_path), tmp_path / "failures")

    assert not (tmp_path / "failures").exists()


@pytest.mark.parametrize(
    ("before", "now", "again"),
    [
        ("wrong", "none", Again.FIXED),
        ("wrong", "wrong", Again.STILL_FAILS),
        ("wrong", "error", Again.NOW_DIFFERENT),
        ("die", "die", Again.STILL_FAILS),
        ("die", "none", Again.FIXED),
        ("die", "internal", Again.NOW_DIFFERENT),
        ("wrong", "misshapen", Again.NOW_DIFFERENT),
    ],
)
def test_a_replay_says_what_became_of_a_failure(tmp_path: Path, before: str, now: str, again: Again) -> None:
    """Right, as wrong as before, or wrong otherwise."""
    run = check(tmp_path, before)
    saved = load_saved(save_failures(run, tmp_path / "failures")["toy-m-trap"].path)
    process = subject(now)
    try:
        process.start()
        replayed = replay(saved, process, run.suite)
    finally:
        process.close()

    assert again is replayed.again
    assert f"{again.value:<13} toy-m-trap" == next(render_replayed(replayed, run.suite))


def test_a_smaller_case_that_passes_is_not_fixed_while_the_test_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both must pass before the files may go."""
    run = check_list(tmp_path, monkeypatch)
    path = save_failures(run, tmp_path / "failures")["toy-list"].path
    record = json.loads(path.read_bytes())
    record["request"]["calls"][0]["args"]["tree"] = [{"p": "/r/a", "t": ""}]
    record["expected"] = {"subset": {"files": [{"p": "/r/a"}]}}
    path.write_text(json.dumps(record), encoding="utf-8")
    process = subject("reversed")
    try:
        process.start()
        replayed = replay(load_saved(path), process, run.suite)
    finally:
        process.close()

    assert Again.NOW_DIFFERENT is replayed.again


def test_the_files_of_what_is_fixed_go(tmp_path: Path) -> None:
    """Both of them."""
    saved = save_failures(check(tmp_path, "wrong"), tmp_path / "failures")["toy-m-trap"]
    forget(load_saved(saved.path))

    assert [] == list((tmp_path / "failures").iterdir())


def test_a_folder_of_failures_is_read_in_order(tmp_path: Path) -> None:
    """Only the files that tell everything."""
    for name in ("b.json", "a.json", "a.ndjson"):
        (tmp_path / name).touch()

    assert [tmp_path / "x.json", tmp_path / "a.json", tmp_path / "b.json"] == find_files(
        [tmp_path / "x.json"], tmp_path
    )


def test_nothing_to_replay_is_the_callers_mistake(tmp_path: Path) -> None:
    """An empty folder is no success."""
    with pytest.raises(UsageError, match="nothing to replay"):
        find_files([], tmp_path)
    with pytest.raises(UsageError, match="nothing to replay"):
        find_files([], None)


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", '{"schema":"keel-replay/1"}', '{"schema":"keel-replay/1","request":1}']
)
def test_what_is_no_failure_file_is_refused(tmp_path: Path, content: str) -> None:
    """With its name."""
    path = tmp_path / "odd.json"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(UsageError, match=r"odd\.json"):
        load_saved(path)


def test_a_call_is_shown_entry_by_entry() -> None:
    """Text, bytes, links, kinds and refusals, and what else was given."""
    tree = [
        {"p": "/r/a.md", "t": "one\ntwo"},
        {"p": "/r/b.md", "b64": "/w==", "mtime": 7},
        {"p": "/r/l.md", "link": "a.md"},
        {"p": "/r/f", "kind": "fifo"},
        {"p": {"b64": "L3Iv/w=="}, "t": "", "deny": "read"},
    ]
    lines = list(show_call(CallItem(fn="memory.load", args={"cwd": "/r", "tree": tree, "bare": True}, config={})))

    assert '/r/a.md              "one\\ntwo"' == lines[0]
    assert "bytes /w==, mtime 7" in lines[1]
    assert "-> a.md" in lines[2]
    assert "fifo" in lines[3]
    assert '{"b64": "L3Iv/w=="}  "", deny read' == lines[4]
    assert ["memory.load in /r with bare=true", "under {}"] == lines[5:]


def test_a_large_tree_is_shown_in_part() -> None:
    """With how much more there is; the file of the failure holds it all."""
    tree = [{"p": f"/r/{number}", "t": ""} for number in range(40)]
    lines = list(show_call(CallItem(fn="memory.load", args={"tree": tree})))

    assert ["… and 24 more", "memory.load"] == lines[16:]


@pytest.mark.parametrize(("is_strict", "failures", "skipped"), [(False, "0", "1"), (True, "1", "0")])
def test_junit_fails_where_the_run_fails(tmp_path: Path, failures: str, skipped: str, *, is_strict: bool) -> None:
    """A SHOULD that is not met turns no build red unless it was asked to; what came is told all the same."""
    vectors = (*ECHOES, echo("toy-m-trap", "trap", clauses=["MEM-002"]))
    run = check(tmp_path, "wrong", *vectors, policy=evolve(POLICY, is_should_strict=is_strict))
    suite = read_xml(write_junit(run, {}))[0]

    assert (failures, skipped) == (suite.get("failures"), suite.get("skipped"))
    assert int(failures) == int(run.conclusion.code)
    assert 'expected "trap", got "wrong"' in ET.tostring(suite, encoding="unicode").replace("&quot;", '"')


def test_what_an_adapter_says_of_itself_may_change_no_byte(tmp_path: Path) -> None:
    """Only what a hello may tell is kept of it: no process id, and nothing that is no text."""
    reports = [write_report(check(tmp_path / name, "talkative")) for name in "ab"]

    assert reports[0] == reports[1]
    assert {"name": "toy"} == json.loads(reports[0])["impl"]
