"""Which files are in the list, and which are not."""

import json

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.marks import clause
from keel_ref.memory.values import Layer, Source
from keel_ref.strategies.contents import EXCLUDES
from keel_ref.strategies.items import FileTree, Item
from keel_ref.strategies.laws import inclusion
from keel_ref.strategies.laws.outcome import Outcome
from keel_ref.strategies.planting import plant_in_memory
from keel_ref.strategies.scenarios import Scenario, plain_requests, scenarios, sources


def outcome_of(scenario: Scenario) -> Outcome:
    """The load of the tree in memory."""
    return Outcome.of(scenario, plant_in_memory(scenario.tree))


@clause("MEM-001", "MEM-019", "MEM-106")
@given(scenarios())
def test_every_record_is_a_regular_file(scenario: Scenario) -> None:
    """Nothing stands among the records but files of the tree: no date, no state of git, no FIFO, no folder."""

    assert [] == list(inclusion.records_are_files(outcome_of(scenario)))


@clause("MEM-084", "MEM-085")
@given(scenarios())
def test_no_file_is_in_the_list_twice(scenario: Scenario) -> None:
    """No path loads twice in all segments together; under `memory.identity` real no real path does."""

    assert [] == list(inclusion.nothing_stands_twice(outcome_of(scenario)))


@clause("MEM-003", "MEM-060")
@given(scenarios())
def test_the_managed_file_is_always_there(scenario: Scenario) -> None:
    """Whatever the sources, the exclusions and cwd are, the organisation's file loads with layer managed."""

    assert [] == list(inclusion.managed_file_is_there(outcome_of(scenario)))


@clause("MEM-003", "MEM-013")
@given(scenarios(requested=plain_requests()), sources())
def test_sources_do_not_change_what_the_organisation_says(scenario: Scenario, some: frozenset[Source]) -> None:
    """The managed segment is the same with all sources, with some, and with none."""
    tree = plant_in_memory(scenario.tree)
    asked = (scenario.request, evolve(scenario.request, sources=some))
    loads = (evolve(scenario, request=request).load(tree).files for request in asked)
    whole, part = ([file for file in files if file.layer is Layer.MANAGED] for files in loads)

    assert whole == part


@clause("MEM-003", "MEM-060")
@given(scenarios(requested=plain_requests()), st.sampled_from(EXCLUDES))
def test_exclusions_do_not_change_what_the_organisation_says(scenario: Scenario, pattern: str) -> None:
    """The managed segment is the same whatever is excluded."""
    settings = Item(path="/x.json", data=json.dumps({"claudeMdExcludes": [pattern]}).encode())
    tree = plant_in_memory(FileTree.grown((settings, *scenario.tree.items)))
    asked = (scenario.request, evolve(scenario.request, settings_files=("/x.json",)))
    loads = (evolve(scenario, request=request).load(tree).files for request in asked)
    whole, part = ([file for file in files if file.layer is Layer.MANAGED] for files in loads)

    assert whole == part


@clause("MEM-080")
@given(scenarios())
def test_no_record_lies_deeper_than_the_hops(scenario: Scenario) -> None:
    """Each include lies one hop below its includer, and none more than `memory.include_hops` below the top."""

    assert [] == list(inclusion.depths_are_bounded(outcome_of(scenario)))


@clause("MEM-034", "MEM-091")
@given(scenarios())
def test_an_include_has_the_layer_of_its_includer(scenario: Scenario) -> None:
    """The includer is a record, or a conditional rule that waits, and both speak for the same person."""

    assert [] == list(inclusion.includers_are_known(outcome_of(scenario)))


@clause("MEM-082", "MEM-086")
@given(scenarios())
def test_every_allowed_include_is_there(scenario: Scenario) -> None:
    """What a record above the last depth mentions is in the list, if it is allowed and there is such a file."""

    assert [] == list(inclusion.allowed_includes_are_there(outcome_of(scenario)))


@clause("MEM-087", "MEM-088", "MEM-089")
@given(scenarios())
def test_no_forbidden_include_is_there(scenario: Scenario) -> None:
    """An include has the name of a text, and lies inside cwd unless it is the user's or approved."""

    assert [] == list(inclusion.includes_are_allowed(outcome_of(scenario)))


@clause("MEM-060")
@given(scenarios())
def test_no_excluded_file_is_there(scenario: Scenario) -> None:
    """No user, project or local file that a pattern matches loads, be it found directly, as a rule or an include."""

    assert [] == list(inclusion.excluded_files_are_absent(outcome_of(scenario)))


@clause("MEM-013", "MEM-014", "MEM-015")
@given(scenarios())
def test_what_is_switched_off_is_not_there(scenario: Scenario) -> None:
    """A missing source, bare mode and the switch for everything keep out what they are about."""

    assert [] == list(inclusion.switched_off_layers_are_absent(outcome_of(scenario)))
