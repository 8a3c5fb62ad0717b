"""The git root and the main root of a folder, read from files."""

import attrs

from tests.literal.memory.paths import Path, join
from tests.literal.memory.settings import MAX_FILE_BYTES
from tests.literal.memory.space import trim
from tests.literal.memory.tree import Kind, Node, Tree, read_bytes

GIT = ".git"
"""Name of git's own folder, or of the file that stands for it."""

POINTER = "gitdir:"
"""What the text of a `.git` file begins with."""


@attrs.frozen
class Roots:
    """Where a repository lies."""

    git: Path
    """The folder of this checkout."""
    main: Path
    """The folder of the main checkout."""


def find_entry(tree: Tree, folder: Path) -> Node | None:
    """What `.git` of a folder leads to, if it is a folder or a regular file. Spec: MEM-010."""
    holder = tree.look(folder).node
    if holder is None or holder.kind is not Kind.FOLDER:
        return None
    child = tree.child(holder, GIT)
    found = tree.follow(child).node if child and child.name == GIT else None  # named exactly so [MEM-010]
    return found if found and found.kind in {Kind.FOLDER, Kind.FILE} else None


def find_roots(tree: Tree, cwd: Path) -> Roots | None:
    """Git root and main root of cwd; nothing outside git. Spec: MEM-010."""
    for folder in reversed(cwd.folders()):
        entry = find_entry(tree, folder)
        if entry is not None:
            main = find_main_root(tree, folder, entry) if entry.kind is Kind.FILE else None
            return Roots(folder, main or folder)  # [MEM-011]
    return None


def read_small_file(node: Node | None) -> str | None:
    """The text of a file of git, if it can be read."""
    if node is None or node.kind is not Kind.FILE or node.is_denied or node.size > MAX_FILE_BYTES:
        return None
    return read_bytes(node).decode("utf-8", "surrogateescape")


def find_main_root(tree: Tree, folder: Path, entry: Node) -> Path | None:
    """The main root that a `.git` file leads to; nothing if it leads to no worktree. Spec: MEM-010, MEM-011."""
    text = read_small_file(entry)
    if text is None or not text.startswith(POINTER):
        return None
    pointed = trim(text.removeprefix(POINTER).split("\n", 1)[0])
    if not pointed:
        return None
    data_folder = join(folder, pointed, tree.flavour)
    common_text = read_small_file(tree.look(data_folder.below("commondir")).node)
    common = trim(common_text or "")
    if not common:
        return None
    found = tree.look(join(data_folder, common, tree.flavour)).node
    if found is None or found.kind is not Kind.FOLDER:
        return None
    real = found.path
    return real.parent if real.name == GIT else real
