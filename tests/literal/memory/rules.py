"""The search for the rules of a rules folder."""

import attrs

from tests.literal.memory.paths import Path
from tests.literal.memory.report import Report
from tests.literal.memory.tree import Kind, Node, State, Tree

MAX_RULES = 10_000
"""Rule files of one rules folder that are considered. [MEM-036]"""


@attrs.frozen
class RuleFile:
    """A rule that a search found."""

    own: Path
    """The path under which it was found."""
    node: Node
    """The file itself."""
    is_beyond_bound: bool
    """Whether so many were found before that it stays unread."""


class RuleSearch:
    """One search of one rules folder."""

    def __init__(self, tree: Tree, report: Report, layer: str) -> None:
        self._tree = tree
        self._report = report
        self._layer = layer
        self._visited: set[int] = set()
        self.found: list[RuleFile] = []
        """The rules so far, in order."""

    def search(self, folder: Path) -> list[RuleFile]:
        """All rules below a rules folder. Spec: MEM-030, MEM-031, MEM-032, MEM-036."""
        look = self._tree.look(folder)
        if look.state is State.LOOP:
            self._report.skip(folder, "link-loop", self._layer)  # [MEM-032]
        elif look.node is not None and look.node.kind is not Kind.FOLDER:
            self._report.skip(folder, "not-regular", self._layer)  # [MEM-030]
        elif look.node is not None:
            self._search_folder(folder, look.node)
        return self.found

    def _search_folder(self, folder: Path, node: Node) -> None:
        if id(node) in self._visited:
            return  # [MEM-032]
        self._visited.add(id(node))
        if node.is_denied:
            self._report.skip(folder, "unreadable", self._layer)  # [MEM-022]
            return
        for entry in self._tree.entries(node):  # [MEM-031]
            self._look_at(folder.below(entry.name), entry)

    def _look_at(self, own: Path, entry: Node) -> None:
        look = self._tree.follow(entry)
        has_ending = entry.name.endswith(".md")  # [MEM-030] of a link its own name counts
        if look.state is State.LOOP:
            self._report.skip(own, "link-loop", self._layer)  # [MEM-032]
        elif look.node is None:
            return  # a link that leads nowhere [MEM-032]
        elif look.node.kind is Kind.FOLDER:
            self._search_folder(own, look.node)
        elif not has_ending:
            self._report.skip(own, "not-md")  # [MEM-030]
        elif look.node.kind is not Kind.FILE:
            self._report.skip(own, "not-regular", self._layer)  # [MEM-030]
        else:
            self.found.append(RuleFile(own, look.node, len(self.found) >= MAX_RULES))  # [MEM-036]
