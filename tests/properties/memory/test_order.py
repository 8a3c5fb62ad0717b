"""Where the records of a load stand."""

from attrs import evolve
from hypothesis import given

from keel_ref.choices import IncludeOrder
from keel_ref.conformance.marks import clause
from keel_ref.memory.candidates import ADDED_VARIABLE
from keel_ref.strategies.items import FileTree, Item
from keel_ref.strategies.laws import order
from keel_ref.strategies.laws.outcome import INDEX_LAYERS, Outcome
from keel_ref.strategies.places import Ground, below
from keel_ref.strategies.planting import plant_in_memory
from keel_ref.strategies.scenarios import Scenario, plain_requests, scenarios


def outcome_of(scenario: Scenario) -> Outcome:
    """The load of the tree in memory."""
    return Outcome.of(scenario, plant_in_memory(scenario.tree))


@clause("MEM-002", "MEM-016")
@given(scenarios())
def test_segments_follow_one_another(scenario: Scenario) -> None:
    """Managed, user, project with local, added, auto, team: along the list the segment never goes back."""

    assert [] == list(order.segments_follow_one_another(outcome_of(scenario)))


@clause("MEM-002", "MEM-005", "MEM-012", "MEM-031")
@given(scenarios(with_links=False, requested=plain_requests()))
def test_folders_kinds_and_rules_follow_one_another(scenario: Scenario) -> None:
    """Outer folders come before inner ones; in a folder the four kinds keep their order, rules that of their names."""

    assert [] == list(order.places_follow_one_another(outcome_of(scenario)))


@clause("MEM-083", "MEM-091")
@given(scenarios())
def test_includes_stand_with_the_file_that_leads_to_them(scenario: Scenario) -> None:
    """A file found directly and all that it includes, over any number of hops, stand in one stretch."""

    assert [] == list(order.includes_stand_together(outcome_of(scenario)))


@clause("MEM-006")
@given(scenarios(with_links=False))
def test_the_walk_finds_nothing_in_the_root(scenario: Scenario) -> None:
    """Under `memory.root` skip no file of the file-system root loads by its place, also when cwd is the root."""

    assert [] == list(order.nothing_of_the_root_is_found_by_the_walk(outcome_of(scenario)))


@clause("MEM-017")
@given(scenarios(with_links=False))
def test_agents_files_load_as_includes_or_not_at_all(scenario: Scenario) -> None:
    """An AGENTS.md in a folder of the chain is in the list only where another file names it."""
    chain = Ground(scenario.request.cwd).chain
    agents = (Item(path=below(folder, "AGENTS.md"), data=b"for other tools") for folder in ("/", *chain))
    asked = evolve(scenario, tree=FileTree.grown((*scenario.tree.items, *agents)))

    assert [] == list(order.agents_files_are_included_or_absent(outcome_of(asked)))


@clause("MEM-083")
@given(scenarios())
def test_the_place_of_includes_does_not_change_what_loads(scenario: Scenario) -> None:
    """Parent-first and child-first give the same records and the same rows; only the order differs."""
    tree = plant_in_memory(scenario.tree)
    first, last = (
        evolve(scenario, choices=evolve(scenario.choices, include_order=order)).load(tree) for order in IncludeOrder
    )

    assert set(first.files) == set(last.files)
    assert set(first.skipped) == set(last.skipped)


@clause("MEM-012")
@given(scenarios(requested=plain_requests()))
def test_an_added_folder_adds_records_behind_all_others(scenario: Scenario) -> None:
    """What would load without added folders loads unchanged and first, the indexes aside."""
    request = evolve(scenario.request, env={ADDED_VARIABLE: "1"})
    tree = plant_in_memory(scenario.tree)
    without, with_added = (
        [file for file in evolve(scenario, request=asked).load(tree).files if file.layer not in INDEX_LAYERS]
        for asked in (evolve(request, add_dirs=()), request)
    )

    assert without == with_added[: len(without)]
