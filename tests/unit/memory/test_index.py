"""MEMORY.md: its limits, its place, its switches."""

import pytest
from attrs import evolve

from keel_ref.adapters.in_memory import InMemoryTree
from keel_ref.choices import Choices, Gates, Unit
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY
from keel_ref.memory import Layer, MemoryRequest, load_memory
from keel_ref.memory.index import CutIndex, cut_index, slug

INDEX = "/h/.claude/projects/-r/memory/MEMORY.md"
ASKED = MemoryRequest(cwd="/r", home="/h")
TEAM = "/h/.claude/projects/-r/memory/team/MEMORY.md"


def cut(text: str, unit: Unit = Unit.UTF16) -> CutIndex:
    """The index within the limits of the described client."""
    return cut_index(text, unit, DEFAULT)


@clause("MEM-121")
@pytest.mark.parametrize(("kept", "lines"), [(199, 199), (200, 200), (200, 201), (200, 300)])
def test_two_hundred_lines_are_kept(kept: int, lines: int) -> None:
    """At the limit the text stands whole, a final line end does not count; above it the first lines stand."""
    found = cut("x\n" * lines)

    assert kept == found.text.count("\n") + 1
    assert lines == found.lines
    assert (lines > 200) == found.exceeds_lines == bool(found.notice)


@clause("MEM-121")
@pytest.mark.parametrize(
    ("kept", "text"),
    [
        (24_999, "x" * 24_999),
        (25_000, "x" * 25_000),
        (25_000, "x" * 25_001),
        (25_000, "x" * 30_000),
        (12_500, "x" * 12_500 + "\n" + "x" * 12_500),
        (25_000, "x" * 25_000 + "\n" + "x"),
        (24_999, "x" * 24_999 + "\n" + "x" * 9),
        (25_000, "x" * 12_500 + "\n" + "x" * 12_499),
        (25_000, "x" * 5_000_000),
    ],
)
def test_twenty_five_thousand_units_are_kept(kept: int, text: str) -> None:
    """Cut at the last line end at or before the limit, or exactly there where no line ends before."""
    found = cut(text)

    assert kept == len(found.text)
    assert (len(text) > 25_000) == found.exceeds_size == bool(found.notice)


@clause("MEM-121", "MEM-122")
def test_limits_are_judged_on_the_original() -> None:
    """Both limits are named when both were exceeded, also when the cut by lines alone would have been enough."""
    both = cut("x\n" * 200 + "y" * 30_000)
    lines = cut("x\n" * 300)
    size = cut("x" * 30_100)

    assert "201 lines (limit 200)" in both.notice
    assert "(limit 24.4KB)" in both.notice
    assert "x\n" * 199 + "x" == both.text
    assert "KB" not in lines.notice
    assert "29.4KB (limit 24.4KB)" in size.notice
    assert " lines" not in size.notice


@clause("MEM-121")
def test_only_lf_parts_lines() -> None:
    """A carriage return, U+2028, U+0085, VT and FF are characters of a line."""
    found = cut("a\rb\u2028c\x85d\ve\ff\r\ng")

    assert 2 == found.lines


@clause("MEM-121")
@pytest.mark.parametrize("text", ["", " \n\u00a0\n", "\ufeff"])
def test_a_blank_index_has_no_lines(text: str) -> None:
    """Nor a size, nor a notice."""
    found = cut(text)

    assert ("", 0, 0, "") == (found.text, found.lines, found.size, found.notice)


@clause("MEM-123")
def test_the_limit_counts_the_unit_of_the_choice() -> None:
    """Of a hundred lines of 300 times é, 83 are kept in UTF-16 units and 41 in bytes."""
    text = "\n".join(["é" * 300] * 100)
    units, octets = cut(text), cut(text, Unit.UTF8)

    assert (83, 24_982, 30_099) == (units.text.count("\n") + 1, len(units.text), units.size)
    assert (41, 60_099) == (octets.text.count("\n") + 1, octets.size)


@clause("MEM-123")
@pytest.mark.parametrize(
    ("kept", "text", "unit"),
    [
        (24, "x" * 25, Unit.UTF16),
        (23, "x" * 23 + "😀", Unit.UTF16),
        (23, "x" * 22 + "😀x", Unit.UTF16),
        (24, "x" * 23 + "éx", Unit.UTF16),
        (23, "x" * 23 + "éx", Unit.UTF8),
        (21, "x" * 21 + "😀", Unit.UTF8),
        (21, "x" * 20 + "😀x", Unit.UTF8),
        (24, "x" * 23 + "\ud83d\ude00", Unit.UTF16),
        (22, "x" * 22 + "\ud83d", Unit.UTF8),
    ],
)
def test_a_cut_never_splits_a_character(kept: int, text: str, unit: Unit) -> None:
    """It steps back to the start of one; a surrogate that stands alone is a character by itself."""

    assert text[:kept] == cut_index(text, unit, TINY).text


@clause("MEM-124")
@pytest.mark.parametrize(
    ("expected", "path"),
    [
        ("-w-my-app", "/w/my_app"),
        ("C--Users-me", "C:\\Users\\me"),
        ("--", "/é"),
        ("---", "/😀"),
        ("--", "/\udcff"),
        ("-aZ09-", "/aZ09."),
    ],
)
def test_a_slug_has_one_dash_for_each_unit(expected: str, path: str) -> None:
    """Of whatever is no ASCII letter or digit; a stray byte is one unit."""

    assert expected == slug(path)


