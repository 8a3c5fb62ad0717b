"""Nodes in block style."""

from collections.abc import Callable

import attrs

from tests.literal.memory.yaml12.block_scalars import read_block_scalar
from tests.literal.memory.yaml12.characters import NO, is_nonspace
from tests.literal.memory.yaml12.flow import Context, once
from tests.literal.memory.yaml12.flow_collections import FlowReader, Pair
from tests.literal.memory.yaml12.nodes import MISSING, Alias, Found, Mapping, Node, Properties, Scalar, Sequence

BLOCK_OUT = "block-out"
"""The place of a value of a mapping."""

BLOCK_IN = "block-in"
"""The place of an item of a list, and of the whole document."""


def evolve(node: Node, properties: Properties) -> Node:
    """The same node with its tag and anchor."""
    assert not isinstance(node, Alias)
    return attrs.evolve(node, properties=properties)


class BlockReader(FlowReader):
    """Productions of chapter 8."""

    @once
    def block_node(self, index: int, n: int, c: str) -> Found | None:
        """[196] s-l+block-node(n,c)."""
        return self.block_scalar(index, n, c) or self.block_collection(index, n, c) or self.flow_in_block(index, n)

    def flow_in_block(self, index: int, n: int) -> Found | None:
        """[197] s-l+flow-in-block(n)."""
        start = self.sep(index, n + 1, Context.OUT)
        found = None if start == NO else self.node(start, n + 1, Context.OUT)
        end = self.comments(found[1]) if found else NO
        return (found[0], end) if found and end != NO else None

    def block_scalar(self, index: int, n: int, c: str) -> Found | None:
        """[199] s-l+block-scalar(n,c)."""
        start = self.sep(index, n + 1, c)
        if start == NO:
            return None
        properties = Properties()
        found = self.properties(start, n + 1, c)
        if found:
            properties = found[0]
            start = self.sep(found[1], n + 1, c)
        scalar = None if start == NO else read_block_scalar(self, start, n)
        return scalar and (Scalar(scalar[0], properties=properties), scalar[1])

    def block_collection(self, index: int, n: int, c: str) -> Found | None:
        """[200] s-l+block-collection(n,c)."""
        start = self.sep(index, n + 1, c)
        found = None if start == NO else self.properties(start, n + 1, c)
        if found:
            node = self._collection(found[1], n, c)
            if node:
                return evolve(node[0], found[0]), node[1]
            alone = self._one_property(start)  # the second property may belong to the first key
            node = alone and self._collection(alone[1], n, c)
            if alone and node:
                return evolve(node[0], alone[0]), node[1]
        return self._collection(index, n, c)

    def _one_property(self, index: int) -> tuple[Properties, int] | None:
        tag = self.tag(index)
        if tag:
            return Properties(tag=tag[0]), tag[1]
        anchor = self.anchor(index, "&")
        return anchor and (Properties(anchor=anchor[0]), anchor[1])

    def _collection(self, index: int, n: int, c: str) -> Found | None:
        start = self.comments(index)
        if start == NO:
            return None
        outer = n - 1 if c == BLOCK_OUT else n  # [201] seq-space(n,c)
        return self.block_sequence(start, outer, c) or self.block_mapping(start, n, c)

    @once
    def block_sequence(self, index: int, n: int, c: str) -> Found | None:
        """[183] l+block-sequence(n)."""
        del c
        spaces = self.count_spaces(index)
        if spaces <= n or not self.is_line_start(index):
            return None
        return self.compact_sequence(index + spaces, spaces)

    @once
    def block_mapping(self, index: int, n: int, c: str) -> Found | None:
        """[187] l+block-mapping(n)."""
        del c
        spaces = self.count_spaces(index)
        if spaces <= n or not self.is_line_start(index):
            return None
        return self.compact_mapping(index + spaces, spaces)

    def compact_sequence(self, index: int, n: int) -> Found | None:
        """[186] ns-l-compact-sequence(n)."""
        items: list[Node] = []
        end = self._repeat(index, n, lambda at: self._take_item(items, at, n))
        return None if end == NO else (Sequence(tuple(items)), end)

    def compact_mapping(self, index: int, n: int) -> Found | None:
        """[195] ns-l-compact-mapping(n)."""
        pairs: list[Pair] = []
        end = self._repeat(index, n, lambda at: self._take_pair(pairs, at, n))
        return None if end == NO else (Mapping(tuple(pairs)), end)

    def _repeat(self, index: int, n: int, take: Callable[[int], int]) -> int:
        """One entry, and further ones with the same indentation."""
        self.enter()
        end = take(index)
        start = end
        while start not in {NO, len(self.text)}:
            start = self.indent(end, n)
            start = NO if start == NO else take(start)
            end = end if start == NO else start
        self.leave()
        return end

    def _take_item(self, items: list[Node], index: int, n: int) -> int:
        found = self.sequence_item(index, n)
        if found is None:
            return NO
        items.append(found[0])
        return found[1]

    def _take_pair(self, pairs: list[Pair], index: int, n: int) -> int:
        found = self.explicit_pair(index, n) or self.implicit_pair(index, n)
        if found is None:
            return NO
        pairs.append(found[0])
        return found[1]

    def sequence_item(self, index: int, n: int) -> Found | None:
        """[184] c-l-block-seq-entry(n)."""
        if self.at(index) != "-" or is_nonspace(self.at(index + 1)):
            return None
        return self.block_indented(index + 1, n, BLOCK_IN)

    @once
    def block_indented(self, index: int, n: int, c: str) -> Found | None:
        """[185] s-l+block-indented(n,c)."""
        spaces = self.count_spaces(index)
        inner = n + 1 + spaces
        compact = self.compact_sequence(index + spaces, inner) or self.compact_mapping(index + spaces, inner)
        return compact or self.block_node(index, n, c) or self._nothing(index)

    def _nothing(self, index: int) -> Found | None:
        end = self.comments(index)
        return None if end == NO else (MISSING, end)

    def explicit_pair(self, index: int, n: int) -> tuple[Pair, int] | None:
        """[189] c-l-block-map-explicit-entry(n)."""
        if self.at(index) != "?" or is_nonspace(self.at(index + 1)):
            return None
        key = self.block_indented(index + 1, n, BLOCK_OUT)
        if key is None:
            return None
        sign = self.indent(key[1], n)
        value = None
        if sign != NO and self.at(sign) == ":" and not is_nonspace(self.at(sign + 1)):
            value = self.block_indented(sign + 1, n, BLOCK_OUT)
        value = value or (MISSING, key[1])
        return (key[0], value[0]), value[1]

    def implicit_pair(self, index: int, n: int) -> tuple[Pair, int] | None:
        """[192] ns-l-block-map-implicit-entry(n)."""
        keys = (
            self.implicit_json_key(index, Context.BLOCK_KEY),
            self.implicit_yaml_key(index, Context.BLOCK_KEY),
            (MISSING, index),
        )
        for key in keys:
            if key and self.at(key[1]) == ":":
                value = self.block_node(key[1] + 1, n, BLOCK_OUT) or self._nothing(key[1] + 1)
                if value:
                    return (key[0], value[0]), value[1]
        return None
