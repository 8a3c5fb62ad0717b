"""The scan of topic files."""

import tempfile

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY, Constants
from keel_ref.memory.topics import scan_topics
from keel_ref.strategies.items import FileTree, Item, ItemKind
from keel_ref.strategies.mounted_disk import plant_on_disk
from keel_ref.strategies.places import below
from keel_ref.strategies.planting import plant_in_memory
from keel_ref.strategies.trees import link_item

FOLDERS = st.sampled_from(("/m", "/m/a", "/m/a/b", "/w"))
NAMES = st.sampled_from(("MEMORY.md", "a.md", "b.md", "c.md", "é.md", "\udcff.md", "x.txt", "d", ".h.md"))
TEXTS = st.sampled_from((b"", b"---\na: b\n---\nx", b"---\n" + b"\n" * 40 + b"---\n", b"x\n---\na: b\n---\n"))
NUMBERS = st.sampled_from((DEFAULT, TINY))


def topic_trees() -> st.SearchStrategy[FileTree]:
    """A memory folder with files of any age, and links among its folders."""
    places = st.builds(below, FOLDERS, NAMES)
    files = st.builds(Item, path=places, data=TEXTS, modified=st.integers(0, 4))
    links = st.builds(link_item, places, FOLDERS | places, is_relative=st.booleans())
    fifos = st.builds(Item, path=places, kind=st.just(ItemKind.FIFO))
    return st.lists(files | links | fifos, max_size=10).map(FileTree.grown)


@clause("MEM-130")
@given(topic_trees(), NUMBERS)
def test_topics_are_the_newest_of_all_files(tree: FileTree, numbers: Constants) -> None:
    """Newest first, those of one age by their paths, the cap applied last, and never an index."""
    planted = plant_in_memory(tree)
    whole, kept = (scan_topics(planted, "/m", constants=n) for n in (DEFAULT, numbers))
    ages = [(-topic.modified, topic.path.encode("utf-8", "surrogateescape")) for topic in whole]

    assert sorted(ages) == ages
    assert whole[: numbers.topic_cap_files] == kept
    assert not [topic for topic in whole if topic.path.endswith("/MEMORY.md") or not topic.path.endswith(".md")]


@clause("MEM-130")
@given(topic_trees(), NUMBERS)
def test_a_disk_and_a_tree_in_memory_have_the_same_topics(tree: FileTree, numbers: Constants) -> None:
    """With the same ages and the same heads, whatever is linked to what."""
    with tempfile.TemporaryDirectory(prefix="keel-ref-") as folder:
        on_disk = scan_topics(plant_on_disk(tree, folder), "/m", constants=numbers)

    assert scan_topics(plant_in_memory(tree), "/m", constants=numbers) == on_disk
