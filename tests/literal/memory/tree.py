"""A tree of files in memory, and how paths lead through it."""

from enum import Enum

import attrs

from tests.literal.memory.paths import Flavour, Path, Written
from tests.literal.memory.wire import bytes_of_name


class Kind(Enum):
    """What a name in a folder may be."""

    FOLDER = "dir"
    FILE = "file"
    LINK = "link"
    FIFO = "fifo"
    SOCKET = "socket"
    DEVICE = "device"


class State(Enum):
    """Where a path leads."""

    FOUND = "to something"
    MISSING = "to nothing"
    LOOP = "round and round"


@attrs.define(eq=False)
class Node:
    """Something in the tree."""

    kind: Kind
    """What it is."""
    name: str
    """As the tree stores it; for the root of a tree the root itself."""
    parent: "Node | None"
    """The folder that holds it."""
    children: "dict[str, Node]" = attrs.field(factory=dict)
    """Only of folders: what lies in it, by the name that is compared."""
    data: bytes = b""
    """Only of files: the bytes at the start."""
    size: int = 0
    """Only of files: bytes in all; NUL bytes follow the data."""
    target: Written | None = None
    """Only of links: where it leads."""
    is_denied: bool = False
    """Whether reading (of a folder: listing) is refused."""

    @property
    def path(self) -> Path:
        """Its real path."""
        if self.parent is None:
            return Path(self.name)
        return self.parent.path.below(self.name)


@attrs.frozen
class Look:
    """What lies at a path, links followed."""

    state: State
    """Where the path leads."""
    node: Node | None = None
    """What was found; never a link."""


class Tree:
    """All files that exist."""

    def __init__(self, flavour: Flavour, *, folds_case: bool) -> None:
        self.flavour = flavour
        """How paths are written."""
        self.folds_case = folds_case
        """Whether the tree answers to either case of ASCII letters. [MEM-018]"""
        self.roots: dict[str, Node] = {}
        """The root folders, by the key of their path."""

    def compared(self, name: str) -> str:
        """The name as the tree compares it. Spec: MEM-018."""
        if not self.folds_case:
            return name
        return "".join(character.lower() if character.isascii() else character for character in name)

    def child(self, folder: Node, name: str) -> Node | None:
        """What bears a name in a folder, links not followed."""
        return folder.children.get(self.compared(name))

    def look(self, path: Path) -> Look:
        """What lies at a path, links followed."""
        root = self.roots.get(path.key[0])
        return self._walk(root, path.parts, ()) if root else Look(State.MISSING)

    def follow(self, node: Node) -> Look:
        """What lies behind an entry of a folder."""
        return self._follow(node, ()) if node.kind is Kind.LINK else Look(State.FOUND, node)

    def _walk(self, start: Node, parts: tuple[str, ...], active: tuple[Node, ...]) -> Look:
        node = start
        for part in parts:
            if part in {"", "."}:
                continue
            if node.kind is not Kind.FOLDER:
                return Look(State.MISSING)
            if part == "..":
                node = node.parent or node
                continue
            child = self.child(node, part)
            if child is None:
                return Look(State.MISSING)
            found = self._follow(child, active) if child.kind is Kind.LINK else Look(State.FOUND, child)
            if found.node is None:
                return found
            node = found.node
        return Look(State.FOUND, node)

    def _follow(self, link: Node, active: tuple[Node, ...]) -> Look:
        """Where a link leads; one that leads through itself has no end."""
        if link in active:
            return Look(State.LOOP)
        assert link.target is not None
        assert link.parent is not None
        start: Node | None = link.parent
        if link.target.root is not None:
            start = self.roots.get(Path(link.target.root).key[0])
        elif link.target.is_rooted:
            start = self.roots[link.parent.path.key[0]]
        return self._walk(start, link.target.parts, (*active, link)) if start else Look(State.MISSING)

    def stored(self, path: Path) -> Path:
        """The path with each component in the spelling that the tree stores, links not followed. Spec: MEM-018."""
        root = self.roots.get(path.key[0])
        if root is None or not self.folds_case:
            return path
        names: list[str] = []
        for count in range(len(path.parts)):
            folder = self._walk(root, path.parts[:count], ()).node
            child = self.child(folder, path.parts[count]) if folder and folder.kind is Kind.FOLDER else None
            names.append(child.name if child else path.parts[count])
        return Path(path.root, tuple(names))

    def entries(self, folder: Node) -> list[Node]:
        """What lies in a folder, ordered by name. Spec: MEM-031."""
        return sorted(folder.children.values(), key=lambda node: bytes_of_name(node.name))


def read_bytes(node: Node) -> bytes:
    """All bytes of a file."""
    return node.data + b"\0" * (node.size - len(node.data))
