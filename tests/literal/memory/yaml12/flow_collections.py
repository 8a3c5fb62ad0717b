"""Lists and mappings in flow style."""

from collections.abc import Callable
from typing import TypeVar

from tests.literal.memory.yaml12.characters import NO
from tests.literal.memory.yaml12.flow import MAX_KEY_CHARACTERS, Context, FlowNodes, in_flow, once
from tests.literal.memory.yaml12.nodes import MISSING, Found, Mapping, Node, Sequence
from tests.literal.memory.yaml12.scalars import is_plain_safe

Pair = tuple[Node, Node]
"""A key and its value."""

Thing = TypeVar("Thing")
"""What a list of entries holds."""


class FlowReader(FlowNodes):
    """The rest of the productions of chapter 7."""

    def sequence(self, index: int, n: int, c: str) -> Found | None:
        """[137] c-flow-sequence(n,c)."""
        self.enter()
        found = self._entries(index, n, c, "]", self.sequence_entry)
        self.leave()
        return found and (Sequence(tuple(found[0])), found[1])

    def mapping(self, index: int, n: int, c: str) -> Found | None:
        """[140] c-flow-mapping(n,c)."""
        self.enter()
        found = self._entries(index, n, c, "}", self.mapping_entry)
        self.leave()
        return found and (Mapping(tuple(found[0])), found[1])

    def _entries(
        self, index: int, n: int, c: str, close: str, read: Callable[[int, int, str], tuple[Thing, int] | None]
    ) -> tuple[list[Thing], int] | None:
        """[138] ns-s-flow-seq-entries(n,c) and [141] ns-s-flow-map-entries(n,c), with the brackets around them."""
        entries: list[Thing] = []
        index = self.maybe_sep(index + 1, n, c)
        while self.at(index) != close:
            found = read(index, n, in_flow(c))
            if found is None:
                return None
            entries.append(found[0])
            index = self.maybe_sep(found[1], n, c)
            if self.at(index) != ",":
                break
            index = self.maybe_sep(index + 1, n, c)
        return (entries, index + 1) if self.at(index) == close else None

    def sequence_entry(self, index: int, n: int, c: str) -> Found | None:
        """[139] ns-flow-seq-entry(n,c)."""
        pair = self.pair(index, n, c)
        return (Mapping((pair[0],)), pair[1]) if pair else self.node(index, n, c)

    def pair(self, index: int, n: int, c: str) -> tuple[Pair, int] | None:
        """[150] ns-flow-pair(n,c)."""
        explicit = self.explicit_entry(index, n, c)
        if explicit:
            return explicit
        key = self.implicit_yaml_key(index, Context.KEY)
        if key:  # [152] ns-flow-pair-yaml-key-entry(n,c)
            value = self.separate_value(key[1], n, c)
            if value:
                return (key[0], value[0]), value[1]
        value = self.separate_value(index, n, c)
        if value:  # [146] c-ns-flow-map-empty-key-entry(n,c)
            return (MISSING, value[0]), value[1]
        key = self.implicit_json_key(index, Context.KEY)
        if key:  # [153] c-ns-flow-pair-json-key-entry(n,c)
            value = self.adjacent_value(key[1], n, c)
            if value:
                return (key[0], value[0]), value[1]
        return None

    def implicit_yaml_key(self, index: int, c: str) -> Found | None:
        """[154] ns-s-implicit-yaml-key(c)."""
        return self._limited(index, self.yaml_node(index, 0, c))

    def implicit_json_key(self, index: int, c: str) -> Found | None:
        """[155] c-s-implicit-json-key(c)."""
        return self._limited(index, self.json_node(index, 0, c))

    def _limited(self, index: int, key: Found | None) -> Found | None:
        if key is None or key[1] - index > MAX_KEY_CHARACTERS:
            return None
        end = self.separate_in_line(key[1])
        return key[0], key[1] if end == NO else end

    def explicit_entry(self, index: int, n: int, c: str) -> tuple[Pair, int] | None:
        """The part of [142] and of [150] that begins with a question mark."""
        start = self.sep(index + 1, n, c) if self.at(index) == "?" else NO
        if start == NO:
            return None
        return self.implicit_entry(start, n, c) or ((MISSING, MISSING), start)  # [143]

    def mapping_entry(self, index: int, n: int, c: str) -> tuple[Pair, int] | None:
        """[142] ns-flow-map-entry(n,c)."""
        return self.explicit_entry(index, n, c) or self.implicit_entry(index, n, c)

    def implicit_entry(self, index: int, n: int, c: str) -> tuple[Pair, int] | None:
        """[144] ns-flow-map-implicit-entry(n,c)."""
        key = self.yaml_node(index, n, c)
        if key:  # [145] ns-flow-map-yaml-key-entry(n,c)
            found = self.separate_value(self.maybe_sep(key[1], n, c), n, c) or (MISSING, key[1])
            return (key[0], found[0]), found[1]
        value = self.separate_value(index, n, c)
        if value:  # [146] c-ns-flow-map-empty-key-entry(n,c)
            return (MISSING, value[0]), value[1]
        key = self.json_node(index, n, c)
        if key:  # [148] c-ns-flow-map-json-key-entry(n,c)
            found = self.adjacent_value(self.maybe_sep(key[1], n, c), n, c) or (MISSING, key[1])
            return (key[0], found[0]), found[1]
        return None

    @once
    def separate_value(self, index: int, n: int, c: str) -> Found | None:
        """[147] c-ns-flow-map-separate-value(n,c)."""
        is_flow = c in {Context.IN, Context.KEY}
        if self.at(index) != ":" or is_plain_safe(self.at(index + 1), is_flow=is_flow):
            return None
        start = self.sep(index + 1, n, c)
        found = None if start == NO else self.node(start, n, c)
        return found or (MISSING, index + 1)

    @once
    def adjacent_value(self, index: int, n: int, c: str) -> Found | None:
        """[149] c-ns-flow-map-adjacent-value(n,c)."""
        if self.at(index) != ":":
            return None
        return self.node(self.maybe_sep(index + 1, n, c), n, c) or (MISSING, index + 1)
