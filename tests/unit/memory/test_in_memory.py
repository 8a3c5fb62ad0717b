"""The file tree in memory."""

import pytest

from keel_ref.adapters.in_memory import FOLDER, InMemoryTree, Node, file_node, link_node
from keel_ref.conformance.marks import clause
from keel_ref.errors import MalformedTreeError
from keel_ref.paths import Flavour
from keel_ref.ports import Entry, EntryKind, FileContent, Refusal
from keel_ref.trace import Reason

NOT_FOUND, LOOP = Refusal(Reason.NOT_FOUND), Refusal(Reason.LINK_LOOP)
DENIED = Refusal(Reason.UNREADABLE, "Permission denied")


@clause("MEM-024")
@pytest.mark.parametrize(("is_read", "size"), [(True, 4), (True, 5), (False, 6)])
def test_a_file_is_read_up_to_the_cap(is_read: bool, size: int) -> None:
    """A larger size than the data makes it sparse: NUL bytes follow."""
    tree = InMemoryTree.of({"/f": file_node(b"x", size)})
    content = FileContent(b"x" + bytes(size - 1), is_link=False)

    assert (content if is_read else Refusal(Reason.TOO_LARGE, "6 bytes")) == tree.read_file("/f", 5)


def test_folders_above_an_entry_exist_by_themselves() -> None:
    """And are listed, with the entries of every kind."""
    tree = InMemoryTree.of({"/a/b/f": "x", "/a/l": link_node("b"), "/a/o": Node(kind=EntryKind.OTHER), "/a/d": FOLDER})

    assert {
        Entry("b", EntryKind.FOLDER),
        Entry("l", EntryKind.LINK),
        Entry("o", EntryKind.OTHER),
        Entry("d", EntryKind.FOLDER),
    } == set(_listed(tree, "/a"))
    assert [Entry("a", EntryKind.FOLDER)] == list(_listed(tree, "/"))


def _listed(tree: InMemoryTree, path: str) -> tuple[Entry, ...]:
    found = tree.list_folder(path)
    assert isinstance(found, tuple)
    return found


@clause("MEM-032")
def test_links_are_followed() -> None:
    """Relative ones from the folder in which they lie, `..` from where they lead, absolute ones from the root."""
    tree = InMemoryTree.of(
        {
            "/a/f": "x",
            "/b/c/g": "y",
            "/a/l": link_node("../b/c"),
            "/a/up": link_node("l/../c/g"),
            "/a/abs": link_node("/a/l"),
            "/gone": link_node("/nowhere"),
            "/self": link_node("self"),
            "/one": link_node("two"),
            "/two": link_node("/one"),
        }
    )

    assert "/b/c/g" == tree.real_path("/a/abs/g") == tree.real_path("/a/up") == tree.real_path("/a/l/g")
    assert FileContent(b"y", is_link=True) == tree.read_file("/a/up", 9)
    assert FileContent(b"y", is_link=False) == tree.read_file("/a/abs/g", 9)
    assert [NOT_FOUND, LOOP, LOOP] == [tree.real_path(path) for path in ("/gone", "/self", "/one")]
    assert EntryKind.FOLDER is tree.kind_of("/a/abs")
    assert [Entry("g", EntryKind.FILE)] == list(_listed(tree, "/a/abs"))


@pytest.mark.parametrize(("is_found", "count"), [(True, 39), (True, 40), (False, 41)])
def test_as_many_links_are_followed_as_on_linux(is_found: bool, count: int) -> None:
    """Beyond that a chain counts as endless."""
    links: dict[str, str | bytes | Node] = {f"/{n}": link_node(str(n - 1)) for n in range(1, count + 1)}
    tree = InMemoryTree.of({"/0": "x", **links})

    assert ("/0" if is_found else LOOP) == tree.real_path(f"/{count}")


@clause("MEM-022")
def test_entries_may_refuse() -> None:
    """A file to be read, a folder to be listed, also through a link; what is found by name is still found."""
    tree = InMemoryTree.of({"/d/f": "x", "/d/g": "y", "/l": link_node("/d")})
    tree.deny("/d/f", read=True)
    tree.deny("/d", listing=True)

    assert DENIED == tree.read_file("/d/f", 9) == tree.read_file("/l/f", 9)
    assert DENIED == tree.list_folder("/d") == tree.list_folder("/l")
    assert FileContent(b"y", is_link=False) == tree.read_file("/d/g", 9)


@clause("MEM-019")
def test_what_is_no_file_is_not_read() -> None:
    """Its kind stands in the detail."""
    tree = InMemoryTree.of({"/d": FOLDER, "/o": Node(kind=EntryKind.OTHER, what="socket")})

    assert Refusal(Reason.NOT_REGULAR, "folder") == tree.read_file("/d", 9)
    assert Refusal(Reason.NOT_REGULAR, "socket") == tree.read_file("/o", 9)
    assert NOT_FOUND == tree.list_folder("/o")
    assert NOT_FOUND == tree.read_file("/o/x", 9)


def test_entries_that_do_not_fit_are_refused() -> None:
    """Below what is no folder, and in the place of a folder."""
    tree = InMemoryTree.of({"/a/f": "x"})

    with pytest.raises(MalformedTreeError, match="is no folder"):
        tree.add("/a/f/g", file_node(b""))
    with pytest.raises(MalformedTreeError, match="is a folder"):
        tree.add("/a", file_node(b""))
    with pytest.raises(MalformedTreeError, match="is no folder"):
        tree.add_folder("/a/f")


def test_a_change_is_seen_at_once() -> None:
    """Nothing that was resolved before outlives an entry that is put or taken away."""
    tree = InMemoryTree.of({"/a/f": "x"})
    before = tree.real_path("/a/f")
    tree.remove("/a")
    without = tree.real_path("/a/f")
    tree.add("/b/f", file_node(b"y"))
    tree.add("/a", link_node("/b"))

    assert ("/a/f", NOT_FOUND, "/b/f") == (before, without, tree.real_path("/a/f"))
    assert {"a", "b"} == {entry.name for entry in _listed(tree, "/")}


@clause("MEM-018")
def test_where_case_does_not_count_every_spelling_is_found() -> None:
    """And each name has the spelling in which it was first given."""
    tree = InMemoryTree(is_case_sensitive=False)
    tree.add("/R/Claude.md", file_node(b"x"))

    assert "/R/Claude.md" == tree.spelling("/r/CLAUDE.MD")
    assert "/R/new.md" == tree.spelling("/r/new.md")
    assert FileContent(b"x", is_link=False) == tree.read_file("/r/CLAUDE.md", 9)
    assert NOT_FOUND == InMemoryTree.of({"/R/Claude.md": "x"}).read_file("/R/CLAUDE.md", 9)


@clause("MEM-112")
def test_a_windows_tree_knows_drives_and_both_separators() -> None:
    """The letter of a drive is folded, and nothing else."""
    tree = InMemoryTree.of({"C:\\r\\f": "x", "C:\\l": link_node("C:/r")}, Flavour.WINDOWS)

    assert FileContent(b"x", is_link=False) == tree.read_file("c:\\r\\f", 9)
    assert "C:\\r\\f" == tree.real_path("C:\\l\\f")
    assert NOT_FOUND == tree.read_file("C:\\R\\f", 9)


def test_modification_is_told_through_links() -> None:
    """Larger is newer."""
    tree = InMemoryTree.of({"/f": file_node(b"x", modified=7), "/l": link_node("f")})

    assert (7, 7, NOT_FOUND) == (tree.modified("/f"), tree.modified("/l"), tree.modified("/g"))
