"""What is put back by hand-picked cases: two steps, one of which reads a disk."""

from collections.abc import Iterator, Mapping

import pytest

from keel_ref.adapters.in_memory import InMemoryTree, Node, file_node
from keel_ref.choices import Choices, OversizeRestore
from keel_ref.compaction.disk_file import GONE, DiskFile, FileState, TreeFiles, read_disk_file
from keel_ref.compaction.read_state import ReadState
from keel_ref.compaction.restore import restore_candidates, restore_files
from keel_ref.compaction.trace import Why
from keel_ref.conformance.marks import clause
from keel_ref.constants import TINY
from keel_ref.ports import EntryKind


class Asked(Mapping[str, DiskFile]):
    """Files of one text, and which of them were asked for."""

    def __init__(self) -> None:
        """Nothing was asked for yet."""
        self.paths: list[str] = []

    def __getitem__(self, path: str) -> DiskFile:
        self.paths.append(path)
        return DiskFile.of("x")

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("nobody may look at them all")

    def __len__(self) -> int:
        raise AssertionError("nobody may count them")


@clause("CMP-114")
def test_no_file_is_read_for_which_there_is_no_place() -> None:
    """The disk is asked for a file only when its turn comes, so a long list costs nothing."""
    files = Asked()

    restored = restore_files([f"/{number}" for number in range(50)], files)

    assert ["/0", "/1", "/2", "/3", "/4"] == files.paths
    assert 45 == sum(decision.why is Why.FILES_CAP for decision in restored.decisions)


@clause("CMP-114", "CMP-116")
@pytest.mark.parametrize(
    ("text", "how", "why"),
    [
        ("x" * 21, OversizeRestore.REFERENCE, Why.FILE_RESTORED),
        ("x" * 22, OversizeRestore.REFERENCE, Why.FILE_NAMED),
        ("x" * 22, OversizeRestore.TRUNCATE, Why.FILE_CUT),
        ("é" * 22, OversizeRestore.TRUNCATE, Why.FILE_CUT),
    ],
)
def test_the_size_decides(text: str, how: OversizeRestore, why: Why) -> None:
    """With a limit of 5 tokens, 21 units are in full and 22 are not."""
    found = restore_files(["/a"], {"/a": DiskFile.of(text)}, choices=Choices(oversize_restore=how), constants=TINY)

    assert [why] == [decision.why for decision in found.decisions]


@clause("CMP-115")
@pytest.mark.parametrize(("data", "is_binary"), [(b"a\0b", True), (b"\x01\xff", False), ("a\0", True), ("", False)])
def test_a_byte_of_0_makes_a_file_binary(data: str | bytes, is_binary: bool) -> None:
    """Nothing else does, broken UTF-8 included."""
    file = DiskFile.of(data)

    assert is_binary is file.is_binary
    assert is_binary is (() == restore_files(["/a"], {"/a": file}).attachments)


@clause("CMP-114", "CMP-139")
def test_every_refusal_of_a_tree_has_a_state() -> None:
    """What a tree says about a path becomes the state of the file."""
    fifo = Node(kind=EntryKind.OTHER, what="fifo")
    tree = InMemoryTree.of({"/a": "text", "/d/x": "", "/fifo": fifo, "/huge": file_node(b"", TINY.max_file_bytes + 1)})
    tree.deny("/d/x", read=True)
    states = {path: read_disk_file(tree, path, constants=TINY).state for path in ("/a", "/d", "/fifo", "/huge", "/no")}

    assert FileState.UNREADABLE is read_disk_file(tree, "/d/x").state
    assert {
        "/a": FileState.READ,
        "/d": FileState.NOT_REGULAR,
        "/fifo": FileState.NOT_REGULAR,
        "/huge": FileState.TOO_LARGE,
        "/no": FileState.GONE,
    } == states


@clause("CMP-110", "CMP-124")
def test_what_came_back_is_put_back_again_by_the_next_compaction() -> None:
    """The read-state after one compaction is that with which the next one begins."""
    state, files = ReadState(), {"/a": DiskFile.of("a"), "/b": DiskFile.of("b"), "/c": GONE}
    for path in files:
        state, _ = state.after_read(path)
    first = restore_files(restore_candidates(state, {}).paths, files)
    second = restore_files(restore_candidates(first.state.pass_begun().pass_begun(), {}).paths, files)

    assert ("/b", "/a") == first.state.paths
    assert first.attachments == second.attachments


@clause("CMP-114")
def test_the_files_of_a_tree_are_read_when_asked_for() -> None:
    """A path is looked up as it would be by the system; of what is no place in a tree nothing is known."""
    files = TreeFiles(InMemoryTree.of({"/d/a": "text"}))

    assert DiskFile.of("text") == files.get("/d/../d/a", GONE)
    assert GONE == files.get("/d/b", GONE)
    assert GONE == files.get("d/a", GONE)
