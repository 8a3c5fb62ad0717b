"""The expected-failure file is kept exact, and what people wrote in it is kept."""

import datetime as dt
from pathlib import Path

import pytest

from keel_ref.cli import main
from keel_ref.conformance.baseline import REASON, Change, Kind, apply_changes, find_changes, find_stale, pin_run
from keel_ref.conformance.exits import ExitCode, UsageError
from keel_ref.conformance.expected import Entry, load_expected
from keel_ref.conformance.expected_text import (
    ExpectedText,
    add_entry,
    change_entry,
    parse_text,
    remove_entry,
    render_entry,
    set_head,
    start_text,
)
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.reference import suite_version
from keel_ref.conformance.runner import Policy, Run, run_suite
from keel_ref.conformance.select import Selection
from keel_ref.conformance.verdict import Repeats
from tests.unit.conformance.skeletons import skeleton
from tests.unit.conformance.toy_suite import LIMITS, command, echo, make_suite

FILE = """\
# our failures
suite = "1.0.0"   # pinned
min_tests = 3

# about a
[[expect]]  # the first
id = "toy-a"  # a test
fails = "crash" # why
message = "x#y"
reason = "it is # hard"

# --- a section ---

# about b,
# in two lines
[[expect]]
id = "toy-b"
fails   =  'mismatch'
reason = '''two
lines'''
issue = "https://example.org/1"
# the end
"""


def test_a_file_is_the_sum_of_its_pieces() -> None:
    """Cutting it changes nothing, and each comment is with the entry it stands above."""
    document = parse_text(FILE)

    assert FILE == document.text
    assert ["toy-a", "toy-b"] == [block.entry.id for block in document.blocks]
    assert document.blocks[1].text.startswith("# about b,\n# in two lines\n[[expect]]\n")


def test_an_entry_that_is_changed_keeps_everything_else() -> None:
    """Only the values change, in their places; comments behind them stay."""
    document = parse_text(FILE)
    document = change_entry(document, document.blocks[0], fails="timeout", message='say "no" # now')
    document = change_entry(document, document.blocks[1], fails="declined", message="files[1]")
    expected = FILE.replace('"crash" # why', '"timeout" # why').replace('"x#y"', '"say \\"no\\" # now"')
    expected = expected.replace("'mismatch'\n", '"declined"\nmessage = "files[1]"\n')

    assert expected == document.text


def test_a_message_that_no_longer_holds_is_taken_out() -> None:
    """An entry without a message is about any message."""
    document = parse_text(FILE)

    assert (
        FILE.replace('message = "x#y"\n', "")
        == change_entry(document, document.blocks[0], fails="crash", message="").text
    )


def test_an_entry_that_is_removed_takes_its_own_comment_along_and_no_other() -> None:
    """The comment above the next entry, and what parts sections, is not about it."""
    document = parse_text(FILE)
    without_a = remove_entry(document, document.blocks[0]).text
    without_b = remove_entry(document, document.blocks[1]).text

    assert FILE[: FILE.index("# about a")] + FILE[FILE.index("\n# --- a section") :] == without_a
    assert FILE[: FILE.index("# about b")] + "# the end\n" == without_b


def test_successors_stand_in_the_place_of_an_entry() -> None:
    """A glob that gives way to single tests leaves its order and the comments around it."""
    document = parse_text(FILE)
    one, two = (Entry(id=name, fails=FailureKind.CRASH, reason="as before") for name in ("toy-c", "toy-d"))
    changed = remove_entry(document, document.blocks[0], (one, two))

    assert ["toy-c", "toy-d", "toy-b"] == [block.entry.id for block in changed.blocks]
    assert "# --- a section ---" in changed.text


