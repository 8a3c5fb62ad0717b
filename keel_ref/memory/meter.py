"""How much of one kind of work a load may still do, so that no tree, however it is made, keeps it busy for ever.

Spec: MEM-092.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from attrs import frozen, mutable

from keel_ref.constants import Constants

ENDLESS = 1 << 62


class SpentError(Exception):
    """What is asked for costs more than is left. The loader turns it into a row; no caller of the package meets it."""


@mutable
class Meter:
    """One kind of work. The bound is met before the work is done, never afterwards."""

    left: int
    """Units that may still be spent."""

    @classmethod
    def endless(cls) -> Self:
        """A meter for a question that stands alone."""
        return cls(ENDLESS)

    def spend(self, units: int) -> None:
        """Take some units; raises `SpentError` when there are not so many, and takes none then."""
        if units > self.left:
            raise SpentError
        self.left -= units


@contextmanager
def share(meter: Meter, cap: int) -> Iterator[Meter]:
    """A meter of at most `cap` units for one file; what is spent on it is spent on the whole."""
    own = Meter(min(cap, meter.left))
    room = own.left
    try:
        yield own
    finally:
        meter.spend(room - own.left)


@frozen(kw_only=True)
class Meters:
    """Every meter of one load, or of one touch. Spec: MEM-092."""

    read_bytes: Meter
    """Bytes of memory files."""
    scan: Meter
    """Line ends and marks of texts that are searched for comments and includes."""
    frontmatter: Meter
    """UTF-16 units of frontmatter blocks that are parsed."""
    patterns: Meter
    """Characters of the patterns to which braces expand."""
    comparisons: Meter
    """Steps of comparing paths with patterns."""

    @classmethod
    def of(cls, constants: Constants) -> Self:
        """Full meters."""
        return cls(
            read_bytes=Meter(constants.load_cap_bytes),
            scan=Meter(constants.load_cap_scan),
            frontmatter=Meter(constants.load_cap_yaml_units),
            patterns=Meter(constants.load_cap_pattern_characters),
            comparisons=Meter(constants.load_cap_comparisons),
        )
