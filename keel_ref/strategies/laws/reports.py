"""What is said about what does not load, and about texts. Spec: MEM-001, MEM-023, MEM-104, MEM-121 to MEM-123."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from keel_ref.choices import Unit
from keel_ref.memory.index import index_places
from keel_ref.memory.values import Layer
from keel_ref.ports import EntryKind, Refusal
from keel_ref.strategies.laws.outcome import INDEX_LAYERS, Outcome
from keel_ref.strategies.places import CHAIN_NAMES, below
from keel_ref.text import size_utf8, size_utf16
from keel_ref.trace import Reason


def rows_and_records_exclude_one_another(outcome: Outcome) -> Iterator[str]:
    """A path and layer that is in the list is in no row, and no path and layer is in two rows. Spec: MEM-023."""
    loaded = {(file.path, str(file.layer)) for file in outcome.load.files}
    for place, count in Counter((row.path, row.layer) for row in outcome.load.skipped).items():
        if place in loaded:
            yield f"{place} loads and does not"
        if count > 1:
            yield f"{place} has {count} rows"


def candidates_are_accounted_for(outcome: Outcome) -> Iterator[str]:
    """Every place of a direct candidate where something lies is a record or has a row. Spec: MEM-023."""
    told = {file.path for file in outcome.load.files} | {row.path for row in outcome.load.skipped}
    for path in sorted(set(_candidates(outcome))):
        kind = outcome.tree.kind_of(path)
        is_missing = isinstance(kind, Refusal) and kind.reason is Reason.NOT_FOUND
        if not is_missing and path not in told:
            yield f"{path} is passed over in silence"


def start_texts_are_whole(outcome: Outcome) -> Iterator[str]:
    """No start-up text but an index is ever cut, whatever its size. Spec: MEM-100, MEM-104."""
    for file in outcome.load.files:
        if file.layer not in INDEX_LAYERS and file.text != outcome.text_of(file.raw):
            yield f"{file.path} is not sent whole"
        if not file.text:
            yield f"{file.path} is blank"


def indexes_are_bounded(outcome: Outcome) -> Iterator[str]:
    """An index keeps its limits, and has a notice if and only if it was cut. Spec: MEM-121 to MEM-123."""
    constants = outcome.world.constants
    size = size_utf16 if outcome.world.choices.index_unit is Unit.UTF16 else size_utf8
    for file in outcome.load.files:
        if file.layer not in INDEX_LAYERS:
            if file.notice:
                yield f"{file.path} has a notice"
            continue
        whole = outcome.text_of(file.raw)
        if file.text.count("\n") >= constants.index_cap_lines or size(file.text) > constants.index_cap_units:
            yield f"{file.path} exceeds a limit"
        if not whole.startswith(file.text) or bool(file.notice) != (whole != file.text):
            yield f"{file.path} is cut, and its notice does not say so"


def tokens_follow_the_documented_rule(outcome: Outcome) -> Iterator[str]:
    """UTF-16 units and two more, by four, rounded down. Spec: MEM-001."""
    for file in outcome.load.files:
        if file.tokens != (size_utf16(file.text) + 2) // 4:
            yield f"{file.path} costs {file.tokens}"


def _candidates(outcome: Outcome) -> Iterator[str]:
    """The places of files found directly, rules in a tree without links among them."""
    world = outcome.world
    folders = [*outcome.chain, *world.request.add_dirs]
    for folder in outcome.chain:
        yield from (below(folder, name) for name in CHAIN_NAMES)
    for folder in world.request.add_dirs:
        yield from (below(folder, name) for name in CHAIN_NAMES[:2])
    rules = [below(folder, ".claude", "rules") for folder in folders]
    if world.request.managed_dir:
        yield below(world.request.managed_dir, "CLAUDE.md")
        rules.append(below(world.request.managed_dir, ".claude", "rules"))
    if world.config_home:
        yield below(world.config_home, "CLAUDE.md")
        rules.append(below(world.config_home, "rules"))
    if not outcome.scenario.tree.has_links:
        for folder in rules:
            yield from _rules(outcome, folder)
    yield from (place.path for place in index_places(world, None) if place.layer in (Layer.AUTO, Layer.TEAM))


def _rules(outcome: Outcome, folder: str) -> Iterator[str]:
    entries = outcome.tree.list_folder(folder)
    if isinstance(entries, Refusal):
        return
    for entry in entries:
        path = below(folder, entry.name)
        if entry.kind is EntryKind.FOLDER:
            yield from _rules(outcome, path)
        else:
            yield path
