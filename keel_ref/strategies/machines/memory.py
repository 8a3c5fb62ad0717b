"""A tree that is edited in memory and on a real disk at once, and loaded from both. Spec: memory.md."""

from __future__ import annotations

import tempfile
from pathlib import Path

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from keel_ref.adapters.in_memory import InMemoryTree
from keel_ref.choices import Choices, Gates
from keel_ref.constants import Constants
from keel_ref.errors import NotAFolderError
from keel_ref.memory.touch import MemorySession, Touch
from keel_ref.memory.values import MemoryLoad, MemoryRequest
from keel_ref.paths import Flavour, ancestors
from keel_ref.ports import Tree
from keel_ref.strategies.contents import MemoryText, memory_texts
from keel_ref.strategies.git_layouts import git_layouts
from keel_ref.strategies.items import FileTree, Item, ItemKind
from keel_ref.strategies.laws.every import breaches
from keel_ref.strategies.laws.outcome import Outcome
from keel_ref.strategies.laws.session import Visits, session_breaches
from keel_ref.strategies.mounted_disk import MountedDisk
from keel_ref.strategies.places import GROUND, REPOSITORY, TARGETS
from keel_ref.strategies.planting import put_in_memory
from keel_ref.strategies.scenarios import (
    Scenario,
    choices,
    constants,
    gates,
    plain_requests,
    switched_requests,
    working_folders,
)
from keel_ref.strategies.trees import file_trees, memory_paths, other_items


