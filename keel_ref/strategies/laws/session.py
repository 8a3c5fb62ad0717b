"""What a session attaches on demand. Spec: MEM-035, MEM-140 to MEM-148."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TypeAlias

from attrs import frozen

from keel_ref.choices import Bom, Identity, Switch
from keel_ref.memory.comments import strip_comments
from keel_ref.memory.frontmatter import split_frontmatter
from keel_ref.memory.path_rules import matches_rule
from keel_ref.memory.touch import Touch
from keel_ref.memory.values import Layer, MemoryFile, Source
from keel_ref.paths import Flavour, ancestors, is_inside, order_key, parent, relative
from keel_ref.strategies.laws.inclusion import is_switched_off
from keel_ref.strategies.laws.outcome import Outcome
from keel_ref.strategies.places import below
from keel_ref.text import size_utf8

Place: TypeAlias = tuple[int, int, int, tuple[bytes, ...]]
"""Part, folder, kind within the folder, and the parts of a rule's name."""


@frozen(kw_only=True)
class Visits:
    """A session since its start or its last compaction."""

    start: Outcome
    """What it began with."""
    touches: tuple[Touch, ...]
    """What each touched file brought in."""

    @property
    def cwd(self) -> str:
        """The working folder."""
        return self.start.world.cwd

    @property
    def attached(self) -> Iterator[tuple[Touch, MemoryFile]]:
        """Every record that came on demand, with what brought it."""
        return ((touch, file) for touch in self.touches for file in touch.load.files)


SessionLaw: TypeAlias = Callable[[Visits], Iterator[str]]
"""What it yields are breaches, each in words."""


def nothing_attaches_twice(visits: Visits) -> Iterator[str]:
    """What was loaded at start, or attached before, is not attached again. Spec: MEM-143."""
    files = (*visits.start.load.files, *(file for _, file in visits.attached))
    for path, count in Counter(file.path for file in files).items():
        if count > 1:
            yield f"{path} came {count} times"


def targets_outside_attach_nothing(visits: Visits) -> Iterator[str]:
    """A target outside cwd, and any target in bare mode, attaches nothing at all. Spec: MEM-140, MEM-148."""
    world = visits.start.world
    for touch in visits.touches:
        is_deaf = world.request.bare or is_switched_off(visits.start)
        if touch.load.files and (is_deaf or not is_inside(touch.path, visits.cwd, Flavour.POSIX)):
            yield f"{touch.path} attaches {touch.load.files[0].path}"


def attached_rules_match(visits: Visits) -> Iterator[str]:
    """In a tree without links a rule attaches only where its patterns match, below its base. Spec: MEM-050, MEM-057."""
    if visits.start.scenario.tree.has_links:
        return
    for touch, file in visits.attached:
        if file.globs and not any(_matches(file.globs, touch.path, base) for base in _bases(visits, file)):
            yield f"{file.path} does not match {touch.path}"


def waiting_rules_come(visits: Visits) -> Iterator[str]:
    """A rule that was held back comes with the first target that it matches. Spec: MEM-033, MEM-141."""
    if visits.start.world.request.bare or visits.start.world.choices.identity is Identity.REAL:
        return
    there = {file.path for file in visits.start.load.files}
    for touch in visits.touches:
        there |= {file.path for file in touch.load.files}
        for rule in visits.start.load.held:
            is_added = rule.layer is Layer.PROJECT and not is_inside(visits.cwd, rule.base, Flavour.POSIX)
            is_far = is_added or not is_inside(touch.path, visits.cwd, Flavour.POSIX)
            if not is_far and rule.path not in there and _matches(rule.patterns, touch.path, rule.base):
                yield f"{rule.path} does not come with {touch.path}"


def attached_files_stand_in_order(visits: Visits) -> Iterator[str]:
    """In a tree without links: managed, user, the folders on the way, then the chain. Spec: MEM-035, MEM-141."""
    if visits.start.scenario.tree.has_links:
        return
    for touch in visits.touches:
        reached: Place = (-1, 0, 0, ())
        for _, group in groupby(touch.load.files, key=lambda file: (_top(touch, file), file.globs)):
            file = next(group)
            places = sorted(_places(visits, touch, file))
            following = [place for place in places if place >= reached]
            if not following:
                yield f"{file.path}, one of {places}, stands behind {reached} for {touch.path}"
                break
            reached = following[0]


