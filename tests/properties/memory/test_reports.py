"""What is said about files that do not load, and what is sent of those that do."""

from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.strategies.items import FileTree, Item, ItemKind
from keel_ref.strategies.laws import reports
from keel_ref.strategies.laws.outcome import Outcome
from keel_ref.strategies.places import Ground
from keel_ref.strategies.planting import plant_in_memory
from keel_ref.strategies.scenarios import Scenario, plain_requests, scenarios
from keel_ref.trace import Reason


def outcome_of(scenario: Scenario) -> Outcome:
    """The load of the tree in memory."""
    return Outcome.of(scenario, plant_in_memory(scenario.tree))


@clause("MEM-023")
@given(scenarios())
def test_rows_and_records_exclude_one_another(scenario: Scenario) -> None:
    """A path and layer is a record, or has one row with the first reason that was met, never both."""

    assert [] == list(reports.rows_and_records_exclude_one_another(outcome_of(scenario)))


@clause("MEM-005", "MEM-018", "MEM-023")
@given(scenarios())
def test_every_candidate_is_accounted_for(scenario: Scenario) -> None:
    """Where something lies at the place of a memory file, of whatever kind it is, it loads or has a row."""

    assert [] == list(reports.candidates_are_accounted_for(outcome_of(scenario)))


@clause("MEM-100", "MEM-104", "MEM-107")
@given(scenarios())
def test_no_start_up_text_is_cut(scenario: Scenario) -> None:
    """A text is sent whole but for frontmatter, block comments and outer white space, and is never blank."""

    assert [] == list(reports.start_texts_are_whole(outcome_of(scenario)))


@clause("MEM-121", "MEM-122", "MEM-123", "MEM-127")
@given(scenarios())
def test_indexes_keep_their_limits(scenario: Scenario) -> None:
    """An index has no more lines and units than its limits, and a notice if and only if something is missing."""

    assert [] == list(reports.indexes_are_bounded(outcome_of(scenario)))


@clause("MEM-001")
@given(scenarios())
def test_the_cost_of_a_record_is_that_of_its_text(scenario: Scenario) -> None:
    """Tokens are UTF-16 units of the text sent, and two more, by four, rounded down."""

    assert [] == list(reports.tokens_follow_the_documented_rule(outcome_of(scenario)))


@clause("MEM-022")
@given(scenarios(is_open=True), st.integers(0, 99))
def test_what_may_not_be_read_is_left_out_like_what_is_missing(scenario: Scenario, number: int) -> None:
    """Everything but the refused file loads just as if that file were not there; only a row tells of it."""
    files = [item for item in scenario.tree.items if item.kind is ItemKind.FILE and ".git" not in item.path]
    assume(files)
    refused = files[number % len(files)]
    others = [item for item in scenario.tree.items if item is not refused]
    above = Item(path=refused.path.rpartition("/")[0] or "/", kind=ItemKind.FOLDER)
    trees = (FileTree((*others, evolve(refused, may_read=False))), FileTree((*others, above)))
    asked = evolve(scenario, constants=DEFAULT)
    denied, missing = (evolve(asked, tree=tree).load(plant_in_memory(tree)) for tree in trees)

    assert missing.files == denied.files


@clause("MEM-020")
@given(scenarios(is_open=True, requested=plain_requests()), st.sampled_from((b"", b"{", b"[]", b"\xff", b"null")))
def test_a_broken_settings_file_changes_nothing_and_is_reported(scenario: Scenario, content: bytes) -> None:
    """The files are those without any settings; each broken file that is read has its row."""
    others = tuple(item for item in scenario.tree.items if not item.path.endswith((".json", "/.claude")))
    places = Ground(scenario.request.cwd).settings
    broken = FileTree.grown((*others, *(Item(path=path, data=content) for path in places)))
    above = (Item(path=path.rpartition("/")[0], kind=ItemKind.FOLDER) for path in places)
    without = FileTree.grown((*others, *above))
    asked = evolve(scenario, request=evolve(scenario.request, approve_external=True))
    found, expected = (evolve(asked, tree=tree).load(plant_in_memory(tree)) for tree in (broken, without))

    assert expected.files == found.files
    assert {row.path for row in found.skipped if row.reason is Reason.SETTINGS_BROKEN} <= set(places)
