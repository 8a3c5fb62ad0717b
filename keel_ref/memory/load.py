"""The start-up load, and a session that goes on from it. Spec: MEM-001, MEM-002, MEM-111."""

from __future__ import annotations

from keel_ref.choices import Choices, Gates, Switch
from keel_ref.constants import DEFAULT, Constants
from keel_ref.memory.candidates import candidates
from keel_ref.memory.ledger import Ledger
from keel_ref.memory.loader import Loader
from keel_ref.memory.meter import Meters
from keel_ref.memory.survey import survey_chain
from keel_ref.memory.values import Layer, MemoryLoad, MemoryRequest
from keel_ref.memory.world import World, prepare
from keel_ref.ports import Tree
from keel_ref.trace import Reason


def load_memory(
    tree: Tree,
    request: MemoryRequest,
    *,
    choices: Choices | None = None,
    gates: Gates | None = None,
    constants: Constants = DEFAULT,
) -> MemoryLoad:
    """Which memory files a session starts with, in order, and why every other candidate does not load.

    The answer depends on nothing but the arguments. Raises `InvalidArgumentError` for a path that is not absolute and
    `NotAFolderError` for a cwd that is no folder; whatever else the tree holds ends in a row of `skipped`.
    Spec: MEM-001, MEM-002, MEM-023.
    """
    world = prepare(tree, request, choices or Choices(), gates or Gates(), constants)
    load, _ = load_world(world)
    return load


def load_world(world: World) -> tuple[MemoryLoad, set[str]]:
    """The load of a world, and the marks of what was loaded, with which a session goes on."""
    ledger = Ledger(mentions_left=world.constants.mention_cap, meters=Meters.of(world.constants))
    for row in world.settings.skipped:
        ledger.skip(row.path, row.layer, row.reason, row.detail)
    loader = Loader(world, ledger)
    for candidate in candidates(world):
        loader.take(candidate)
    survey_chain(world, ledger)
    _filter(world, ledger)
    return ledger.load(), ledger.marks


def _filter(world: World, ledger: Ledger) -> None:
    """The index is left out when relevant memories are searched ahead. Spec: MEM-111."""
    if not world.gates.memory_prefetch or world.choices.injected_filter is Switch.OFF:
        return
    for file in [file for file in ledger.files if file.layer in {Layer.AUTO, Layer.TEAM}]:  # [MEM-111]
        ledger.files.remove(file)
        ledger.skip(file.path, file.layer, Reason.INJECTED_FILTER)
