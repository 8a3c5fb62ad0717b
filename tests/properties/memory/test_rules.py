"""The rules of a folder: their order, their two passes, links among them, and their bound."""

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.choices import Choices, Gates
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY
from keel_ref.memory.reader import Document, read_document
from keel_ref.memory.rules import find_rules
from keel_ref.memory.values import Layer, MemoryRequest
from keel_ref.memory.world import World, prepare
from keel_ref.paths import Flavour, is_inside
from keel_ref.ports import EntryKind, Tree
from keel_ref.strategies.items import FileTree, Item, ItemKind
from keel_ref.strategies.laws.outcome import Outcome
from keel_ref.strategies.places import below
from keel_ref.strategies.planting import plant_in_memory
from keel_ref.strategies.scenarios import Scenario, plain_requests, scenarios
from keel_ref.strategies.watched_tree import WatchedTree

FOLDER = "/r/.claude/rules"
NAMES = st.sampled_from(
    ("a", "a.md", "a-.md", "B.md", "10.md", "9.md", ".x", ".x.md", "é.md", "e\u0301.md", "\uff5a.md", "\U0001f600.md")
) | st.builds("{}.md".format, st.text("a\udcff\udc80é\uff5a\U0001f600", max_size=2))


def rule_trees() -> st.SearchStrategy[FileTree]:
    """A rules folder with files and folders of any name."""
    paths = st.lists(NAMES, min_size=1, max_size=3).map(lambda names: below(FOLDER, *names))
    return st.lists(st.builds(Item, path=paths, data=st.just(b"x")), max_size=9).map(FileTree.grown)


def linked_rule_trees() -> st.SearchStrategy[FileTree]:
    """Folders in a rules folder that are linked to one another in every way."""
    folders = st.sampled_from((FOLDER, below(FOLDER, "a"), below(FOLDER, "a", "b"), "/w", "/w/a"))
    names = st.sampled_from(("a", "b", "l", "l.md", "m.md"))
    links = st.builds(
        lambda folder, name, goal: Item(path=below(folder, name), kind=ItemKind.LINK, target=goal),
        folders,
        names,
        folders | st.builds(below, folders, names),
    )
    files = st.builds(lambda folder, name: Item(path=below(folder, name), data=b"x"), folders, names)
    return st.lists(links | files, max_size=12).map(FileTree.grown)


def world_of(tree: Tree, *, is_tiny: bool = False) -> World:
    """A session in the folder that holds the rules."""
    return prepare(tree, MemoryRequest(cwd="/"), Choices(), Gates(), TINY if is_tiny else DEFAULT)


@clause("MEM-030", "MEM-031")
@given(rule_trees())
def test_rules_are_all_files_of_the_ending_in_the_order_of_their_names(tree: FileTree) -> None:
    """Part by part, by the bytes of the names, a folder standing at its own name's place, hidden ones too."""
    files = [item.path for item in tree.items if item.path.endswith(".md")]
    parts = {path: [name.encode("utf-8", "surrogateescape") for name in path.split("/")] for path in files}

    assert sorted(files, key=lambda path: parts[path]) == list(
        find_rules(world_of(plant_in_memory(tree)), FOLDER, Layer.PROJECT).paths
    )


@clause("MEM-036")
@given(rule_trees())
def test_a_bound_keeps_the_first_rules_and_names_the_others(tree: FileTree) -> None:
    """Under a bound the rules are the first of those without it, and each further one is reported."""
    planted = plant_in_memory(tree)
    whole = find_rules(world_of(planted), FOLDER, Layer.PROJECT).paths
    found = find_rules(world_of(planted, is_tiny=True), FOLDER, Layer.PROJECT)
    cap = TINY.rules_cap_files

    assert whole[:cap] == found.paths
    assert set(whole[cap:]) == {row.path for row in found.skipped if row.reason == "rules-bound"}


@clause("MEM-032")
@given(linked_rule_trees())
def test_each_real_folder_is_visited_once(tree: FileTree) -> None:
    """However folders are linked to one another, a search ends, and lists no real folder twice."""
    watched = WatchedTree(plant_in_memory(tree))
    find_rules(world_of(watched), FOLDER, Layer.PROJECT)

    assert set(watched.listed.values()) <= {1}


@clause("MEM-032")
@given(linked_rule_trees())
def test_rules_stand_under_their_real_paths(tree: FileTree) -> None:
    """Each rule found is its own real path, and a regular file."""
    planted = plant_in_memory(tree)

    for path in find_rules(world_of(planted), FOLDER, Layer.PROJECT).paths:
        assert path == planted.real_path(path)
        assert planted.kind_of(path) is EntryKind.FILE


@clause("MEM-033")
@given(scenarios(with_links=False, is_open=True, requested=plain_requests()))
def test_the_two_passes_part_the_rules(scenario: Scenario) -> None:
    """A rule with patterns waits, unless a file includes it; one without loads; none does both."""
    outcome = Outcome.of(scenario, plant_in_memory(scenario.tree))
    direct = {file.path for file in outcome.load.files if file.parent is None}
    included = {file.path for file in outcome.load.files if file.parent is not None}
    held = {rule.path for rule in outcome.load.held}
    for path in (item.path for item in scenario.tree.items if item.kind is ItemKind.FILE):
        document = read_document(outcome.world, path, is_rule=True)
        is_rule = is_inside(path, below(outcome.world.cwd, ".claude", "rules"), Flavour.POSIX)
        if is_rule and path.endswith(".md") and isinstance(document, Document) and document.text:
            waits = bool(document.rule.patterns)

            assert not (path in held and path in direct | included)
            assert not (waits and path in direct)
            assert waits or path not in held
