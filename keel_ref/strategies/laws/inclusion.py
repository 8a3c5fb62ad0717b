"""What is in the list. Spec: MEM-003, MEM-013 to MEM-015, MEM-060, MEM-080 to MEM-091."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from keel_ref.choices import BareAdded, IncludeHops
from keel_ref.memory.approval import approval_record
from keel_ref.memory.candidates import ADDED_VARIABLE, DISABLE_VARIABLE
from keel_ref.memory.extensions import is_text_name
from keel_ref.memory.includes import find_mentions, resolve_mention
from keel_ref.memory.values import Layer, MemoryFile, Source
from keel_ref.paths import is_inside, name_of, parent
from keel_ref.ports import EntryKind, FileContent
from keel_ref.strategies.laws.outcome import EXCLUDABLE_LAYERS, INDEX_LAYERS, Outcome
from keel_ref.strategies.places import below
from keel_ref.trace import Reason


def records_are_files(outcome: Outcome) -> Iterator[str]:
    """Each record is a regular file of the tree, and holds what the file holds. Spec: MEM-001, MEM-019, MEM-106."""
    for file in outcome.load.files:
        content = outcome.tree.read_file(file.path, outcome.world.constants.max_file_bytes)
        if outcome.tree.kind_of(file.path) is not EntryKind.FILE or not isinstance(content, FileContent):
            yield f"{file.path} is no file that can be read"
        elif content.data.decode("utf-8", "replace") != file.raw:
            yield f"{file.path} holds something else"


def nothing_stands_twice(outcome: Outcome) -> Iterator[str]:
    """No path is in the list twice; under `memory.identity` real no real path is. Spec: MEM-084, MEM-085."""
    for path, count in Counter(outcome.identity(file.path) for file in outcome.load.files).items():
        if count > 1:
            yield f"{path} loads {count} times"


def managed_file_is_there(outcome: Outcome) -> Iterator[str]:
    """Whatever the sources, exclusions and cwd are, the organisation's file loads. Spec: MEM-003."""
    folder, world = outcome.world.request.managed_dir, outcome.world
    if not folder or is_switched_off(outcome) or is_added_only(outcome):
        return
    path = below(folder, "CLAUDE.md")
    content = world.tree.read_file(path, world.constants.max_file_bytes)
    if isinstance(content, FileContent) and outcome.text_of(content.data.decode("utf-8", "replace")):
        found = [file for file in outcome.load.files if file.path == path]
        if [Layer.MANAGED] != [file.layer for file in found]:
            yield f"{path} is missing"


def depths_are_bounded(outcome: Outcome) -> Iterator[str]:
    """No record lies deeper than `memory.include_hops`, and each one hop below its includer. Spec: MEM-080."""
    most = hops(outcome)
    depths = {file.path: file.depth for file in outcome.load.files}
    for file in outcome.load.files:
        if file.depth > most:
            yield f"{file.path} lies {file.depth} hops deep"
        if (file.depth == 0) != (file.parent is None):
            yield f"{file.path} lies {file.depth} hops below {file.parent}"
        if file.depth > 1 and file.parent is not None and depths.get(file.parent) != file.depth - 1:
            yield f"{file.path} lies {file.depth} hops deep, and not one below {file.parent}"


def includers_are_known(outcome: Outcome) -> Iterator[str]:
    """An included file has the layer of its includer: a record, or a rule that waits or did. Spec: MEM-034, MEM-091."""
    known = {(rule.path, rule.layer) for rule in outcome.load.held}
    known |= {(file.path, file.layer) for file in outcome.load.files}
    waited = {file.path for file in outcome.load.files if file.parent is not None}
    for file in outcome.load.files:
        is_known = (file.parent, file.layer) in known or (file.depth == 1 and file.parent in waited)
        if file.parent is not None and not is_known:
            yield f"{file.path} ({file.layer}) is included by {file.parent}, which is no such record"


