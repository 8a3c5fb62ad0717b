"""Which repository a folder belongs to, read from the tree; `git` is never run. Spec: MEM-009 to MEM-011."""

from __future__ import annotations

from attrs import frozen

from keel_ref.constants import Constants
from keel_ref.paths import ancestors, is_absolute, is_inside, join, name_of, normalise, parent
from keel_ref.ports import EntryKind, FileContent, Tree
from keel_ref.text import trim_white_space

POINTER = "gitdir:"


@frozen(kw_only=True)
class Roots:
    """The repository of a folder."""

    git: str
    """The nearest folder upward with an entry `.git`."""
    main: str
    """The root of the main checkout; differs from `git` in a worktree only."""

    @property
    def is_worktree(self) -> bool:
        """Does the folder lie in a worktree?"""
        return self.git != self.main


def git_roots(tree: Tree, folder: str, constants: Constants) -> Roots | None:
    """The roots of a folder given by its real path; None outside any repository. Spec: MEM-010."""
    for place in reversed(ancestors(folder, tree.flavour)):
        entry = join(place, ".git", tree.flavour)
        match tree.kind_of(entry):
            case EntryKind.FOLDER:
                return Roots(git=place, main=place)
            case EntryKind.FILE:
                return Roots(git=place, main=_main_root(tree, place, entry, constants))
            case _:
                continue  # [MEM-011] anything else counts as absent
    return None


def _main_root(tree: Tree, root: str, entry: str, constants: Constants) -> str:
    """The main root behind a `.git` file; the root itself for whatever is no worktree. Spec: MEM-010, MEM-011."""
    pointer = _read_text(tree, entry, constants)
    if pointer is None or not pointer.startswith(POINTER):
        return root  # [MEM-011]
    first_line = pointer.removeprefix(POINTER).split("\n", 1)[0]
    data = _resolved(tree, trim_white_space(first_line), root)
    common = None if data is None else _read_text(tree, join(data, "commondir", tree.flavour), constants)
    place = None if data is None or common is None else _resolved(tree, trim_white_space(common), data)
    real = None if place is None else tree.real_path(place)
    if not isinstance(real, str) or tree.kind_of(real) is not EntryKind.FOLDER:
        return root  # [MEM-011] a submodule has no common folder
    return parent(real, tree.flavour) if name_of(real, tree.flavour) == ".git" else real  # [MEM-010]


def _read_text(tree: Tree, path: str, constants: Constants) -> str | None:
    content = tree.read_file(path, constants.max_file_bytes)
    return content.data.decode("utf-8", "surrogateescape") if isinstance(content, FileContent) else None


def _resolved(tree: Tree, path: str, base: str) -> str | None:
    if not path or "\0" in path:
        return None
    absolute = path if is_absolute(path, tree.flavour) else join(base, path, tree.flavour)
    return normalise(absolute, tree.flavour)


def suppresses_project(tree: Tree, roots: Roots | None, folder: str) -> bool:
    """Are a folder's project files left out, because the worktree holds them, too? Spec: MEM-009."""
    if roots is None or not roots.is_worktree or not is_inside(roots.git, roots.main, tree.flavour):
        return False  # [MEM-009] a worktree outside its repository is not affected
    in_main = is_inside(folder, roots.main, tree.flavour)
    return in_main and not is_inside(folder, roots.git, tree.flavour)  # [MEM-009]
