"""Which tests a run is about. A selector that matches nothing is an error of the caller, never a pass."""

import hashlib
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Final

from attrs import frozen

from keel_ref.conformance.clauses import Level
from keel_ref.conformance.exits import UsageError
from keel_ref.conformance.near import near_words
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.vectors import Vector

PROFILES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "core": ("memory", "window"),
        "compaction": ("compaction", "messages"),
        "tokens": ("tokens",),
        "context": ("context",),
        "transcript": ("transcript",),
        "full": (),
    }
)
"""A profile and the areas it holds; `full` holds every test."""
TIERS: Final = ("V", "K", "X")
"""Vectors, corpus, exploration."""
DEFAULT_TIERS: Final = ("V", "K")
"""What runs unless asked otherwise."""
_WILDCARDS = frozenset("*?[")


@frozen(kw_only=True)
class Shard:
    """One of several parts of the suite that together make the whole."""

    number: int
    """From one to the count."""
    count: int
    """How many parts there are."""

    def holds(self, name: str) -> bool:
        """Whether a test falls into this part: by the hash of its id, so that new tests move no other."""
        digest = hashlib.sha256(name.encode()).digest()
        return int.from_bytes(digest[:8]) % self.count == self.number - 1


@frozen(kw_only=True)
class Selection:
    """What the caller asked for; what is empty selects everything, and all of it must hold."""

    revision: str = ""
    profile: str = "full"
    areas: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ()
    globs: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    tiers: tuple[str, ...] = DEFAULT_TIERS
    shard: Shard | None = None

    @property
    def is_filtered(self) -> bool:
        """Whether tests may have been left out."""
        return self != Selection(revision=self.revision)


def parse_shard(text: str) -> Shard:
    """A shard as `i/n`. Raises `UsageError`."""
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise UsageError(f"--shard {text}: write i/n, with i from 1 to n")
    return Shard(number=int(number), count=int(count))


def select_vectors(suite: Suite, selection: Selection) -> tuple[Vector, ...]:
    """The tests of a selection, sorted by id. Raises `UsageError` where there are none, or for a name nobody has."""
    _check_names(suite, selection)
    tests: tuple[Callable[[Vector], bool], ...] = (
        lambda vector: vector.tier in selection.tiers,
        lambda vector: not PROFILES[selection.profile] or vector.area in PROFILES[selection.profile],
        lambda vector: not selection.areas or vector.area in selection.areas,
        lambda vector: not selection.levels or suite.level_of(vector) in selection.levels,
        lambda vector: not selection.globs or any(fnmatchcase(vector.id, glob) for glob in selection.globs),
        lambda vector: not selection.ids or vector.id in selection.ids,
        lambda vector: not selection.clauses or not set(selection.clauses).isdisjoint(vector.clauses),
        lambda vector: selection.shard is None or selection.shard.holds(vector.id),
    )
    found = tuple(vector for vector in suite.vectors if all(test(vector) for test in tests))
    if not found:
        whole = [glob for glob in selection.globs if not _WILDCARDS & set(glob)]
        hint = f"; a glob names the whole id: -k '*{whole[0]}*'" if whole else ""
        raise UsageError(f"no test matches {describe_selection(selection) or 'this suite, which holds none'}{hint}")
    return found


def _check_names(suite: Suite, selection: Selection) -> None:
    if selection.revision and selection.revision != suite.revision:
        raise UsageError(f"--revision {selection.revision}: this suite holds {suite.revision}")
    if selection.profile not in PROFILES:
        raise UsageError(f"--profile {selection.profile}: there are {', '.join(PROFILES)}")
    known = {vector.id for vector in suite.vectors}
    for name in selection.ids:
        if name not in known:
            raise UsageError(f"--id {name}: no such test; `keel-ref list tests` shows them{near_words(name, known)}")
    for name in selection.clauses:
        if name not in suite.clauses:
            near = near_words(name, suite.clauses)
            raise UsageError(f"--clause {name}: no such clause; `keel-ref list clauses` shows them{near}")
    for tier in selection.tiers:
        if tier not in TIERS:
            raise UsageError(f"--tier {tier}: there are {', '.join(TIERS)}")


def describe_selection(selection: Selection) -> str:
    """The selectors as one would write them on the command line; empty for the whole suite."""
    parts = [f"--profile {selection.profile}"] if selection.profile != "full" else []
    parts += [f"--area {area}" for area in selection.areas]
    parts += [f"--level {level.value.lower()}" for level in selection.levels]
    parts += [f"-k {glob}" for glob in selection.globs]
    parts += [f"--id {name}" for name in selection.ids]
    parts += [f"--clause {name}" for name in selection.clauses]
    parts += [f"--tier {','.join(selection.tiers)}"] if selection.tiers != DEFAULT_TIERS else []
    parts += [f"--shard {selection.shard.number}/{selection.shard.count}"] if selection.shard else []
    return " ".join(parts)