def allowed_includes_are_there(outcome: Outcome) -> Iterator[str]:
    """Above the last depth every include that is mentioned, allowed and exists is in the list. Spec: MEM-082."""
    if any(row.reason is Reason.BOUND_REACHED for row in outcome.load.skipped):
        return
    loaded = {outcome.identity(file.path) for file in outcome.load.files}
    loaded |= {outcome.real(file.path) for file in outcome.load.files}
    for file in outcome.load.files:
        if file.depth < hops(outcome) and file.layer not in INDEX_LAYERS:
            for path in mentioned(outcome, file):
                if is_allowed(outcome, file.layer, path) and outcome.identity(path) not in loaded:
                    yield f"{path}, mentioned in {file.path}, is missing"


def includes_are_allowed(outcome: Outcome) -> Iterator[str]:
    """Every include has a name that may be included, and lies where its layer may reach. Spec: MEM-087 to MEM-089."""
    for file in outcome.load.files:
        if file.parent is not None and not is_allowed(outcome, file.layer, file.path):
            yield f"{file.path}, included by {file.parent}, is not allowed"


def excluded_files_are_absent(outcome: Outcome) -> Iterator[str]:
    """Nothing of the layers user, project and local that a pattern excludes is in the list. Spec: MEM-060."""
    for file in outcome.load.files:
        if file.layer in EXCLUDABLE_LAYERS and (pattern := outcome.world.excluded_by(file.path)) is not None:
            yield f"{file.path} is excluded by {pattern}"


def switched_off_layers_are_absent(outcome: Outcome) -> Iterator[str]:
    """What a source, bare mode or the switch for everything leaves out is not in the list. Spec: MEM-013 to MEM-015."""
    request = outcome.world.request
    absent = {Layer.USER: Source.USER, Layer.LOCAL: Source.LOCAL}
    if not request.add_dirs or not outcome.world.is_on(ADDED_VARIABLE):
        absent[Layer.PROJECT] = Source.PROJECT
    for file in outcome.load.files:
        is_off = file.layer in absent and absent[file.layer] not in request.sources
        is_bare = request.bare and file.layer in INDEX_LAYERS
        if is_off or is_bare or is_switched_off(outcome):
            yield f"{file.path} ({file.layer}) is switched off"
        elif is_added_only(outcome) and file.layer is not Layer.PROJECT:
            yield f"{file.path} ({file.layer}) is of no added folder"


def is_switched_off(outcome: Outcome) -> bool:
    """Does nothing load at all?"""
    request = outcome.world.request
    return outcome.world.is_on(DISABLE_VARIABLE) or (request.bare and not request.add_dirs)


def is_added_only(outcome: Outcome) -> bool:
    """Do only added folders load?"""
    return outcome.world.request.bare and outcome.world.choices.bare_added is BareAdded.ADDED_ONLY


def hops(outcome: Outcome) -> int:
    """How deep includes go."""
    fewer = outcome.world.choices.include_hops is IncludeHops.FOUR
    return outcome.world.constants.max_include_depth - (1 if fewer else 0)


def mentioned(outcome: Outcome, file: MemoryFile) -> Iterator[str]:
    """The paths that a record mentions, relative ones from where the file really lies."""
    flavour, home = outcome.tree.flavour, outcome.world.request.home
    folder = parent(outcome.real(file.path), flavour)
    for mention in find_mentions(file.text, outcome.world.constants).paths:
        path = resolve_mention(mention, folder, home, flavour)
        if path is not None:
            yield path


def is_allowed(outcome: Outcome, layer: Layer, path: str) -> bool:
    """May a file of this layer include that path, and is there a text to be had?"""
    world = outcome.world
    content = outcome.tree.read_file(path, world.constants.max_file_bytes)
    return (
        is_text_name(name_of(path, outcome.tree.flavour))
        and (layer not in EXCLUDABLE_LAYERS or world.excluded_by(path) is None)
        and (
            layer is Layer.USER
            or is_inside(path, world.cwd, outcome.tree.flavour)
            or approval_record(world).is_approved
        )
        and isinstance(content, FileContent)
        and bool(outcome.text_of(content.data.decode("utf-8", "replace")))
    )