@pytest.mark.parametrize(
    "entry",
    [
        Entry(id="toy-a", fails=FailureKind.MISMATCH, reason="plain"),
        Entry(
            id="toy-a", fails=FailureKind.CRASH, message='files[0] "é" \\ \t\x01\x7f', reason="’", issue="https://x.y/1"
        ),
        Entry(
            id="toy-*",
            fails=FailureKind.TIMEOUT,
            reason="r",
            until=dt.date(2027, 3, 1),
            flaky=Repeats(failed=2, runs=5),
        ),
    ],
)
@pytest.mark.parametrize("start", [FILE, FILE.rstrip("\n"), start_text("1.0.0").text, 'suite = "1"\r\n'])
def test_a_new_entry_comes_back_as_it_was_written(entry: Entry, start: str) -> None:
    """Quotes, controls and every field survive, whatever the file ended with."""
    document = add_entry(parse_text(start), entry)

    assert entry == document.blocks[-1].entry
    assert document.text.startswith(start)
    assert document.text.endswith(f"\n\n{render_entry(entry)}")


def test_the_head_is_set_where_it_stands() -> None:
    """The comment behind the version stays; a count that was missing is put below it."""
    document = set_head(parse_text(FILE), suite="2.0.0", min_tests=9)
    new = set_head(start_text("1.0.0"), suite="2.0.0", min_tests=9)

    assert FILE.replace('"1.0.0"   # pinned\nmin_tests = 3', '"2.0.0"   # pinned\nmin_tests = 9') == document.text
    assert new.text.endswith('suite = "2.0.0"\nmin_tests = 9\n')


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('suite = "1"\nexpect = [{id = "toy-a", fails = "crash", reason = "r"}]\n', "a block of its own"),
        (FILE.replace("two\nlines", "two\n[[expect]]\nlines"), "a block of its own"),
        ('suite = "1"\n[[expect]\n', "at line 2"),
        ('suite = "1"\n[[expect]]\nid = "toy-a"\n', "fails must be a text"),
        ("min_tests = 1\n", "suite must be a text"),
    ],
)
def test_a_file_that_cannot_be_edited_is_refused(text: str, problem: str) -> None:
    """What is not understood is not touched."""

    with pytest.raises(UsageError, match=problem.replace("[", r"\[")):
        parse_text(text)


def test_a_value_in_several_lines_is_not_edited() -> None:
    """The way it was written would be lost, so it is left to whoever wrote it."""
    document = parse_text(FILE.replace('"crash" # why', '"""\\\n  crash"""'))

    with pytest.raises(UsageError, match="change it by hand"):
        change_entry(document, document.blocks[0], fails="timeout", message="")


SUITE = [
    echo("toy-a-right", "a"),
    echo("toy-b-trap", "trap"),
    echo("toy-c-wrong", "c", expect={"subset": {"value": "d"}}),
    echo("toy-d-should", "trap", clauses=["MEM-002"]),
    echo("toy-e-unclaimed", "e", needs=["memory", "memory.part"]),
]
"""With the misdeed `wrong` b, c and d fail."""


def toy_run(
    folder: Path, text: str = "", misdeed: str = "wrong", selection: Selection | None = None
) -> tuple[ExpectedText, Run]:
    """The toy suite, judged by a file."""
    suite = make_suite(folder, SUITE)
    document = parse_text(f'suite = "{suite.version}"\n{text}')
    policy = Policy(limits=LIMITS, repeat_failures=3, shrink_failures=0, expected=document.parse())
    return document, run_suite(suite, selection or Selection(), command(misdeed), policy)


def entry(name: str, fails: str = "mismatch", more: str = "") -> str:
    """An entry with a reason of its own."""
    return f'\n# about {name}\n[[expect]]\nid = "{name}"\nfails = "{fails}"\nreason = "mine: {name}"\n{more}'


def summary(changes: tuple[Change, ...]) -> list[tuple[str, str]]:
    """What becomes of which entry."""
    return [(change.kind.value, change.id) for change in changes]


def test_a_new_file_lists_what_fails_and_nothing_else(tmp_path: Path) -> None:
    """Each with the way it fails and the place it begins at; a SHOULD fails no run, so it needs no entry."""
    document, run = toy_run(tmp_path)
    changes = find_changes(document, run, issue="https://example.org/7")
    written = pin_run(apply_changes(document, changes), run).parse()

    assert [("add", "toy-b-trap"), ("add", "toy-c-wrong")] == summary(changes)
    assert [("toy-b-trap", FailureKind.MISMATCH, "value"), ("toy-c-wrong", FailureKind.MISMATCH, "value")] == [
        (one.id, one.fails, one.message) for one in written.entries
    ]
    assert {(REASON, "https://example.org/7")} == {(one.reason, one.issue) for one in written.entries}
    assert 4 == written.min_tests