def attached_texts_are_untrimmed(visits: Visits) -> Iterator[str]:
    """Frontmatter and comments are off, the white space stays; a cut has a notice. Spec: MEM-144, MEM-145."""
    choices, constants = visits.start.world.choices, visits.start.world.constants
    for _, file in visits.attached:
        raw = file.raw.removeprefix("\ufeff") if choices.bom is Bom.IGNORED else file.raw
        whole = strip_comments(split_frontmatter(raw).body)
        if choices.nested_cut is Switch.OFF and file.text != whole:
            yield f"{file.path} is not sent as it is"
        if not whole.startswith(file.text) or bool(file.notice) != (whole != file.text):
            yield f"{file.path} is cut, and its notice does not say so"
        if choices.nested_cut is Switch.ON and size_utf8(file.text) > constants.nested_cap_bytes:
            yield f"{file.path} exceeds a limit"


def nothing_external_attaches(visits: Visits) -> Iterator[str]:
    """No include leads out of cwd on demand, whatever was approved. Spec: MEM-147."""
    for touch, file in visits.attached:
        if file.parent is not None and not is_inside(file.path, visits.cwd, Flavour.POSIX):
            yield f"{file.path}, included by {file.parent}, comes with {touch.path}"


def sources_hold_on_demand(visits: Visits) -> Iterator[str]:
    """Without the source local no local file attaches, without user no rule of the user. Spec: MEM-142."""
    sources = visits.start.world.request.sources
    for touch, file in visits.attached:
        off = {Layer.LOCAL: Source.LOCAL, Layer.USER: Source.USER}.get(file.layer)
        if off is not None and off not in sources:
            yield f"{file.path} ({file.layer}) comes with {touch.path}"


SESSION_LAWS: tuple[SessionLaw, ...] = (
    nothing_attaches_twice,
    targets_outside_attach_nothing,
    attached_rules_match,
    attached_files_stand_in_order,
    attached_texts_are_untrimmed,
    nothing_external_attaches,
    sources_hold_on_demand,
)
"""The laws that hold also when the tree changes while the session lasts."""


def session_breaches(visits: Visits) -> list[str]:
    """What a session does wrong, each with the name of its law."""
    return [f"{law.__name__}: {breach}" for law in SESSION_LAWS for breach in law(visits)]


def _matches(patterns: tuple[str, ...], target: str, base: str) -> bool:
    place = relative(target, base, Flavour.POSIX)
    return place is not None and not place.startswith("..") and matches_rule(patterns, place)


def _bases(visits: Visits, file: MemoryFile) -> Iterator[str]:
    if file.layer in (Layer.MANAGED, Layer.USER):
        yield visits.cwd
        return
    for folder in ancestors(file.path, Flavour.POSIX):
        if is_inside(file.path, below(folder, ".claude", "rules"), Flavour.POSIX):
            yield folder


def _top(touch: Touch, file: MemoryFile) -> str:
    by_path = {other.path: other for other in touch.load.files}
    while file.depth > 1 and file.parent is not None:
        file = by_path[file.parent]
    return file.parent or file.path


def _places(visits: Visits, touch: Touch, file: MemoryFile) -> Iterator[Place]:
    """Every place at which the order of MEM-141 may hold a record."""
    request, top = visits.start.world.request, _top(touch, file)
    if file.layer is Layer.MANAGED:
        yield from _rule_places(top, below(request.managed_dir or "/", ".claude", "rules"), 0, 0, 0)
    elif file.layer is Layer.USER:
        yield from _rule_places(top, below(visits.start.world.config_home, "rules"), 1, 0, 0)
    else:
        kinds = {"CLAUDE.md": 0, ".claude/CLAUDE.md": 1, "CLAUDE.local.md": 2}
        way = ancestors(parent(touch.path, Flavour.POSIX), Flavour.POSIX)
        for i, folder in enumerate(way):
            if is_inside(folder, visits.cwd, Flavour.POSIX) and folder != visits.cwd:
                yield from ((2, i, kind, ()) for name, kind in kinds.items() if top == below(folder, name))
                yield from _rule_places(top, below(folder, ".claude", "rules"), 2, i, 4 if file.globs else 3)
        for i, folder in enumerate(visits.start.chain):
            if file.globs:
                yield from _rule_places(top, below(folder, ".claude", "rules"), 3, i, 0)


def _rule_places(path: str, folder: str, part: int, index: int, kind: int) -> Iterator[Place]:
    name = relative(path, folder, Flavour.POSIX)
    if name is not None:
        yield part, index, kind, tuple(order_key(part_of_name) for part_of_name in name.split("/"))