class MemoryMachine(RuleBasedStateMachine):
    """Every rule changes both trees; after each, both give the same load, and the load keeps every law."""

    def __init__(self) -> None:
        """Start with an empty folder on the disk, and an empty tree in memory."""
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(prefix="keel-ref-")
        self.disk = MountedDisk(str(Path(self.folder.name).resolve()))
        self.memory = InMemoryTree()
        self.memory.add_folder("/")
        self.items: dict[str, Item] = {"/": Item(path="/", kind=ItemKind.FOLDER)}
        self.request = MemoryRequest(cwd=REPOSITORY)
        self.choices, self.gates, self.constants = Choices(), Gates(), Constants()
        self.sessions: tuple[MemorySession, MemorySession] | None = None
        self.start: Outcome | None = None
        self.touches: list[Touch] = []
        self.is_checked = False

    def teardown(self) -> None:
        """Take the folder off the disk."""
        self.folder.cleanup()

    @initialize(tree=file_trees(), request=plain_requests(), numbers=constants())
    def begin(self, tree: FileTree, request: MemoryRequest, numbers: Constants) -> None:
        """A tree to begin with, and the numbers that hold to the end."""
        self.constants = numbers
        self.ask(request)
        for item in tree.items:
            self.put(item)

    @rule(path=memory_paths() | st.sampled_from(GROUND.notes), text=memory_texts())
    def write(self, path: str, text: MemoryText) -> None:
        """Write a memory file, a rule or a note that mentions what there is."""
        goals = [other for other, item in self.items.items() if item.kind is not ItemKind.FOLDER] or [path]
        self.put(Item(path=path, data=text.written(path, goals)))

    @rule(item=other_items())
    def put_other(self, item: Item) -> None:
        """Settings, an index, a folder, a link, a FIFO, or what refuses to be read."""
        self.put(item)

    @rule(layout=git_layouts())
    def lay_out(self, layout: tuple[Item, ...]) -> None:
        """Make a repository, a worktree or a submodule."""
        for item in layout:
            self.put(item)

    @rule(number=st.integers(0, 99))
    def remove(self, number: int) -> None:
        """Take an entry away, and all that lies below it."""
        path = list(self.items)[number % len(self.items)]
        if path != "/":
            self._take_away(path)

    @rule(cwd=working_folders())
    def go(self, cwd: str) -> None:
        """Start the next session in another folder."""
        self.ask(evolve(self.request, cwd=cwd))

    @rule(request=plain_requests() | switched_requests())
    def ask(self, request: MemoryRequest) -> None:
        """Ask for something else from now on."""
        self.put(Item(path=request.cwd, kind=ItemKind.FOLDER))
        self.request = request
        self.is_checked = False

    @rule(chosen=choices(), opened=gates())
    def choose(self, chosen: Choices, opened: Gates) -> None:
        """Declare other choices."""
        self.choices, self.gates = chosen, opened
        self.is_checked = False

    @rule()
    def open_session(self) -> None:
        """Begin a session on both trees, where there is a working folder."""
        try:
            self.sessions = (self._session(self.disk), self._session(self.memory))
        except NotAFolderError:
            self.sessions, self.start = None, None
            return
        self._restart(*(session.start for session in self.sessions))

    @rule(paths=st.lists(st.sampled_from(TARGETS), min_size=1, max_size=3))
    def touch(self, paths: list[str]) -> None:
        """Read files in the session; what they attach is the same on both trees, and keeps every law."""
        if self.sessions is None:
            self.open_session()
        for path in paths if self.sessions else ():
            assert self.sessions is not None
            assert self.start is not None
            on_disk, in_memory = (session.touch(path) for session in self.sessions)
            self.touches.append(in_memory)

            assert on_disk.load.files == in_memory.load.files
            assert set(on_disk.load.skipped) == set(in_memory.load.skipped)
            assert [] == session_breaches(Visits(start=self.start, touches=tuple(self.touches)))

    @precondition(lambda self: self.sessions is not None)
    @rule()
    def compact(self) -> None:
        """After a full compaction the start is loaded anew from what lies on the disk now."""
        assert self.sessions is not None
        on_disk, in_memory = (session.compact() for session in self.sessions)
        self._restart(on_disk, in_memory)

    @invariant()
    def both_trees_load_the_same(self) -> None:
        """Disk and memory give the same load, or the same error, and the load keeps every law."""
        if self.is_checked:
            return
        self.is_checked = True
        on_disk, in_memory = self._outcome(self.disk), self._outcome(self.memory)
        if isinstance(on_disk, str) or isinstance(in_memory, str):
            assert on_disk == in_memory
            return

        assert on_disk.load.files == in_memory.load.files
        assert set(on_disk.load.skipped) == set(in_memory.load.skipped)
        assert sorted(on_disk.load.notices, key=repr) == sorted(in_memory.load.notices, key=repr)
        assert [] == breaches(in_memory)

    def put(self, item: Item) -> None:
        """One more entry on both trees, in the place of another that is no folder; nothing where it does not fit."""
        old = self.items.get(item.path)
        above = ancestors(item.path, Flavour.POSIX)[:-1]
        fits = all(folder not in self.items or self.items[folder].kind is ItemKind.FOLDER for folder in above)
        if not fits or (old is not None and old.kind is ItemKind.FOLDER):
            return
        if old is not None:
            self._take_away(item.path)
        for folder in above:
            self.items.setdefault(folder, Item(path=folder, kind=ItemKind.FOLDER))
        self.items[item.path] = item
        self.disk.put(item)
        put_in_memory(self.memory, item)
        self.is_checked = False

    def _take_away(self, path: str) -> None:
        self.items = {other: item for other, item in self.items.items() if not f"{other}/".startswith(f"{path}/")}
        self.disk.remove(path)
        self.memory.remove(path)
        self.is_checked = False

    def _scenario(self) -> Scenario:
        return Scenario(
            tree=FileTree(tuple(self.items.values())),
            request=self.request,
            choices=self.choices,
            gates=self.gates,
            constants=self.constants,
        )

    def _outcome(self, tree: Tree) -> Outcome | str:
        try:
            return Outcome.of(self._scenario(), tree)
        except NotAFolderError as error:
            return str(error)

    def _session(self, tree: Tree) -> MemorySession:
        return MemorySession(tree, self.request, choices=self.choices, gates=self.gates, constants=self.constants)

    def _restart(self, on_disk: MemoryLoad, in_memory: MemoryLoad) -> None:
        assert self.sessions is not None
        assert on_disk.files == in_memory.files
        assert set(on_disk.skipped) == set(in_memory.skipped)
        session = self.sessions[1]
        self.start = Outcome(scenario=self._scenario(), tree=self.memory, world=session.world, load=session.start)
        self.touches = []
