"""Whole scenarios: a tree, what is asked of it, and the choices, gates and numbers under which it is asked."""

from __future__ import annotations

from typing import Any

from attrs import fields, frozen
from hypothesis import strategies as st

from keel_ref.choices import Choices, Gates
from keel_ref.constants import DEFAULT, TINY, Constants
from keel_ref.memory.candidates import ADDED_VARIABLE, DISABLE_VARIABLE
from keel_ref.memory.index import OFF_VARIABLE
from keel_ref.memory.load import load_memory
from keel_ref.memory.values import MemoryLoad, MemoryRequest, Source
from keel_ref.memory.world import CONFIG_VARIABLE
from keel_ref.ports import Tree
from keel_ref.strategies.items import FileTree, Item, ItemKind
from keel_ref.strategies.places import (
    ADDED,
    CONFIG_HOME,
    FOLDERS,
    GROUND,
    HOME,
    LINKED_FOLDERS,
    MANAGED,
    OUTSIDE,
    REPOSITORY,
    WORKTREE,
    Ground,
)
from keel_ref.strategies.trees import file_trees, link_item


@frozen(kw_only=True)
class Scenario:
    """All that a load depends on."""

    tree: FileTree
    """What lies on the disk; the working folder exists, be it through a link."""
    request: MemoryRequest
    """What is asked."""
    choices: Choices
    """The points on which implementations may differ."""
    gates: Gates
    """Layers that can be off as a whole."""
    constants: Constants
    """The numbers."""

    def load(self, tree: Tree) -> MemoryLoad:
        """The start-up load of the tree in one of its forms."""
        return load_memory(tree, self.request, choices=self.choices, gates=self.gates, constants=self.constants)


def requests() -> st.SearchStrategy[MemoryRequest]:
    """A request without switches, or with any."""
    return plain_requests() | switched_requests()


def plain_requests() -> st.SearchStrategy[MemoryRequest]:
    """A session with all its folders, and nothing switched off."""
    return st.builds(
        MemoryRequest,
        cwd=working_folders(),
        home=st.just(HOME),
        managed_dir=st.just(MANAGED),
        add_dirs=added_folders(),
        approve_external=st.booleans(),
        env=st.just({}) | st.just({ADDED_VARIABLE: "1"}),
    )


def switched_requests() -> st.SearchStrategy[MemoryRequest]:
    """Where a session starts, and under which switches."""
    return st.builds(
        MemoryRequest,
        cwd=working_folders(),
        home=st.sampled_from((HOME, REPOSITORY, "")),
        config_dir=st.sampled_from((None, ADDED, CONFIG_HOME)),
        managed_dir=st.sampled_from((MANAGED, None, REPOSITORY)),
        add_dirs=added_folders(),
        sources=sources(),
        settings_files=st.sampled_from(((), ("/x.json",), ("/m/managed-settings.json", "/x.json"))),
        approve_external=st.booleans(),
        bare=st.booleans(),
        env=variables(),
    )


def added_folders() -> st.SearchStrategy[tuple[str, ...]]:
    """Folders that are added to a session, one of them missing."""
    return st.lists(st.sampled_from((ADDED, "/r/s", "/r/s/d", OUTSIDE, "/nowhere")), max_size=2).map(tuple)


def working_folders() -> st.SearchStrategy[str]:
    """The working folder: any of the tree, also one that is reached through a link."""
    return st.sampled_from(("/r/s", "/r/s/d", REPOSITORY, WORKTREE, HOME, CONFIG_HOME, "/lnk", "/"))


def sources() -> st.SearchStrategy[frozenset[Source]]:
    """All sources, or some."""
    return st.just(frozenset(Source)) | st.frozensets(st.sampled_from(Source))


def variables() -> st.SearchStrategy[dict[str, str]]:
    """The variables that steer a load, with texts that mean on, off, or nothing."""
    switch = st.sampled_from(("1", "true", " YES ", "on", "0", "", "2"))
    off = st.sampled_from(("0", "", "yes"))
    return st.fixed_dictionaries(
        {},
        optional={
            ADDED_VARIABLE: switch,
            DISABLE_VARIABLE: off,
            OFF_VARIABLE: switch,
            CONFIG_VARIABLE: st.sampled_from(("", ADDED, "s")),
        },
    )


def choices() -> st.SearchStrategy[Choices]:
    """A value for each choice."""
    values: dict[str, Any] = {f.name: st.sampled_from(f.metadata["values"]) for f in fields(Choices)}
    return st.builds(Choices, **values)


def gates() -> st.SearchStrategy[Gates]:
    """The documented gates, or any."""
    return st.just(Gates()) | st.builds(Gates, memory_prefetch=st.booleans(), team_memory=st.booleans())


def constants() -> st.SearchStrategy[Constants]:
    """The numbers of the described client, or small ones that a few lines exceed."""
    return st.sampled_from((DEFAULT, TINY))


def scenarios(
    *, with_links: bool = True, is_open: bool = False, requested: st.SearchStrategy[MemoryRequest] | None = None
) -> st.SearchStrategy[Scenario]:
    """A request, and a tree that has its working folder; without links, or refusals, where these are not wanted."""
    trees = {
        cwd: file_trees(Ground(cwd), with_links=with_links, is_open=is_open)
        for cwd in dict.fromkeys((GROUND.cwd, *FOLDERS))
    }
    asked, goals = requests() if requested is None else requested, st.sampled_from(FOLDERS[:-1])
    chosen, opened, numbers = choices(), gates(), constants()

    @st.composite
    def drawn(draw: st.DrawFn) -> Scenario:
        request = draw(asked)
        goal = draw(goals) if with_links and request.cwd in LINKED_FOLDERS else None
        tree = draw(trees.get(goal or request.cwd, trees[GROUND.cwd]))
        return Scenario(
            tree=FileTree.grown((*working_folder_items(request.cwd, goal), *tree.items)),
            request=request,
            choices=draw(chosen),
            gates=draw(opened),
            constants=draw(numbers),
        )

    return drawn()


def working_folder_items(cwd: str, goal: str | None) -> tuple[Item, ...]:
    """The entries that make a working folder exist; where its name says so, as a link to the goal."""
    if goal is None:
        return (Item(path=cwd, kind=ItemKind.FOLDER),)
    return Item(path=goal, kind=ItemKind.FOLDER), link_item(cwd, goal, is_relative=False)