def test_what_was_written_makes_the_next_run_green(tmp_path: Path) -> None:
    """Writing, then checking, finds nothing to change."""
    document, run = toy_run(tmp_path / "first")
    written = apply_changes(document, find_changes(document, run))
    again, run = toy_run(tmp_path / "second", written.text.partition("\n")[2])

    assert () == find_changes(again, run)
    assert ExitCode.CONFORMANT == run.conclusion.code


def test_an_entry_that_holds_is_not_touched(tmp_path: Path) -> None:
    """Its reason and its comment are somebody's work."""
    text = entry("toy-b-trap") + entry("toy-c-wrong")
    document, run = toy_run(tmp_path, text)

    assert () == find_changes(document, run)
    assert document == apply_changes(document, ())


def test_an_entry_that_excuses_nothing_is_taken_out(tmp_path: Path) -> None:
    """Stale, unknown and not claimed ones go, each with its reason; the others stay."""
    text = "".join(map(entry, ("toy-a-right", "toy-b-trap", "toy-e-unclaimed", "toy-z-nobody", "toy-c-wrong")))
    document, run = toy_run(tmp_path, text)
    changes = find_changes(document, run)

    assert changes == find_stale(document, run)
    assert [
        ("toy-a-right", "it passes now"),
        ("toy-e-unclaimed", "its capability is not claimed"),
        ("toy-z-nobody", "the suite has no such test"),
    ] == [(change.id, change.why) for change in changes]
    assert entry("toy-b-trap") + entry("toy-c-wrong") == apply_changes(document, changes).text.partition("\n")[2]


def test_an_entry_whose_test_fails_otherwise_is_changed_but_not_pruned(tmp_path: Path) -> None:
    """The reason may still be the right one; only the way it fails is set."""
    document, run = toy_run(tmp_path, entry("toy-b-trap", "crash") + entry("toy-c-wrong"))
    changes = find_changes(document, run)
    (changed, _) = apply_changes(document, changes).parse().entries

    assert [("change", "toy-b-trap")] == summary(changes)
    assert changes[0].why.startswith("it fails otherwise: value: ")
    assert (FailureKind.MISMATCH, "value", "mine: toy-b-trap") == (changed.fails, changed.message, changed.reason)
    assert () == find_stale(document, run)


def test_a_glob_that_no_longer_holds_for_all_gives_way_to_single_entries(tmp_path: Path) -> None:
    """Each keeps reason and issue of the glob; the test that passes has no entry any more."""
    document, run = toy_run(tmp_path, entry("toy-[abc]-*", more='issue = "https://example.org/1"\n'))
    changes = find_stale(document, run)
    split = apply_changes(document, changes).parse().entries

    assert [("split", "toy-[abc]-*")] == summary(changes)
    assert ["toy-b-trap", "toy-c-wrong"] == [one.id for one in split]
    assert {("mine: toy-[abc]-*", "https://example.org/1")} == {(one.reason, one.issue) for one in split}


def test_an_expired_entry_is_left_to_people(tmp_path: Path) -> None:
    """A program that moved the day would make the day worthless."""
    text = entry("toy-b-trap", more="until = 2020-01-01\n") + entry("toy-c-wrong")
    document, run = toy_run(tmp_path, text)
    changes = find_changes(document, run)

    assert [("leave", "toy-b-trap")] == summary(changes)
    assert document == apply_changes(document, changes)


def test_a_failure_that_comes_and_goes_is_left_to_people(tmp_path: Path) -> None:
    """A measured rate needs a day, and no program knows the day."""
    document, run = toy_run(tmp_path, entry("toy-c-wrong"), misdeed="now-and-then")
    (change,) = find_changes(document, run)

    assert (Kind.LEAVE, "toy-b-trap") == (change.kind, change.id)
    assert "by hand, with flaky and until" in change.why


