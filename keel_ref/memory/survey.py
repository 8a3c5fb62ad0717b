"""Files beside the places of memory that look as if they were meant. Spec: MEM-005, MEM-017, MEM-018, MEM-023."""

from __future__ import annotations

from collections.abc import Iterable

from keel_ref.memory.candidates import chain_folders
from keel_ref.memory.ledger import Ledger
from keel_ref.memory.world import World
from keel_ref.paths import join, order_key
from keel_ref.ports import Entry, EntryKind, Refusal
from keel_ref.trace import Reason

CHAIN_NAMES = ("CLAUDE.md", "CLAUDE.local.md")
DOT_NAMES = ("CLAUDE.md",)


def survey_chain(world: World, ledger: Ledger) -> None:
    """Report what lies in the folders of the load and is not read. Spec: MEM-023."""
    for folder in chain_folders(world):
        entries = _files(world, folder)
        _report_case(world, ledger, folder, entries, CHAIN_NAMES)
        if any(entry.name == "AGENTS.md" for entry in entries):
            _report_agents(world, ledger, folder)
        dot = join(folder, ".claude", world.tree.flavour)
        inner = _files(world, dot)
        _report_case(world, ledger, dot, inner, DOT_NAMES)
        if any(entry.name == "CLAUDE.local.md" for entry in inner):
            ledger.skip(join(dot, "CLAUDE.local.md", world.tree.flavour), None, Reason.WRONG_PLACE)  # [MEM-005]
    for folder in filter(None, (world.request.managed_dir, world.config_home)):
        _report_case(world, ledger, folder, _files(world, folder), DOT_NAMES)


def _report_agents(world: World, ledger: Ledger, folder: str) -> None:
    path = join(folder, "AGENTS.md", world.tree.flavour)
    if path not in ledger.listed:  # [MEM-017] another file may include it
        ledger.skip(path, None, Reason.AGENTS_FILE, "this version does not read it; include it from CLAUDE.md")


def _report_case(world: World, ledger: Ledger, folder: str, entries: Iterable[Entry], wanted: tuple[str, ...]) -> None:
    """Names that differ from a wanted one in the case of their letters only. Spec: MEM-018."""
    for entry in entries:
        twin = next((name for name in wanted if _is_twin(entry.name, name)), None)
        if twin is None or entry.name == twin:
            continue
        path = join(folder, entry.name, world.tree.flavour)
        is_same_file = world.tree.spelling(join(folder, twin, world.tree.flavour)) == path
        if path not in ledger.listed and not is_same_file:
            ledger.skip(path, None, Reason.NAME_CASE, f"the name looked for is {twin}")


def _is_twin(name: str, wanted: str) -> bool:
    return len(name) == len(wanted) and _ascii_fold(name) == _ascii_fold(wanted)


def _ascii_fold(name: str) -> str:
    return "".join(c.lower() if c.isascii() else c for c in name)


def _files(world: World, folder: str) -> tuple[Entry, ...]:
    """What may be a file in a folder; nothing for one that cannot be listed."""
    entries = world.tree.list_folder(folder)
    if isinstance(entries, Refusal):
        return ()
    ordered = sorted(entries, key=lambda entry: order_key(entry.name))  # [MEM-025] so that rows stand in one order
    return tuple(e for e in ordered if e.kind in {EntryKind.FILE, EntryKind.LINK})
