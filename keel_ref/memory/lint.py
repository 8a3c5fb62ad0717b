"""What is probably not meant: warnings about a load that works. Spec: errors.json, `warnings`."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from keel_ref.memory.extensions import TEXT_EXTENSIONS, extension_of
from keel_ref.memory.meter import Meter, SpentError
from keel_ref.memory.path_rules import matches_rule
from keel_ref.memory.similar import same_texts
from keel_ref.memory.touch import MemorySession
from keel_ref.memory.values import MemoryLoad
from keel_ref.memory.world import World
from keel_ref.paths import join, name_of, parent, relative
from keel_ref.ports import EntryKind, Refusal, Tree
from keel_ref.trace import Notice, Reason, Skip

TYPO_ENDINGS = ".,:;!?)]}>\"'*"
MAX_ENTRIES = 50_000
"""Entries below cwd that are looked through."""
MAX_COMPARISONS = 2_000_000
"""Steps in asking which rules no file matches."""
PATHS_PER_UNIT = 10
MENTIONED = frozenset({Reason.NOT_FOUND, Reason.INCLUDE_EXTERNAL, Reason.INCLUDE_TYPE, Reason.INCLUDE_DEPTH})
NESTED_NAMES = frozenset({"CLAUDE.md", "CLAUDE.local.md"})
UNTOUCHED = frozenset({".git"})


@frozen(kw_only=True)
class Lint:
    """What a closer look at a load finds."""

    notices: tuple[Notice, ...]
    """Warnings, in a fixed order."""
    skipped: tuple[Skip, ...]
    """Memory below cwd that waits for a read. Spec: MEM-023."""
    noise: frozenset[Skip]
    """Rows of the load about words that merely look like includes, such as `@param` in prose."""


@frozen(kw_only=True)
class _Below:
    """The files below cwd."""

    files: tuple[str, ...]
    """Paths, in the order of the walk."""
    is_whole: bool
    """False when the walk met its bound."""


def lint(session: MemorySession) -> Lint:
    """Look at a start-up load once more, at the files beside it, and at what lies below cwd."""
    world, load = session.world, session.start
    below = _files_below(world.tree, world.cwd)
    notices = (
        *load.notices,
        *_from_rows(load),
        *_typos(world.tree, load),
        *_idle_rules(world, load, below),
        *same_texts(load.files),
    )
    return Lint(
        notices=notices,
        skipped=tuple(_waiting(world, load, below)),
        noise=frozenset(row for row in load.skipped if _is_noise(world.tree, row)),
    )


def _is_noise(tree: Tree, row: Skip) -> bool:
    """By the rules it is a mention, yet no file lies there and its name does not look like a text file's."""
    if row.reason not in MENTIONED:
        return False
    extension = extension_of(name_of(row.path, tree.flavour))
    return extension not in TEXT_EXTENSIONS and isinstance(tree.kind_of(row.path), Refusal)


def _from_rows(load: MemoryLoad) -> Iterator[Notice]:
    """Rows that are worth a warning."""
    kinds = {
        Reason.NAME_CASE: "name-case",
        Reason.SETTINGS_BROKEN: "settings-broken",
        Reason.AGENTS_FILE: "agents-file",
    }
    for row in load.skipped:
        if row.reason in kinds:
            yield Notice(kind=kinds[row.reason], path=row.path, detail=row.detail)


def _typos(tree: Tree, load: MemoryLoad) -> Iterator[Notice]:
    """Includes that would find a file without the punctuation behind them. Spec: MEM-076."""
    for row in load.skipped:
        trimmed = row.path.rstrip(TYPO_ENDINGS)
        is_candidate = row.reason in {Reason.NOT_FOUND, Reason.INCLUDE_TYPE} and trimmed != row.path
        if is_candidate and name_of(trimmed, tree.flavour) and tree.kind_of(trimmed) is EntryKind.FILE:
            tail = row.path[len(trimmed) :]
            detail = f"{row.detail}: the {tail!r} at its end is taken for part of the name; put a blank before it"
            yield Notice(kind="import-typo", path=row.path, detail=detail)


def _idle_rules(world: World, load: MemoryLoad, below: _Below) -> Iterator[Notice]:
    """Path rules that no file below cwd could wake."""
    if not load.held:
        return
    if not below.is_whole:
        yield _bound(world, f"more than {MAX_ENTRIES} entries below: rules that match nothing are not looked for")
        return
    meter = Meter(MAX_COMPARISONS)
    known: dict[str, tuple[str, ...]] = {}
    for rule in load.held:
        try:
            if rule.base not in known:
                meter.spend(len(below.files) // PATHS_PER_UNIT)
                known[rule.base] = tuple(_below_base(world, rule.base, below))
            is_idle = not any(matches_rule(rule.patterns, path, meter) for path in known[rule.base])
        except SpentError:
            yield _bound(world, f"whether a file matches is not asked for {rule.path} and the rules behind it")
            return
        if is_idle:
            detail = f"no file below the working folder matches {', '.join(rule.patterns)} (from {rule.base})"
            yield Notice(kind="rule-matches-nothing", path=rule.path, detail=detail)


def _below_base(world: World, base: str, below: _Below) -> Iterator[str]:
    for path in below.files:
        place = relative(path, base, world.tree.flavour)
        if place is not None:
            yield place


def _bound(world: World, detail: str) -> Notice:
    return Notice(kind="bound-reached", path=world.cwd, detail=detail)


def _waiting(world: World, load: MemoryLoad, below: _Below) -> Iterator[Skip]:
    """Memory files below cwd that a read would attach. Spec: MEM-140."""
    tree, flavour = world.tree, world.tree.flavour
    known = {file.path for file in load.files} | {row.path for row in load.skipped}
    for path in below.files:
        name, folder = name_of(path, flavour), parent(path, flavour)
        if name not in NESTED_NAMES or path in known or tree.kind_of(path) is not EntryKind.FILE:
            continue
        if name_of(folder, flavour) == ".claude":
            if name == "CLAUDE.local.md":
                continue  # [MEM-005] a wrong place
            folder = parent(folder, flavour)
        place = relative(folder, world.cwd, flavour)
        if place is not None:
            yield Skip(path=path, reason=Reason.ON_DEMAND, detail=f"until a file below {place} is read")


def _files_below(tree: Tree, folder: str) -> _Below:
    """Every file below a folder, links not followed, up to a bound."""
    files: list[str] = []
    todo: list[str] = [folder]
    seen = 0
    while todo:
        place = todo.pop()
        entries = tree.list_folder(place)
        if isinstance(entries, Refusal):
            continue
        seen += len(entries)
        if seen > MAX_ENTRIES:
            return _Below(files=tuple(files), is_whole=False)
        for entry in sorted(entries, key=lambda e: e.name, reverse=True):
            path = join(place, entry.name, tree.flavour)
            if entry.kind is EntryKind.FOLDER and entry.name not in UNTOUCHED:
                todo.append(path)
            elif entry.kind in {EntryKind.FILE, EntryKind.LINK}:
                files.append(path)
    return _Below(files=tuple(files), is_whole=True)