def test_a_filtered_run_changes_nothing(tmp_path: Path) -> None:
    """What was left out would look as if it had been mended."""
    document, run = toy_run(tmp_path, entry("toy-b-trap"), selection=Selection(globs=("toy-a-*",)))

    with pytest.raises(UsageError, match=r"stands on the whole suite, not on -k toy-a-\*"):
        find_changes(document, run)
    with pytest.raises(UsageError, match="stands on the whole suite"):
        find_stale(document, run)


def test_fewer_tests_than_before_are_not_pinned(tmp_path: Path) -> None:
    """An adapter that quietly claims less must not lower the count by itself."""
    document, run = toy_run(tmp_path, "min_tests = 5\n")

    with pytest.raises(UsageError, match="4 tests ran, fewer than the 5 of min_tests"):
        pin_run(document, run)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which one is."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def keep(*words: str, adapter: tuple[str, ...]) -> int:
    """The verb against an adapter."""
    return main(["baseline", *words, "--", *adapter])


def test_the_verb_writes_checks_and_prunes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file is written, found exact, found wrong when the adapter is better, and pruned; comments live on."""
    path = here / "keel-expected.toml"
    bad = skeleton(here / "bad", ('"/CLAUDE.md"', '"/claude.md"'))
    good = skeleton(here / "good")
    assert ExitCode.CONFORMANT == keep("write", "--reason", "not looked at yet", adapter=bad)
    first = load_expected(path)
    path.write_text(path.read_text().replace("[[expect]]", "# mine\n[[expect]]", 1))
    assert ExitCode.CONFORMANT == keep("check", adapter=bad)
    assert ExitCode.NOT_CONFORMANT == keep("check", adapter=good)
    unchanged = path.read_text()
    capsys.readouterr()
    assert ExitCode.CONFORMANT == keep("prune", adapter=good)
    pruned = load_expected(path)

    assert {"not looked at yet"} == {one.reason for one in first.entries}
    assert unchanged != path.read_text()
    assert {one.id for one in pruned.entries} < {one.id for one in first.entries}
    assert f"keel-expected.toml: {len(pruned.entries)} entries" in capsys.readouterr().out
    assert [path.name] == [one.name for one in here.iterdir() if one.is_file()]


@pytest.mark.parametrize(
    ("words", "text", "problem"),
    [
        (("write", "-k", "x"), None, "stands on the whole suite"),
        (("write", "--shard", "1/2"), None, "stands on the whole suite"),
        (("check",), None, "keel-expected.toml: "),
        (("check",), 'suite = "0"\n', "it pins suite 0, this is "),
        (("prune",), "suite =\n", "keel-expected.toml: "),
        (("write",), "[[expect]]\n", "keel-expected.toml: "),
    ],
)
def test_the_verb_refuses_what_it_cannot_keep(
    here: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], text: str | None, problem: str
) -> None:
    """Wrong usage, in one line, and the file is as it was."""
    path = here / "keel-expected.toml"
    if text is not None:
        path.write_text(text)

    assert ExitCode.USAGE == keep(*words, adapter=("true",))
    assert problem in capsys.readouterr().err
    assert text == (path.read_text() if path.exists() else None)


def test_a_file_of_another_suite_is_used_where_that_is_accepted(tmp_path: Path) -> None:
    """Writing it anew needs no leave; checking it does."""
    path = tmp_path / "other.toml"
    path.write_text('suite = "0"\nmin_tests = 9000\n')
    adapter = skeleton(tmp_path / "adapter")

    assert ExitCode.NOT_CONFORMANT == keep("check", "--expected", str(path), "--accept-suite", adapter=adapter)
    assert ExitCode.CONFORMANT == keep("write", "--expected", str(path), adapter=adapter)
    assert suite_version() == load_expected(path).suite


def test_an_adapter_that_cannot_be_tested_writes_nothing(tmp_path: Path) -> None:
    """Half a run is no baseline."""
    path = tmp_path / "keel-expected.toml"

    assert ExitCode.ADAPTER == keep("write", "--expected", str(path), adapter=command("exit", "hello"))
    assert not path.exists()
