"""A closer look at a load."""

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.marks import clause
from keel_ref.memory import MemorySession
from keel_ref.memory.lint import lint
from keel_ref.ports import Tree
from keel_ref.strategies.planting import plant_in_memory
from keel_ref.strategies.scenarios import Scenario, plain_requests, scenarios
from keel_ref.strategies.watched_tree import WatchedTree


def session_on(tree: Tree, scenario: Scenario) -> MemorySession:
    """A session of the scenario on a tree in one of its forms."""
    return MemorySession(
        tree, scenario.request, choices=scenario.choices, gates=scenario.gates, constants=scenario.constants
    )


@clause("MEM-025")
@given(scenarios(), st.integers(0, 2**32 - 1))
def test_a_closer_look_finds_the_same_in_every_order(scenario: Scenario, salt: int) -> None:
    """However folders list their entries, and whatever is in them."""
    tree = plant_in_memory(scenario.tree)

    assert lint(session_on(tree, scenario)) == lint(session_on(WatchedTree(tree, salt), scenario))


@clause("MEM-023", "MEM-140")
@given(scenarios(requested=plain_requests()))
def test_what_waits_comes_with_a_file_beside_it(scenario: Scenario) -> None:
    """Memory that is reported to wait for a read attaches with one, or that read reports why it does not."""
    session = session_on(plant_in_memory(scenario.tree), scenario)
    for row in lint(session).skipped:
        folder = row.path.rpartition("/")[0].removesuffix("/.claude")
        load = session_on(session.world.tree, scenario).touch(f"{folder}/file.of.no.rule").load

        assert row.path in {file.path for file in load.files} | {other.path for other in load.skipped}
