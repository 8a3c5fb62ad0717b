"""Where a load looks, in which order, and what holds a place back. Spec: MEM-002 to MEM-015."""

from __future__ import annotations

from collections.abc import Iterator

from keel_ref.choices import BareAdded, Root
from keel_ref.memory.index import index_places
from keel_ref.memory.roots import suppresses_project
from keel_ref.memory.values import Candidate, CandidateKind, Layer, Source
from keel_ref.memory.world import World
from keel_ref.paths import ancestors, join, parent
from keel_ref.trace import Reason

DISABLE_VARIABLE = "CLAUDE_CODE_DISABLE_CLAUDE_MDS"
ADDED_VARIABLE = "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD"


def candidates(world: World) -> tuple[Candidate, ...]:
    """Every place that a start-up load considers, in order. Spec: MEM-002."""
    return (*_managed(world), *_user(world), *_chain(world), *_added(world), *index_places(world, disabled(world)))


def disabled(world: World) -> Reason | None:
    """What switches memory off as a whole. Spec: MEM-014, MEM-015."""
    if world.is_on(DISABLE_VARIABLE):
        return Reason.DISABLED  # [MEM-014]
    if world.request.bare and not world.request.add_dirs:
        return Reason.BARE  # [MEM-015]
    return None


def chain_folders(world: World) -> tuple[str, ...]:
    """Cwd and the folders above it, outermost first; the root only under `memory.root` read. Spec: MEM-005, MEM-006."""
    folders = ancestors(world.cwd, world.tree.flavour)
    return tuple(f for f in folders if not is_skipped_root(world, f))


def is_skipped_root(world: World, folder: str) -> bool:
    """Is this the file-system root, and is it left out? Spec: MEM-006."""
    return world.choices.root is Root.SKIP and parent(folder, world.tree.flavour) == folder  # [MEM-006]


def _usual(world: World) -> Reason | None:
    """What holds every segment back that is not an added folder."""
    added_only = world.request.bare and world.choices.bare_added is BareAdded.ADDED_ONLY
    return disabled(world) or (Reason.BARE if added_only else None)  # [MEM-015]


def _managed(world: World) -> Iterator[Candidate]:
    folder = world.request.managed_dir
    if folder:
        yield _file(world, folder, ("CLAUDE.md",), Layer.MANAGED, _usual(world))
        yield _rules(world, folder, (".claude", "rules"), Layer.MANAGED, _usual(world), base=world.cwd)


def _user(world: World) -> Iterator[Candidate]:
    held_back = _usual(world) or _source_off(world, Source.USER)
    if world.config_home:
        yield _file(world, world.config_home, ("CLAUDE.md",), Layer.USER, held_back)
        yield _rules(world, world.config_home, ("rules",), Layer.USER, held_back, base=world.cwd)


def _chain(world: World) -> Iterator[Candidate]:
    for folder in ancestors(world.cwd, world.tree.flavour):  # [MEM-007] up to the root, whatever the repository
        general = _usual(world) or (Reason.ROOT_NOT_READ if is_skipped_root(world, folder) else None)
        project = general or _source_off(world, Source.PROJECT) or _worktree(world, folder)
        yield from folder_files(world, folder, project)
        yield _rules(world, folder, (".claude", "rules"), Layer.PROJECT, project, base=folder)
        local = general or _source_off(world, Source.LOCAL)  # [MEM-009] the worktree rule does not touch local files
        yield local_file(world, folder, local)


def _added(world: World) -> Iterator[Candidate]:
    off = None if world.is_on(ADDED_VARIABLE) else Reason.ADD_DIR_OFF
    held_back = disabled(world) or off  # [MEM-012] sources are not asked: the folder was named
    for folder in world.request.add_dirs:
        yield from folder_files(world, folder, held_back)
        yield _rules(world, folder, (".claude", "rules"), Layer.PROJECT, held_back, base=folder)


def folder_files(world: World, folder: str, held_back: Reason | None) -> tuple[Candidate, Candidate]:
    """Both files of a folder that are shared with the project. Spec: MEM-005."""
    return (
        _file(world, folder, ("CLAUDE.md",), Layer.PROJECT, held_back),
        _file(world, folder, (".claude", "CLAUDE.md"), Layer.PROJECT, held_back),
    )


def local_file(world: World, folder: str, held_back: Reason | None) -> Candidate:
    """The private file of a folder. Spec: MEM-005."""
    return _file(world, folder, ("CLAUDE.local.md",), Layer.LOCAL, held_back)


def project_rules(world: World, folder: str, held_back: Reason | None = None) -> Candidate:
    """The rules folder of a folder. Spec: MEM-005, MEM-057."""
    return _rules(world, folder, (".claude", "rules"), Layer.PROJECT, held_back, base=folder)


def managed_rules(world: World) -> Candidate | None:
    """The organisation's rules, whose patterns are relative to cwd. Spec: MEM-057, MEM-141."""
    return next((c for c in _managed(world) if c.kind is CandidateKind.RULES), None)


def user_rules(world: World) -> Candidate | None:
    """The user's rules, whose patterns are relative to cwd. Spec: MEM-057, MEM-141."""
    return next((c for c in _user(world) if c.kind is CandidateKind.RULES), None)


def suppressed(world: World, folder: str) -> Reason | None:
    """Does the worktree rule leave out the project files of a folder? Spec: MEM-009."""
    return _worktree(world, folder)


def _worktree(world: World, folder: str) -> Reason | None:
    is_suppressed = suppresses_project(world.tree, world.roots, folder)
    return Reason.WORKTREE_SUPPRESSED if is_suppressed else None


def _source_off(world: World, source: Source) -> Reason | None:
    return None if source in world.request.sources else Reason.SOURCE_OFF  # [MEM-013]


def _file(world: World, folder: str, names: tuple[str, ...], layer: Layer, held_back: Reason | None) -> Candidate:
    return Candidate(path=_below(world, folder, names), kind=CandidateKind.FILE, layer=layer, held_back=held_back)


def _rules(
    world: World, folder: str, names: tuple[str, ...], layer: Layer, held_back: Reason | None, *, base: str
) -> Candidate:
    path = _below(world, folder, names)
    return Candidate(path=path, kind=CandidateKind.RULES, layer=layer, base=base, held_back=held_back)


def _below(world: World, folder: str, names: tuple[str, ...]) -> str:
    for name in names:
        folder = join(folder, name, world.tree.flavour)
    return folder