def layers(tree: dict[str, str], gates: Gates | None = None, asked: MemoryRequest = ASKED) -> list[tuple[str, str]]:
    """The records of a load in `/r`, each with its layer."""
    load = load_memory(InMemoryTree.of({"/r/x": "", **tree}), asked, gates=gates)
    return [(file.path, file.layer) for file in load.files]


@clause("MEM-125")
@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ("/h/notes/MEMORY.md", "~/notes"),
        ("/n/MEMORY.md", "/n"),
        ("/n/MEMORY.md", "/x/../n/"),
        (INDEX, "n"),
        (INDEX, "~"),
        (INDEX, ""),
    ],
)
def test_a_setting_names_the_folder(expected: str, value: str) -> None:
    """Absolute or from the home folder; anything else is as if it were not there."""
    files = dict.fromkeys(("/h/notes/MEMORY.md", "/n/MEMORY.md", INDEX), "x")
    settings = {"/h/.claude/settings.json": f'{{"autoMemoryDirectory": "{value}"}}'}

    assert [(expected, Layer.AUTO)] == layers(files | settings)


@clause("MEM-125", "MEM-021")
def test_the_project_has_no_say_in_the_place() -> None:
    """Its setting is ignored, and a weaker layer counts."""
    files = {"/evil/MEMORY.md": "x", "/n/MEMORY.md": "x", INDEX: "x"}
    project = {"/r/.claude/settings.json": '{"autoMemoryDirectory": "/evil"}'}
    user = {"/h/.claude/settings.json": '{"autoMemoryDirectory": "/n"}'}

    assert [(INDEX, Layer.AUTO)] == layers(files | project)
    assert [("/n/MEMORY.md", Layer.AUTO)] == layers(files | project | user)


@clause("MEM-126", "MEM-013", "MEM-014")
@pytest.mark.parametrize(
    ("is_on", "asked"),
    [
        (True, ASKED),
        (True, evolve(ASKED, sources=frozenset())),
        (False, evolve(ASKED, env={"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"})),
        (True, evolve(ASKED, env={"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "0"})),
        (False, evolve(ASKED, bare=True)),
        (False, evolve(ASKED, bare=True, add_dirs=("/e",))),
        (False, evolve(ASKED, env={"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"})),
    ],
)
def test_switches_of_the_index(is_on: bool, asked: MemoryRequest) -> None:
    """Sources do not switch it; a variable, bare mode and the switch for everything do."""

    assert ([(INDEX, Layer.AUTO)] if is_on else []) == layers({INDEX: "x"}, asked=asked)


@clause("MEM-126", "MEM-021")
def test_the_first_layer_with_a_value_switches_the_index() -> None:
    """Local before project before user; a switch of the session comes before all of them."""
    local = {"/r/.claude/settings.local.json": '{"autoMemoryEnabled": true}'}
    project = {"/r/.claude/settings.json": '{"autoMemoryEnabled": false}'}

    assert [] == layers({INDEX: "x"} | project)
    assert [(INDEX, Layer.AUTO)] == layers({INDEX: "x"} | project | local)
    assert [] == layers({INDEX: "x"} | local, asked=evolve(ASKED, env={"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "on"}))


@clause("MEM-128", "MEM-111")
def test_team_memory_stands_behind_the_index_where_its_gate_is_on() -> None:
    """With the gate off it is reported; with prefetching and its choice on both are dropped."""
    files = {INDEX: "x", TEAM: "y", "/r/CLAUDE.md": "P"}
    tree = InMemoryTree.of(files)
    gates = Gates(memory_prefetch=True, team_memory=True)
    filtered = load_memory(
        tree, MemoryRequest(cwd="/r", home="/h"), choices=Choices.of({"memory.injected_filter": "on"}), gates=gates
    )

    assert [("/r/CLAUDE.md", "project"), (INDEX, "auto"), (TEAM, "team")] == layers(files, Gates(team_memory=True))
    assert [("/r/CLAUDE.md", "project"), (INDEX, "auto")] == layers(files)
    assert ["/r/CLAUDE.md"] == [file.path for file in filtered.files]
    assert {INDEX, TEAM} == {row.path for row in filtered.skipped if row.reason == "injected-filter"}


@clause("MEM-127")
def test_the_index_includes_nothing_and_is_cut_last() -> None:
    """Frontmatter and comments go first, a mention stays plain text, an excluding pattern has no effect."""
    tree = {INDEX: "---\na: b\n---\n@x.md\n<!-- c -->\nend\n", INDEX.replace("MEMORY", "x"): "no"}
    settings = {"/r/.claude/settings.json": '{"claudeMdExcludes": ["**"]}'}
    load = load_memory(InMemoryTree.of(tree | settings), MemoryRequest(cwd="/r", home="/h"))

    assert [(INDEX, "@x.md\nend")] == [(file.path, file.text) for file in load.files]


@clause("MEM-015", "MEM-023", "MEM-126")
@pytest.mark.parametrize("added", [(), ("/e",)])
def test_bare_mode_reports_the_index_by_its_own_reason(added: tuple[str, ...]) -> None:
    """`auto-memory-off`, with added folders and without; every other candidate is `bare`."""
    tree = InMemoryTree.of({INDEX: "x", "/r/CLAUDE.md": "P"})
    load = load_memory(tree, evolve(ASKED, bare=True, add_dirs=added))

    assert {INDEX: "auto-memory-off"} == {row.path: row.reason for row in load.skipped if row.layer == "auto"}
