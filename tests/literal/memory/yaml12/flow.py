"""Nodes in flow style, but for the collections."""

import re
from collections.abc import Callable
from typing import TypeVar

import attrs

from tests.literal.memory.yaml12.characters import (
    FLOW_INDICATORS,
    NO,
    TAG,
    URI,
    Source,
    YamlError,
    is_nonspace,
)
from tests.literal.memory.yaml12.nodes import MISSING, Alias, Found, Properties, Scalar
from tests.literal.memory.yaml12.scalars import read_plain, read_quoted

MAX_KEY_CHARACTERS = 1024
"""[154], [155]: a key without a question mark must not be longer."""

MAX_DEPTH = 250
"""Nesting at which reading is given up; what is valid ends before (MEM-046)."""

ESCAPED_URI = re.compile(r"%[0-9A-Fa-f]{2}")
"""The escape in [39] ns-uri-char."""

HANDLE = re.compile(r"!(?:[0-9A-Za-z-]*!)?")
"""[89] c-tag-handle"""


class Context:
    """[80] the place of a node in flow style."""

    OUT = "flow-out"
    IN = "flow-in"
    KEY = "flow-key"
    BLOCK_KEY = "block-key"


def is_key(c: str) -> bool:
    """Whether the place is one of a key, on one line."""
    return c in {Context.KEY, Context.BLOCK_KEY}


def in_flow(c: str) -> str:
    """[136] in-flow(c)."""
    return Context.KEY if is_key(c) else Context.IN


Reader = TypeVar("Reader", bound="FlowNodes")
"""A class with productions."""


def once(
    production: Callable[[Reader, int, int, str], Found | None],
) -> Callable[[Reader, int, int, str], Found | None]:
    """Remember what a production gave at a place, so that trying alternatives stays cheap."""

    def remembered(self: Reader, index: int, n: int, c: str) -> Found | None:
        key = (production.__name__, index, n, c)
        if key not in self.memory:
            self.memory[key] = production(self, index, n, c)
        return self.memory[key]

    return remembered


class FlowNodes(Source):
    """Productions of chapter 7. Each takes an index and gives a node with the index behind it, or nothing."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.memory: dict[tuple[str, int, int, str], Found | None] = {}
        """What was tried so far."""
        self.depth = 0
        """Collections around the place that is read."""

    def enter(self) -> None:
        """One level deeper. Spec: MEM-046."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise YamlError("too deep")

    def leave(self) -> None:
        """One level up."""
        self.depth -= 1

    def sep(self, index: int, n: int, c: str) -> int:
        """[80] s-separate(n,c)."""
        return self.separate(index, n, is_key=is_key(c))

    def maybe_sep(self, index: int, n: int, c: str) -> int:
        """The same, or nothing."""
        end = self.sep(index, n, c)
        return index if end == NO else end

    def tag(self, index: int) -> tuple[str, int] | None:
        """[97] c-ns-tag-property."""
        if self.at(index) != "!":
            return None
        if self.at(index + 1) == "<":
            end = self._skip_uri(index + 2, URI)
            if end > index + 2 and self.at(end) == ">":
                return self.text[index : end + 1], end + 1
        handle = HANDLE.match(self.text, index)
        assert handle
        for start in (handle.end(), index + 1):  # a longer handle first, then the primary one
            end = self._skip_uri(start, TAG)
            if end > start:
                return self.text[index:end], end
        return "!", index + 1

    def _skip_uri(self, index: int, allowed: frozenset[str]) -> int:
        while True:
            if self.at(index) in allowed:
                index += 1
            elif ESCAPED_URI.match(self.text, index):
                index += 3
            else:
                return index

    def anchor(self, index: int, sign: str) -> tuple[str, int] | None:
        """[101] c-ns-anchor-property, and the same with the sign of an alias."""
        if self.at(index) != sign:
            return None
        end = index + 1
        while is_nonspace(self.at(end)) and self.at(end) not in FLOW_INDICATORS:
            end += 1
        return (self.text[index + 1 : end], end) if end > index + 1 else None

    def properties(self, index: int, n: int, c: str) -> tuple[Properties, int] | None:
        """[96] c-ns-properties(n,c)."""
        tag = self.tag(index)
        anchor = self.anchor(index if tag is None else self.sep(tag[1], n, c), "&")
        if tag is None:
            if anchor is None:
                return None
            tag = self.tag(self.sep(anchor[1], n, c))
        end = max(found[1] for found in (tag, anchor) if found)
        return Properties(tag=tag and tag[0], anchor=anchor and anchor[0]), end

    def with_properties(
        self, index: int, n: int, c: str, content: "Callable[[int, int, str], Found | None]"
    ) -> Found | None:
        """Properties with what they belong to, or with nothing."""
        found = self.properties(index, n, c)
        if found is None:
            return None
        properties, end = found
        start = self.sep(end, n, c)
        node = None if start == NO else content(start, n, c)
        if node is None:
            return attrs.evolve(MISSING, properties=properties), end
        assert not isinstance(node[0], Alias)
        return attrs.evolve(node[0], properties=properties), node[1]

    def alias(self, index: int) -> Found | None:
        """[104] c-ns-alias-node."""
        found = self.anchor(index, "*")
        return found and (Alias(found[0]), found[1])

    def yaml_content(self, index: int, n: int, c: str) -> Found | None:
        """[156] ns-flow-yaml-content(n,c)."""
        found = read_plain(self, index, n, is_flow=c in {Context.IN, Context.KEY}, is_key=is_key(c))
        return found and (Scalar(found[0], is_plain=True), found[1])

    @once
    def json_content(self, index: int, n: int, c: str) -> Found | None:
        """[157] c-flow-json-content(n,c)."""
        match self.at(index):
            case "[":
                return self.sequence(index, n, c)
            case "{":
                return self.mapping(index, n, c)
            case "'" | '"':
                found = read_quoted(self, index, n, is_key=is_key(c))
                return found and (Scalar(found[0]), found[1])
            case _:
                return None

    def content(self, index: int, n: int, c: str) -> Found | None:
        """[158] ns-flow-content(n,c)."""
        return self.yaml_content(index, n, c) or self.json_content(index, n, c)

    @once
    def yaml_node(self, index: int, n: int, c: str) -> Found | None:
        """[159] ns-flow-yaml-node(n,c)."""
        return (
            self.alias(index) or self.yaml_content(index, n, c) or self.with_properties(index, n, c, self.yaml_content)
        )

    @once
    def json_node(self, index: int, n: int, c: str) -> Found | None:
        """[160] c-flow-json-node(n,c)."""
        found = self.properties(index, n, c)
        start = self.sep(found[1], n, c) if found else index
        node = None if start == NO else self.json_content(start, n, c)
        if node is None or found is None:
            return node
        assert not isinstance(node[0], Alias)
        return attrs.evolve(node[0], properties=found[0]), node[1]

    @once
    def node(self, index: int, n: int, c: str) -> Found | None:
        """[161] ns-flow-node(n,c)."""
        return self.alias(index) or self.content(index, n, c) or self.with_properties(index, n, c, self.content)

    def sequence(self, index: int, n: int, c: str) -> Found | None:
        """[137] c-flow-sequence(n,c)."""
        raise NotImplementedError

    def mapping(self, index: int, n: int, c: str) -> Found | None:
        """[140] c-flow-mapping(n,c)."""
        raise NotImplementedError
