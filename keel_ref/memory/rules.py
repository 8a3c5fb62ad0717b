"""The files of a rules folder, in order. Spec: MEM-030 to MEM-032, MEM-036."""

from __future__ import annotations

from attrs import frozen

from keel_ref.memory.world import World
from keel_ref.paths import join, order_key
from keel_ref.ports import Entry, EntryKind, Refusal
from keel_ref.trace import Reason, Skip

RULE_ENDING = ".md"
STEPS_PER_RULE = 10
"""Folders, and rows about what is no rule, for each rule that a folder may hold; behind them the walk ends.
Spec: MEM-036."""


@frozen(kw_only=True)
class RulesFound:
    """What lies in a rules folder."""

    paths: tuple[str, ...]
    """The rule files under their real paths, in order."""
    skipped: tuple[Skip, ...]
    """What was met and is no rule, or could not be reached."""


def find_rules(world: World, folder: str, layer: str) -> RulesFound:
    """Walk a rules folder depth first, each folder at the place of its own name. Spec: MEM-030, MEM-031."""
    return _Walk(world, layer).run(folder)


class _Walk:
    """One walk; real folders are visited once, so links may lead anywhere. Spec: MEM-032."""

    def __init__(self, world: World, layer: str) -> None:
        self.tree = world.tree
        self.cap = world.constants.rules_cap_files
        self.layer = layer
        self.visited: set[str] = set()
        self.paths: list[str] = []
        self.skipped: list[Skip] = []
        self.todo: list[tuple[str, EntryKind]] = []

    def run(self, folder: str) -> RulesFound:
        real = self.tree.real_path(folder)
        kind = real if isinstance(real, Refusal) else self.tree.kind_of(real)
        if isinstance(real, Refusal) or isinstance(kind, Refusal):
            self._skip(folder, real if isinstance(real, Refusal) else Refusal(Reason.NOT_FOUND))
        elif kind is not EntryKind.FOLDER:
            self._skip(folder, Refusal(Reason.NOT_REGULAR))
        else:
            self.todo.append((real, EntryKind.FOLDER))
        while self.todo and len(self.skipped) + len(self.visited) <= self.cap * STEPS_PER_RULE:
            self._visit(*self.todo.pop())
        if self.todo:
            self._skip(folder, Refusal(Reason.RULES_BOUND, "the rest of the folder was not looked at"))  # [MEM-036]
        return RulesFound(paths=tuple(self.paths), skipped=tuple(self.skipped))

    def _visit(self, path: str, kind: EntryKind) -> None:
        match kind:
            case EntryKind.FOLDER:
                self._open(path)
            case EntryKind.LINK:
                self._follow(path)
            case EntryKind.FILE if len(self.paths) < self.cap:
                self.paths.append(path)
            case EntryKind.FILE:
                self._skip(path, Refusal(Reason.RULES_BOUND, f"only the first {self.cap} files are considered"))
            case EntryKind.OTHER:
                self._skip(path, Refusal(Reason.NOT_REGULAR))

    def _open(self, folder: str) -> None:
        if folder in self.visited:
            return  # [MEM-032]
        self.visited.add(folder)
        entries = self.tree.list_folder(folder)
        if isinstance(entries, Refusal):
            is_gone = entries.reason is Reason.NOT_FOUND  # [MEM-022] it was there when the folder above was listed
            self._skip(folder, Refusal(Reason.UNREADABLE, entries.detail or "gone") if is_gone else entries)
            return
        for entry in sorted(entries, key=lambda e: order_key(e.name), reverse=True):  # [MEM-031] [MEM-025]
            path = join(folder, entry.name, self.tree.flavour)
            if entry.kind is EntryKind.FOLDER or self._is_candidate(path, entry):
                self.todo.append((path, entry.kind))

    def _is_candidate(self, path: str, entry: Entry) -> bool:
        if entry.kind is EntryKind.LINK or entry.name.endswith(RULE_ENDING):  # [MEM-030] exact, lower case
            return True
        is_near = entry.name.lower().endswith(RULE_ENDING)
        self._skip(path, Refusal(Reason.NOT_MD, "the ending counts in lower case only" if is_near else ""))
        return False

    def _follow(self, path: str) -> None:
        """A link: a folder is walked, a file listed, under its real path and at the link's place. Spec: MEM-032."""
        real = self.tree.real_path(path)
        kind = real if isinstance(real, Refusal) else self.tree.kind_of(real)
        if isinstance(real, Refusal) or isinstance(kind, Refusal):
            self._skip(path, real if isinstance(real, Refusal) else Refusal(Reason.NOT_FOUND))
        elif kind is EntryKind.FOLDER:
            self._open(real)
        elif kind is EntryKind.OTHER:
            self._skip(path, Refusal(Reason.NOT_REGULAR))  # under the name that somebody can find
        elif self._is_candidate(path, Entry(path, EntryKind.FILE)):  # [MEM-030] the link's own name is judged
            self._visit(real, kind)

    def _skip(self, path: str, refusal: Refusal) -> None:
        self.skipped.append(Skip(path=path, layer=self.layer, reason=refusal.reason, detail=refusal.detail))
