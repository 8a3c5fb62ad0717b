"""The same input gives the same output, on every tree and in every order."""

import json
import tempfile
from random import Random

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.adapters.in_memory import InMemoryTree
from keel_ref.conformance.marks import clause
from keel_ref.conformance.tree_entries import read_tree
from keel_ref.paths import Flavour
from keel_ref.strategies.items import FileTree
from keel_ref.strategies.mounted_disk import plant_on_disk
from keel_ref.strategies.planting import plant_in_memory, put_in_memory, wire_entries
from keel_ref.strategies.scenarios import Scenario, scenarios
from keel_ref.strategies.watched_tree import WatchedTree


@clause("MEM-025", "MEM-031")
@given(scenarios(), st.integers(0, 2**32 - 1))
def test_the_order_in_which_folders_list_their_entries_does_not_matter(scenario: Scenario, salt: int) -> None:
    """Records, rows and warnings stay the same, and stand in the same order, however a folder lists its entries."""
    tree = plant_in_memory(scenario.tree)

    assert scenario.load(tree) == scenario.load(WatchedTree(tree, salt))


@clause("MEM-025")
@given(scenarios(), st.randoms(use_true_random=False))
def test_the_order_in_which_files_were_made_does_not_matter(scenario: Scenario, random: Random) -> None:
    """Entries made in another order, and at other times, give the same load."""
    items = [evolve(item, modified=number) for number, item in enumerate(scenario.tree.items)]
    random.shuffle(items)

    assert scenario.load(plant_in_memory(scenario.tree)) == scenario.load(plant_in_memory(FileTree(tuple(items))))


@clause("MEM-025")
@given(scenarios())
def test_the_same_input_gives_the_same_output(scenario: Scenario) -> None:
    """A second load of the same tree, and one of an equal tree, is equal to the first."""
    tree = plant_in_memory(scenario.tree)
    loads = [scenario.load(tree), scenario.load(tree), scenario.load(plant_in_memory(scenario.tree))]

    assert loads[0] == loads[1] == loads[2]


@clause("MEM-019", "MEM-025", "MEM-032")
@given(scenarios())
def test_a_disk_and_a_tree_in_memory_give_the_same_load(scenario: Scenario) -> None:
    """Files, links, loops, FIFOs and refusals of a real disk are those of the tree in memory."""
    with tempfile.TemporaryDirectory(prefix="keel-ref-") as folder:
        on_disk = scenario.load(plant_on_disk(scenario.tree, folder))
    in_memory = scenario.load(plant_in_memory(scenario.tree))

    assert in_memory.files == on_disk.files
    assert set(in_memory.skipped) == set(on_disk.skipped)


@clause("MEM-025")
@given(scenarios())
def test_a_tree_that_travels_on_the_wire_gives_the_same_load(scenario: Scenario) -> None:
    """Names and contents that are no UTF-8, refusals and sizes included."""
    travelled = read_tree(json.loads(json.dumps(wire_entries(scenario.tree))), Flavour.POSIX, is_case_sensitive=True)

    assert scenario.load(plant_in_memory(scenario.tree)) == scenario.load(travelled)


@clause("MEM-018", "MEM-084", "MEM-085")
@given(scenarios(with_links=False), st.integers(0, 2**20))
def test_where_case_does_not_count_no_file_loads_twice(scenario: Scenario, loud: int) -> None:
    """Two spellings of one file are one file, whichever way each of them is met."""
    tree = InMemoryTree(is_case_sensitive=False)
    tree.add_folder(scenario.request.cwd)
    quiet = FileTree.grown(evolve(item, path=item.path.lower()) for item in scenario.tree.items)
    for number, item in enumerate(quiet.items):
        put_in_memory(tree, evolve(item, path=item.path.upper()) if loud >> number & 1 else item)
    paths = [file.path.lower() for file in scenario.load(tree).files]

    assert len(set(paths)) == len(paths)
