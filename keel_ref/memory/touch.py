"""Memory that comes in while a session goes on, because a file was touched. Spec: MEM-140 to MEM-148."""

from __future__ import annotations

from attrs import evolve, frozen

from keel_ref.choices import Choices, Gates, Switch, Unit
from keel_ref.constants import DEFAULT, Constants
from keel_ref.memory.candidates import (
    chain_folders,
    disabled,
    folder_files,
    local_file,
    managed_rules,
    project_rules,
    suppressed,
    user_rules,
)
from keel_ref.memory.index import cut_exactly
from keel_ref.memory.ledger import Ledger
from keel_ref.memory.load import load_world
from keel_ref.memory.loader import Loader, Moment, Visit
from keel_ref.memory.meter import Meters, SpentError
from keel_ref.memory.path_rules import matches_rule
from keel_ref.memory.values import Candidate, LoadReason, MemoryFile, MemoryLoad, MemoryRequest, Source
from keel_ref.memory.world import World, prepare
from keel_ref.paths import ancestors, is_inside, join, normalise, parent, relative
from keel_ref.ports import Tree
from keel_ref.trace import Reason

__all__ = ["LoadReason", "MemorySession", "Touch"]


@frozen(kw_only=True)
class Touch:
    """What one touched file brought in."""

    path: str
    """The file, as its path was worked out."""
    load: MemoryLoad
    """What is attached, in order, and what is not."""


class MemorySession:
    """A start-up load and every touch after it; each file is attached once. Spec: MEM-143."""

    def __init__(
        self,
        tree: Tree,
        request: MemoryRequest,
        *,
        choices: Choices | None = None,
        gates: Gates | None = None,
        constants: Constants = DEFAULT,
    ) -> None:
        """Load what the session starts with; raises what `load_memory` raises."""
        self.world = prepare(tree, request, choices or Choices(), gates or Gates(), constants)
        self.start, self._marks = load_world(self.world)

    def touch(self, path: str) -> Touch:
        """The memory that a read, write or edit of the file attaches. Spec: MEM-140, MEM-141."""
        target = self._target(path)
        constants = self.world.constants
        ledger = Ledger(mentions_left=constants.mention_cap, meters=Meters.of(constants), marks=self._marks)
        if not self._is_deaf() and is_inside(target, self.world.cwd, self.world.tree.flavour):
            _Attacher(self.world, ledger, target).run()
        return Touch(path=target, load=ledger.load())

    def compact(self) -> MemoryLoad:
        """After a full compaction the start is loaded anew, and a new touch attaches again. Spec: MEM-143, MEM-146."""
        load, self._marks = load_world(self.world)
        self.start = evolve(load, files=tuple(map(_after_compaction, load.files)))
        return self.start

    def _is_deaf(self) -> bool:
        """Is nothing ever attached? Spec: MEM-014, MEM-148."""
        return self.world.request.bare or disabled(self.world) is not None  # [MEM-148]

    def _target(self, path: str) -> str:
        """The path, absolute; one below cwd as it was given is taken below its real path. Spec: MEM-008."""
        flavour = self.world.tree.flavour
        whole = normalise(join(self.world.cwd, path, flavour), flavour)
        below = relative(whole, self.world.request.cwd, flavour)
        is_renamed = below is not None and not is_inside(whole, self.world.cwd, flavour)
        return normalise(join(self.world.cwd, below or "", flavour), flavour) if is_renamed else whole


def _after_compaction(file: MemoryFile) -> MemoryFile:
    is_start = file.reason is LoadReason.SESSION_START
    return evolve(file, reason=LoadReason.COMPACT) if is_start else file  # [MEM-146]


class _Attacher:
    """One touch: nested memory on the way down, and the path rules of every folder that has a say."""

    def __init__(self, world: World, ledger: Ledger, target: str) -> None:
        self.world = world
        self.ledger = ledger
        self.target = target
        self.loader = Loader(world, ledger, Moment.ON_DEMAND)

    def run(self) -> None:
        """The order of MEM-141."""
        for rules in (managed_rules(self.world), user_rules(self.world)):
            if rules is not None:
                self._attach_matching(rules)
        for folder in self._folders_below():
            self._nested(folder)
        for folder in chain_folders(self.world):
            self._attach_matching(project_rules(self.world, folder, suppressed(self.world, folder)))
        self.ledger.files[:] = [_cut(self.world, file) for file in self.ledger.files]

    def _folders_below(self) -> tuple[str, ...]:
        """From just below cwd down to the folder of the target."""
        flavour = self.world.tree.flavour
        folders = ancestors(parent(self.target, flavour), flavour)
        return tuple(f for f in folders if relative(f, self.world.cwd, flavour) is not None)

    def _nested(self, folder: str) -> None:
        """Local memory comes before the rules here, other than at start. Spec: MEM-141, MEM-142."""
        project = self._off(Source.PROJECT)
        for candidate in folder_files(self.world, folder, project):
            self.loader.take(candidate)
        self.loader.take(local_file(self.world, folder, self._off(Source.LOCAL)))
        rules = project_rules(self.world, folder)  # [MEM-142] not switched off by the sources
        self.loader.take(rules)  # [MEM-035] includes of path rules come in here
        self._attach_matching(rules)

    def _off(self, source: Source) -> Reason | None:
        return None if source in self.world.request.sources else Reason.SOURCE_OFF

    def _attach_matching(self, rules: Candidate) -> None:
        """The path rules of a folder that match the target, each alone. Spec: MEM-034, MEM-057, MEM-058."""
        below = relative(self.target, rules.base, self.world.tree.flavour)
        if rules.held_back is not None or below is None or below.startswith(".."):  # [MEM-058]
            return
        for path in self.loader.rule_paths(rules):
            try:
                self._attach_rule(Visit(path=path, layer=rules.layer, base=rules.base), below)
            except SpentError:
                self.ledger.reach_bound(path, "its patterns take too long to be compared")  # [MEM-051]

    def _attach_rule(self, visit: Visit, below: str) -> None:
        if self.loader.is_known(visit.path):
            return  # [MEM-143]
        document, meter = self.loader.admit(visit), self.ledger.meters.comparisons
        if document is None or not document.rule.patterns or not matches_rule(document.rule.patterns, below, meter):
            return
        self.loader.mark(visit.path, document)
        self.ledger.add(
            MemoryFile(
                path=visit.path,
                layer=visit.layer,
                text=document.text,
                raw=document.raw,
                globs=document.rule.patterns,
                reason=LoadReason.PATH_GLOB_MATCH,
            )
        )


def _cut(world: World, file: MemoryFile) -> MemoryFile:
    """Within the limits of surfaced memories, where that was chosen. Spec: MEM-145."""
    if world.choices.nested_cut is Switch.OFF:
        return file
    lines = file.text.removesuffix("\n").split("\n")  # [MEM-145] a final line end begins no further line
    cap = world.constants.nested_cap_lines
    kept = file.text if len(lines) <= cap else "\n".join(lines[:cap])
    kept = cut_exactly(kept, Unit.UTF8, world.constants.nested_cap_bytes)
    if kept == file.text:
        return file
    notice = f"Note: only the beginning of {file.path} stands above; read the file for the rest."
    return evolve(file, text=kept, notice=notice)
