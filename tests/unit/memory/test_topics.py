"""Topic files of the automatic memory."""

import pytest

from keel_ref.adapters.in_memory import InMemoryTree, Node, file_node, link_node
from keel_ref.conformance.marks import clause
from keel_ref.constants import TINY
from keel_ref.memory.topics import MEMORY_TYPES, scan_topics
from keel_ref.ports import EntryKind


@clause("MEM-129")
def test_there_are_four_types() -> None:
    """And no others."""

    assert ["user", "feedback", "project", "reference"] == [str(kind) for kind in MEMORY_TYPES]


@clause("MEM-130")
def test_topics_are_all_files_of_the_ending_but_the_index() -> None:
    """At any depth, newest first, then by path; an index in a sub-folder is none either."""
    tree = InMemoryTree.of(
        {
            "/m/MEMORY.md": "i",
            "/m/team/MEMORY.md": "i",
            "/m/b.md": file_node(b"x", modified=1),
            "/m/a/z.md": file_node(b"x", modified=1),
            "/m/new.md": file_node(b"x", modified=9),
            "/m/x.txt": "x",
            "/m/fifo.md": Node(kind=EntryKind.OTHER, what="fifo"),
            "/m/no.md": Node(kind=EntryKind.FILE, may_read=False),
            "/m/self": link_node("."),
            "/m/gone.md": link_node("nowhere"),
        }
    )

    assert ["/m/new.md", "/m/a/z.md", "/m/b.md"] == [topic.path for topic in scan_topics(tree, "/m")]
    assert () == scan_topics(tree, "/nowhere")


@clause("MEM-130")
@pytest.mark.parametrize(("kept", "count"), [(2, 2), (3, 3), (3, 4), (3, 9)])
def test_the_newest_are_kept(kept: int, count: int) -> None:
    """The cap is one on results: every file is looked at before it counts."""
    tree = InMemoryTree.of({f"/m/{number}.md": file_node(b"x", modified=number) for number in range(count)})
    found = scan_topics(tree, "/m", constants=TINY)

    assert [f"/m/{number}.md" for number in reversed(range(count))][:kept] == [topic.path for topic in found]


@clause("MEM-130")
@pytest.mark.parametrize(("is_found", "lines"), [(True, 1), (True, 2), (False, 3)])
def test_the_head_is_searched_for_frontmatter(is_found: bool, lines: int) -> None:
    """A block that closes with the last line of the head is found, one that closes behind it is not."""
    text = "---\n" + "a: b\n" * lines + "---\nbody\n"
    (topic,) = scan_topics(InMemoryTree.of({"/m/a.md": text}), "/m", constants=TINY)

    assert ("a: b\n" * lines if is_found else None) == topic.head
