"""A load beside all that it depended on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Self, TypeAlias

from attrs import frozen

from keel_ref.choices import Bom, Identity
from keel_ref.memory.comments import strip_comments
from keel_ref.memory.frontmatter import split_frontmatter
from keel_ref.memory.values import Layer, MemoryFile, MemoryLoad
from keel_ref.memory.world import World, prepare
from keel_ref.paths import ancestors
from keel_ref.ports import Refusal, Tree
from keel_ref.strategies.scenarios import Scenario
from keel_ref.text import trim_white_space

INDEX_LAYERS = frozenset({Layer.AUTO, Layer.TEAM})
EXCLUDABLE_LAYERS = frozenset({Layer.USER, Layer.PROJECT, Layer.LOCAL})


@frozen(kw_only=True)
class Outcome:
    """One load, to be judged."""

    scenario: Scenario
    """What was asked, and of what."""
    tree: Tree
    """The tree in the form in which it was asked."""
    world: World
    """The circumstances of the session."""
    load: MemoryLoad
    """The answer."""

    @classmethod
    def of(cls, scenario: Scenario, tree: Tree) -> Self:
        """Load, and keep what it came from."""
        world = prepare(tree, scenario.request, scenario.choices, scenario.gates, scenario.constants)
        return cls(scenario=scenario, tree=tree, world=world, load=scenario.load(tree))

    @property
    def chain(self) -> tuple[str, ...]:
        """The working folder and those above it, outermost first."""
        return ancestors(self.world.cwd, self.tree.flavour)

    def top(self, file: MemoryFile) -> str:
        """The file found directly that leads to a record: itself, another record, or a path rule that waits.

        A waiting rule may come back as an include of its own include, so that parents alone lead round and round.
        """
        by_path = {other.path: other for other in self.load.files}
        while file.depth > 1 and file.parent is not None:
            file = by_path[file.parent]
        return file.parent or file.path

    def identity(self, path: str) -> str:
        """What two names of one file share."""
        return self.real(path) if self.world.choices.identity is Identity.REAL else path

    def real(self, path: str) -> str:
        """The real path, or the path itself where there is none."""
        real = self.tree.real_path(path)
        return path if isinstance(real, Refusal) else real

    def text_of(self, raw: str) -> str:
        """What a start-up load makes of a file, but for the cut of an index. Spec: MEM-100."""
        text = raw.removeprefix("\ufeff") if self.world.choices.bom is Bom.IGNORED else raw
        return trim_white_space(strip_comments(split_frontmatter(text).body))


Law: TypeAlias = Callable[[Outcome], Iterator[str]]
"""What it yields are breaches, each in words."""
