"""Git roots, told from files."""

import pytest

from keel_ref.adapters.in_memory import FOLDER, InMemoryTree, Node, link_node
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.memory.roots import Roots, git_roots, suppresses_project
from keel_ref.ports import EntryKind

POINTER = "gitdir: /r/.git/worktrees/w\n"
COMMON = "/r/.git/worktrees/w/commondir"


def roots(entries: dict[str, str | bytes | Node], folder: str = "/r/wt/deep") -> Roots | None:
    """The roots of a folder."""
    tree = InMemoryTree.of(entries)
    tree.add_folder(folder)
    return git_roots(tree, folder, DEFAULT)


@clause("MEM-010")
def test_the_git_root_is_the_nearest_folder_with_an_entry() -> None:
    """A folder, a file, or a link to one; without any there are no roots."""

    assert Roots(git="/r", main="/r") == roots({"/r/.git": FOLDER})
    assert Roots(git="/r/wt", main="/r/wt") == roots({"/r/.git": FOLDER, "/r/wt/.git": FOLDER})
    assert Roots(git="/r/wt", main="/r/wt") == roots({"/r/.git": FOLDER, "/r/wt/.git": link_node("/r/.git")})
    assert roots({"/r/.gita": FOLDER}) is None


@clause("MEM-010", "MEM-011")
@pytest.mark.parametrize("entry", [Node(kind=EntryKind.OTHER, what="fifo"), link_node("/nowhere"), link_node(".git")])
def test_an_odd_entry_counts_as_absent(entry: Node) -> None:
    """The search goes on upward."""

    assert Roots(git="/r", main="/r") == roots({"/r/.git": FOLDER, "/r/wt/.git": entry})


@clause("MEM-010")
@pytest.mark.parametrize(
    ("main", "pointer", "common"),
    [
        ("/r", POINTER, "../..\n"),
        ("/r", "gitdir: ../.git/worktrees/w", "../.."),
        ("/r", "gitdir:/r/.git/worktrees/w\r\nmore\n", " ../../ \n"),
        ("/r", POINTER, "/r/.git"),
        ("/r/.git/worktrees", POINTER, ".."),
    ],
)
def test_a_worktree_has_a_main_root(main: str, pointer: str, common: str) -> None:
    """The parent of the common folder if that is called `.git`, else the common folder itself."""

    assert Roots(git="/r/wt", main=main) == roots({COMMON: common, "/r/wt/.git": pointer})


@clause("MEM-011")
@pytest.mark.parametrize(
    "entries",
    [
        {"/r/wt/.git": POINTER},
        {COMMON: "", "/r/wt/.git": POINTER},
        {COMMON: " \n", "/r/wt/.git": POINTER},
        {COMMON: "/nowhere", "/r/wt/.git": POINTER},
        {COMMON: "commondir", "/r/wt/.git": POINTER},
        {COMMON: "../..", "/r/wt/.git": ""},
        {COMMON: "../..", "/r/wt/.git": "gitdir:\n"},
        {COMMON: "../..", "/r/wt/.git": "x\n" + POINTER},
        {COMMON: "../..", "/r/wt/.git": " " + POINTER},
        {COMMON: "../..", "/r/wt/.git": "gitdir: /r/.git/worktrees/\0"},
        {COMMON: Node(kind=EntryKind.FILE, data=b"../..", may_read=False), "/r/wt/.git": POINTER},
        {COMMON: FOLDER, "/r/wt/.git": POINTER},
        {"/r/.git/modules/wt/HEAD": "x", "/r/wt/.git": "gitdir: ../.git/modules/wt\n"},
    ],
)
def test_what_is_no_worktree_is_its_own_main_root(entries: dict[str, str | Node]) -> None:
    """A submodule, a missing or empty file, a folder that is none, a line that is none, what may not be read."""

    assert Roots(git="/r/wt", main="/r/wt") == roots({"/r/.git/HEAD": "x", **entries})


@clause("MEM-009")
@pytest.mark.parametrize(
    ("is_left_out", "folder"),
    [
        (False, "/"),
        (True, "/r"),
        (True, "/r/.claude"),
        (False, "/r/wt"),
        (False, "/r/wt/s"),
        (False, "/r2"),
        (True, "/r/wt2"),
    ],
)
def test_between_the_main_root_and_the_worktree_project_files_are_left_out(is_left_out: bool, folder: str) -> None:
    """The main root included, the worktree not; by whole components."""
    tree = InMemoryTree()

    assert is_left_out == suppresses_project(tree, Roots(git="/r/wt", main="/r"), folder)
    assert not suppresses_project(tree, Roots(git="/r", main="/r"), folder)
    assert not suppresses_project(tree, Roots(git="/elsewhere", main="/r"), folder)
    assert not suppresses_project(tree, None, folder)
