"""Where records stand. Spec: MEM-002, MEM-005, MEM-006, MEM-017, MEM-031."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import TypeAlias

from keel_ref.choices import Root
from keel_ref.memory.values import Layer
from keel_ref.paths import Flavour, order_key, relative
from keel_ref.strategies.laws.outcome import Outcome
from keel_ref.strategies.places import below

SEGMENTS = {Layer.MANAGED: 0, Layer.USER: 1, Layer.PROJECT: 2, Layer.LOCAL: 2, Layer.AUTO: 4, Layer.TEAM: 5}
ADDED_SEGMENT = 3
Place: TypeAlias = tuple[int, int, int, tuple[bytes, ...]]
"""Segment, folder, kind within the folder, and the parts of a rule's name."""


def segments_follow_one_another(outcome: Outcome) -> Iterator[str]:
    """Along the list the segment never goes back; project and local count as one. Spec: MEM-002."""
    for one, next_one in pairwise(outcome.load.files):
        if SEGMENTS[one.layer] > SEGMENTS[next_one.layer]:
            yield f"{next_one.path} ({next_one.layer}) stands behind {one.path} ({one.layer})"


def places_follow_one_another(outcome: Outcome) -> Iterator[str]:
    """In a tree without links: outer folders first, the four kinds in order, rules by their names. Spec: MEM-005."""
    if outcome.scenario.tree.has_links:
        return
    reached: Place = (-1, 0, 0, ())
    for top, group in groupby(outcome.load.files, key=outcome.top):
        places = sorted(_places(outcome, top, next(group).layer))
        following = [place for place in places if place >= reached]
        if not following:
            yield f"{top}, one of {places}, stands behind {reached}"
            return
        reached = following[0]


def includes_stand_together(outcome: Outcome) -> Iterator[str]:
    """All that one file found directly leads to stands in one stretch, with it. Spec: MEM-083, MEM-091."""
    tops = [top for top, _ in groupby(outcome.load.files, key=outcome.top)]
    for top in sorted({top for top in tops if tops.count(top) > 1}):
        yield f"{top} and its includes stand in {tops.count(top)} places"


def nothing_of_the_root_is_found_by_the_walk(outcome: Outcome) -> Iterator[str]:
    """Under `memory.root` skip no file of the root loads by its place. Spec: MEM-006."""
    if outcome.world.choices.root is Root.READ or outcome.scenario.tree.has_links:
        return
    other = {outcome.world.config_home, outcome.world.request.managed_dir, *outcome.world.request.add_dirs}
    for file in outcome.load.files:
        is_place = file.path in {"/CLAUDE.md", "/.claude/CLAUDE.md", "/CLAUDE.local.md"} or file.path.startswith(
            "/.claude/rules/"
        )
        if is_place and file.parent is None and not other & {"/", "/.claude"}:
            yield f"{file.path} was found in the root"


def agents_files_are_included_or_absent(outcome: Outcome) -> Iterator[str]:
    """In a tree without links an AGENTS.md of the chain is never in the list but as an include. Spec: MEM-017."""
    if outcome.scenario.tree.has_links:
        return
    agents = {below(folder, "AGENTS.md") for folder in outcome.chain}
    rules = tuple(below(folder, ".claude", "rules") for folder in outcome.chain)
    for file in outcome.load.files:
        if file.path in agents and file.parent is None and not file.path.startswith(rules):
            yield f"{file.path} was loaded by itself"


def _places(outcome: Outcome, path: str, layer: Layer) -> Iterator[Place]:
    """Every place at which the order of a load may hold a file found directly."""
    request = outcome.world.request
    match layer:
        case Layer.MANAGED:
            yield from _in_folder(path, request.managed_dir or "/", SEGMENTS[layer], 0)
        case Layer.USER:
            yield from _in_folder(path, outcome.world.config_home, SEGMENTS[layer], 0, rules=("rules",))
        case Layer.PROJECT | Layer.LOCAL:
            for i, folder in enumerate(outcome.chain):
                yield from _in_folder(path, folder, SEGMENTS[layer], i)
            for i, folder in enumerate(request.add_dirs):
                yield from _in_folder(path, folder, ADDED_SEGMENT, i)
        case Layer.AUTO | Layer.TEAM:
            yield SEGMENTS[layer], 0, 0, ()


def _in_folder(
    path: str, folder: str, segment: int, index: int, rules: tuple[str, ...] = (".claude", "rules")
) -> Iterator[Place]:
    kinds = {"CLAUDE.md": 0, ".claude/CLAUDE.md": 1, "CLAUDE.local.md": 3}
    for name, kind in kinds.items():
        if path == below(folder, name):
            yield segment, index, kind, ()
    rule = relative(path, below(folder, *rules), Flavour.POSIX)
    if rule is not None:
        yield segment, index, 2, tuple(order_key(part) for part in rule.split("/"))
