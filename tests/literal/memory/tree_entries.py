"""Making a tree of the entries of a call."""

from typing import Any

from tests.literal.memory.errors import LiteralError
from tests.literal.memory.paths import Flavour, Path, is_absolute, join, read_written
from tests.literal.memory.tree import Kind, Node, State, Tree
from tests.literal.memory.wire import read_base64, read_path

MALFORMED = "malformed_tree"
"""The kind of error of an odd entry."""

CONTENTS = ("t", "b64", "link", "kind")
"""Keys of which an entry has exactly one."""

OTHER_KINDS = {kind.value: kind for kind in (Kind.FOLDER, Kind.FIFO, Kind.SOCKET, Kind.DEVICE)}
"""Kinds that an entry names."""


def malformed(entry: Any, why: str) -> LiteralError:
    """The error of an odd entry."""
    return LiteralError(MALFORMED, f"{why}: {str(entry)[:200]}")


def build_tree(entries: Any, flavour: Flavour, *, folds_case: bool) -> Tree:
    """A tree of entries; an odd entry and two that contradict each other are errors."""
    if not isinstance(entries, list):
        raise LiteralError(MALFORMED, "the tree is no list")
    tree = Tree(flavour, folds_case=folds_case)
    named: set[int] = set()
    for entry in entries:
        node, path = read_entry(entry, flavour)
        place(tree, node, path, entry, named)
    return tree


def read_entry(entry: Any, flavour: Flavour) -> tuple[Node, Path]:
    """One entry, still without its place."""
    if not isinstance(entry, dict) or set(entry) - {"p", "deny", "size", "mtime", *CONTENTS}:
        raise malformed(entry, "no entry")
    text = read_path(entry.get("p"), MALFORMED)
    if not is_absolute(text, flavour) or "\0" in text:
        raise malformed(entry, "the path is not absolute")
    if sum(key in entry for key in CONTENTS) != 1:
        raise malformed(entry, "one content is needed")
    if entry.get("deny", "read") not in {"read", "list"}:
        raise malformed(entry, "deny")
    if not is_count(entry.get("size", 0)) or not isinstance(entry.get("mtime", 0), int | float):
        raise malformed(entry, "size or mtime")
    path = join(Path("/"), text, flavour)
    node = read_content(entry, flavour)
    node.name = path.name
    is_file = node.kind is Kind.FILE
    if "size" in entry:
        if not is_file or entry["size"] < len(node.data):
            raise malformed(entry, "size")
        node.size = entry["size"]
    if "deny" in entry:
        node.is_denied = not is_file or entry["deny"] == "read"
    return node, path


def is_count(value: Any) -> bool:
    """Whether it is a number of bytes."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def read_content(entry: dict[str, Any], flavour: Flavour) -> Node:
    """What an entry is."""
    if "kind" in entry:
        kind = OTHER_KINDS.get(entry["kind"]) if isinstance(entry["kind"], str) else None
        if kind is None:
            raise malformed(entry, "kind")
        return Node(kind, "", None)
    if "link" in entry:
        target = read_path(entry["link"], MALFORMED)
        if not target:
            raise malformed(entry, "link")
        return Node(Kind.LINK, "", None, target=read_written(target, flavour))
    if "b64" in entry:
        data = read_base64(entry["b64"], MALFORMED)
    elif isinstance(entry["t"], str):
        data = entry["t"].encode("utf-8", "surrogatepass")
    else:
        raise malformed(entry, "t")
    return Node(Kind.FILE, "", None, data=data, size=len(data))


def place(tree: Tree, node: Node, path: Path, entry: Any, named: set[int]) -> None:
    """Put a node into the tree, with the folders above it."""
    folder = make_folder(tree, path.parent) if not path.is_root else make_root(tree, path)
    if folder is None:
        raise malformed(entry, "something above it is no folder")
    known = folder if path.is_root else tree.child(folder, path.name)
    node.parent = None if path.is_root else folder
    if known is None:
        folder.children[tree.compared(path.name)] = node
        named.add(id(node))
        return
    if known.kind is Kind.FOLDER and node.kind is Kind.FOLDER and id(known) not in named:
        known.is_denied = node.is_denied  # it was implied so far
        named.add(id(known))
    elif features(known) != features(node):
        raise malformed(entry, "it contradicts another entry")


def features(node: Node) -> tuple[object, ...]:
    """What two entries for one path must share."""
    return node.kind, node.parent and node.name, node.data, node.size, node.target, node.is_denied


def make_root(tree: Tree, path: Path) -> Node:
    """The root folder above a path."""
    return tree.roots.setdefault(path.key[0], Node(Kind.FOLDER, path.root, None))


def make_folder(tree: Tree, path: Path) -> Node | None:
    """The folder at a path, made with those above it if need be; nothing if something else is in the way."""
    node = make_root(tree, path)
    for name in path.parts:
        child = tree.child(node, name)
        if child is None:
            child = Node(Kind.FOLDER, name, node)
            node.children[tree.compared(name)] = child
        if child.kind is not Kind.FOLDER:
            return None
        node = child
    return node


def resolve_cwd(tree: Tree, cwd: Path) -> Path:
    """The real path of cwd, which exists even if the tree does not name it. Spec: MEM-008."""
    make_root(tree, cwd)
    look = tree.look(cwd)
    if look.state is State.MISSING:
        for folder in cwd.folders()[1:]:
            above = tree.look(folder.parent).node
            if above is None or above.kind is not Kind.FOLDER:
                break
            if tree.child(above, folder.name) is None:
                above.children[tree.compared(folder.name)] = Node(Kind.FOLDER, folder.name, above)
        look = tree.look(cwd)
    if look.node is None or look.node.kind is not Kind.FOLDER:
        raise LiteralError("not_a_folder", str(cwd))
    return look.node.path
