"""Where a load looks, what holds a place back, and what is told about files that stay out."""

import pytest
from attrs import evolve

from keel_ref.adapters.in_memory import FOLDER, Node, link_node
from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError, NotAFolderError
from keel_ref.memory import Layer, LoadReason
from keel_ref.ports import EntryKind
from tests.unit.memory.loading import ASKED, Files, load, paths, reasons


@clause("MEM-008")
@pytest.mark.parametrize(
    ("error", "cwd"),
    [
        (NotAFolderError, "/nowhere"),
        (NotAFolderError, "/r/unused"),
        (NotAFolderError, "/loop"),
        (InvalidArgumentError, "r"),
        (InvalidArgumentError, ""),
        (InvalidArgumentError, "/r\0"),
    ],
)
def test_a_working_folder_that_is_none_is_an_error(error: type[Exception], cwd: str) -> None:
    """Missing, a file, an endless link; or no absolute path at all."""
    with pytest.raises(error, match=r"cwd|folder"):
        load({"/loop": link_node("loop")}, evolve(ASKED, cwd=cwd))


@clause("MEM-006")
def test_the_root_is_read_where_the_choice_says_so() -> None:
    """With all four kinds; under `skip` each of them is reported."""
    files: Files = {
        "/CLAUDE.md": "1",
        "/.claude/CLAUDE.md": "2",
        "/.claude/rules/a.md": "3",
        "/CLAUDE.local.md": "4",
        "/r/CLAUDE.md": "P",
    }

    assert list(files) == paths(load(files, root="read"))
    assert ["/r/CLAUDE.md"] == paths(load(files))
    assert dict.fromkeys(list(files)[:4], "root-not-read") == reasons(load(files))
    assert [] == paths(load(files, evolve(ASKED, cwd="/")))


@clause("MEM-005", "MEM-017", "MEM-018", "MEM-025")
def test_look_alikes_are_reported_in_one_order() -> None:
    """Other cases, a local file in the wrong place, an AGENTS.md; however the folder lists them."""
    names = ["AGENTS.md", "CLAUDE.MD", "claude.md", "Claude.local.md", ".claude/CLAUDE.local.md", ".claude/claude.md"]
    forward, backward = (load({f"/r/{name}": "x" for name in order}) for order in (names, names[::-1]))

    assert forward == backward
    assert [] == paths(forward)
    assert {
        "/r/AGENTS.md": "agents-file",
        "/r/CLAUDE.MD": "name-case",
        "/r/claude.md": "name-case",
        "/r/Claude.local.md": "name-case",
        "/r/.claude/CLAUDE.local.md": "wrong-place",
        "/r/.claude/claude.md": "name-case",
    } == reasons(forward)


@clause("MEM-023")
@pytest.mark.parametrize(
    "entry",
    [
        "x",
        " ",
        FOLDER,
        Node(kind=EntryKind.OTHER, what="fifo"),
        link_node("CLAUDE.md"),
        Node(kind=EntryKind.FILE, data=b"x", may_read=False),
    ],
)
def test_a_segment_that_is_off_reports_what_lies_there_of_whatever_kind(entry: str | Node) -> None:
    """The reason for the segment comes before every look at the file."""
    found = load({"/r/CLAUDE.md": entry}, evolve(ASKED, sources=frozenset()))

    assert {"/r/CLAUDE.md": "source-off"} == reasons(found)


@clause("MEM-023", "MEM-033", "MEM-107")
def test_a_blank_rule_with_patterns_is_reported_as_one_that_waits() -> None:
    """Whether it waits is asked before whether it is empty."""
    found = load({"/r/.claude/rules/a.md": "---\npaths: src\n---\n \n"})

    assert {"/r/.claude/rules/a.md": "conditional"} == reasons(found)


@clause("MEM-012", "MEM-013", "MEM-015")
def test_added_folders_come_last_and_only_with_their_variable() -> None:
    """In the order given, without a local file, whatever the sources are."""
    files: Files = {
        "/r/CLAUDE.local.md": "L",
        "/e/CLAUDE.md": "E",
        "/e/.claude/CLAUDE.md": "E2",
        "/e/CLAUDE.local.md": "never",
        "/f/.claude/rules/a.md": "F",
    }
    asked = evolve(ASKED, add_dirs=("/f", "/e", "/nowhere"), sources=frozenset())
    on = evolve(asked, env={"CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD": "1"})

    assert ["/f/.claude/rules/a.md", "/e/CLAUDE.md", "/e/.claude/CLAUDE.md"] == paths(load(files, on))
    assert {Layer.PROJECT} == {file.layer for file in load(files, on).files}
    assert [] == paths(load(files, asked))
    assert "add-dir-off" == reasons(load(files, asked))["/e/CLAUDE.md"]


@clause("MEM-001", "MEM-108", "MEM-146")
def test_a_record_tells_where_it_comes_from() -> None:
    """Its reason, its cost, and whether an edit needs a real read first."""
    found = load({"/r/CLAUDE.md": "root @a.md", "/r/a.md": "<!-- c -->\nA"})

    assert [(LoadReason.SESSION_START, 3, False), (LoadReason.INCLUDE, 0, True)] == [
        (file.reason, file.tokens, file.differs) for file in found.files
    ]
    assert 3 == found.tokens
