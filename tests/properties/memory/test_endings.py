"""Loads that end, and files that are never opened."""

import os
import stat
import tempfile

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.choices import Identity
from keel_ref.conformance.marks import clause
from keel_ref.strategies.items import FileTree, Item, ItemKind
from keel_ref.strategies.laws import inclusion
from keel_ref.strategies.laws.outcome import Outcome
from keel_ref.strategies.mounted_disk import plant_on_disk
from keel_ref.strategies.places import below
from keel_ref.strategies.planting import plant_in_memory
from keel_ref.strategies.scenarios import Scenario, plain_requests, scenarios
from keel_ref.strategies.watched_tree import WatchedTree

NAMES = ("CLAUDE.md", "a.md", "b.md", ".claude/rules/a.md", ".claude/rules/d", "d")


def tangles() -> st.SearchStrategy[FileTree]:
    """Files that mention one another and folders that are linked to one another, in every way."""
    places = st.sampled_from([below(folder, name) for folder in ("/r", "/r/d", "/r/s", "/w") for name in NAMES])
    texts = st.lists(st.sampled_from([f"@{name}" for name in (*NAMES, "d/d/a.md", "../a.md", "/w/a.md")]), max_size=4)
    files = st.builds(lambda path, text: Item(path=path, data=" ".join(text).encode()), places, texts)
    goals = st.sampled_from(("/r", "/r/d", "/r/s", "/w", "/r/.claude/rules")) | places
    links = st.builds(lambda path, goal: Item(path=path, kind=ItemKind.LINK, target=goal), places, goals)
    start = Item(path="/r/CLAUDE.md", data=b"@a.md @b.md @d/a.md @.claude/rules/a.md")
    return st.lists(files | links, max_size=14).map(lambda found: FileTree.grown((start, *found)))


@clause("MEM-032", "MEM-080", "MEM-084", "MEM-092")
@given(tangles(), scenarios(requested=plain_requests()))
def test_every_tangle_of_links_and_mentions_ends(tree: FileTree, scenario: Scenario) -> None:
    """However files mention and link one another, a load ends, and with real paths as identity no file loads twice."""
    asked = evolve(
        scenario,
        tree=tree,
        request=evolve(scenario.request, cwd="/r"),
        choices=evolve(scenario.choices, identity=Identity.REAL),
    )
    outcome = Outcome.of(asked, plant_in_memory(tree))

    assert [] == list(inclusion.nothing_stands_twice(outcome))
    assert len(outcome.load.files) <= sum(item.kind is ItemKind.FILE for item in tree.items)


@clause("MEM-019")
@given(scenarios())
def test_only_regular_files_are_opened(scenario: Scenario) -> None:
    """Whatever bears the name of a memory file on a disk, what is opened is a regular file."""
    opened: list[int] = []
    really_open = os.open

    def watched_open(path: bytes, flags: int) -> int:
        opened.append(os.stat(path).st_mode)
        return really_open(path, flags)

    with tempfile.TemporaryDirectory(prefix="keel-ref-") as folder, pytest.MonkeyPatch.context() as patch:
        disk = plant_on_disk(scenario.tree, folder)
        patch.setattr("keel_ref.adapters.disk.os.open", watched_open)
        scenario.load(disk)

    assert all(stat.S_ISREG(mode) for mode in opened)


@clause("MEM-060")
@given(scenarios(requested=plain_requests()))
def test_where_everything_is_excluded_nothing_of_it_is_opened(scenario: Scenario) -> None:
    """Of the user and the project only settings, git data, the record of answers and the index are read."""
    settings = Item(path="/x.json", data=b'{"claudeMdExcludes": ["**"]}')
    tree = FileTree.grown((settings, *scenario.tree.items))
    request = evolve(scenario.request, managed_dir=None, settings_files=("/x.json",))
    watched = WatchedTree(plant_in_memory(tree))
    evolve(scenario, tree=tree, request=request).load(watched)
    kept = (".json", ".git", "commondir", "MEMORY.md")

    assert [] == [path for path in watched.read if not path.endswith(kept)]
