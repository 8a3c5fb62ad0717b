"""From nodes to values: tags, anchors, the core schema and the bounds."""

import contextlib
import re
import sys
from collections.abc import Iterator

import attrs

from tests.literal.memory.yaml12.characters import YamlError
from tests.literal.memory.yaml12.document import parse_document
from tests.literal.memory.yaml12.nodes import Alias, Mapping, Node, Properties, Scalar, Sequence

MAX_NODES = 10_000
"""Nodes of a block, aliases expanded. [MEM-046]"""

MAX_LEVELS = 200
"""Levels of lists and mappings of a block. [MEM-046]"""

STACK_FRAMES = 20_000
"""Calls inside one another that reading such a block may take."""

CORE = "tag:yaml.org,2002:"
"""What the tags of the core schema begin with."""

CORE_SCALARS: dict[str, re.Pattern[str]] = {
    "null": re.compile(r"null|Null|NULL|~|"),
    "bool": re.compile(r"true|True|TRUE|false|False|FALSE"),
    "int": re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"),
    "float": re.compile(
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
    ),
}
"""How a plain scalar of each kind is written; what matches none is a string. [MEM-043]"""


@attrs.frozen
class Value:
    """A node with its tag."""

    tag: str
    """Short name of the tag in the core schema, such as `str`."""
    text: str = ""
    """Only of scalars: the text."""
    items: "tuple[Value, ...]" = ()
    """Only of lists."""
    pairs: "tuple[tuple[Value, Value], ...]" = ()
    """Only of mappings."""
    nodes: int = attrs.field(default=1, kw_only=True, eq=False)
    """Nodes that it stands for, itself too."""
    levels: int = attrs.field(default=0, kw_only=True, eq=False)
    """Levels of lists and mappings that it stands for."""

    @property
    def identity(self) -> object:
        """What two equal keys share."""
        if self.tag == "int":
            text = self.text.lower()
            digits = {"0o": 8, "0x": 16}.get(text[:2], 10)
            return self.tag, int(text, digits)
        if self.tag == "float":
            return self.tag, str(float(re.sub(r"\.(?=inf|nan)", "", self.text.lower())))
        if self.tag in {"bool", "null"}:
            return self.tag, self.text.lower() if self.tag == "bool" else ""
        pairs = frozenset((key.identity, value.identity) for key, value in self.pairs)
        return self.tag, self.text, tuple(item.identity for item in self.items), pairs


class Composer:
    """Turns the nodes of one document into values."""

    def __init__(self, handles: dict[str, str]) -> None:
        self.handles = handles
        """What the handles of tags stand for."""
        self.anchors: dict[str, Value | None] = {}
        """What the anchors so far stand for; none while the node is open."""
        self.nodes = 0
        """Nodes so far, aliases expanded."""

    def compose(self, node: Node, level: int) -> Value:
        """The value of a node at a level. Spec: MEM-043, MEM-046."""
        if isinstance(node, Alias):
            value = self.anchors.get(node.anchor)
            if value is None:
                raise YamlError("an alias to no anchor, or to one that is open")  # [MEM-046]
            self._count(value.nodes, level + value.levels)
            return value
        anchor = node.properties.anchor
        if anchor is not None:
            self.anchors[anchor] = None
        value = self._compose_content(node, level)
        if anchor is not None:
            self.anchors[anchor] = value
        return value

    def _compose_content(self, node: Scalar | Sequence | Mapping, level: int) -> Value:
        match node:
            case Scalar():
                self._count(1, level)
                return self._scalar(node)
            case Sequence():
                self._count(1, level + 1)
                self._check_tag(node.properties, "seq")
                items = tuple(self.compose(item, level + 1) for item in node.items)
                return measured(Value("seq", items=items), items)
            case Mapping():
                self._count(1, level + 1)
                self._check_tag(node.properties, "map")
                pairs = tuple((self.compose(key, level + 1), self.compose(held, level + 1)) for key, held in node.pairs)
                if len({key.identity for key, _ in pairs}) < len(pairs):
                    raise YamlError("a key twice")  # [MEM-043]
                return measured(Value("map", pairs=pairs), [value for pair in pairs for value in pair])

    def _count(self, nodes: int, levels: int) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES or levels > MAX_LEVELS:
            raise YamlError("too many nodes or levels")  # [MEM-046]

    def _scalar(self, node: Scalar) -> Value:
        tag = node.properties.tag
        if tag is None:
            return Value(resolve_plain(node.text) if node.is_plain else "str", node.text)
        if node.is_missing:
            return Value("null")  # a value that is nothing but a tag [MEM-043]
        if tag == "!":
            return Value("str", node.text)
        name = self._name(tag)
        if name == "str":
            return Value("str", node.text)
        pattern = CORE_SCALARS.get(name)
        if pattern is None or not pattern.fullmatch(node.text):
            raise YamlError("a tag that is unknown, or does not fit the value")  # [MEM-046]
        return Value(name, node.text)

    def _check_tag(self, properties: Properties, expected: str) -> None:
        if properties.tag not in {None, "!"} and self._name(properties.tag or "") != expected:
            raise YamlError("a tag that is unknown, or does not fit the value")  # [MEM-046]

    def _name(self, tag: str) -> str:
        """The short name of a tag of the core schema; empty for any other."""
        if tag.startswith("!<"):
            full = tag[2:-1]
        else:
            handle = max((handle for handle in self.handles if tag.startswith(handle)), key=len)
            full = self.handles[handle] + tag[len(handle) :]
        return full.removeprefix(CORE) if full.startswith(CORE) else ""


def measured(value: Value, parts: "tuple[Value, ...] | list[Value]") -> Value:
    """A collection with the nodes and levels that it stands for."""
    nodes = 1 + sum(part.nodes for part in parts)
    return attrs.evolve(value, nodes=nodes, levels=1 + max((part.levels for part in parts), default=0))


def resolve_plain(text: str) -> str:
    """What a plain scalar is in the core schema. Spec: MEM-043."""
    for name, pattern in CORE_SCALARS.items():
        if pattern.fullmatch(text):
            return name
    return "str"


@contextlib.contextmanager
def deep_stack() -> Iterator[None]:
    """Room for calls inside one another, as many as the bounds allow."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, STACK_FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def parse_yaml(text: str) -> Value:
    """The value of a block. Fails with YamlError. Spec: MEM-043, MEM-046."""
    with deep_stack():
        node, handles = parse_document(text)
        return Composer(handles).compose(node, 0)
