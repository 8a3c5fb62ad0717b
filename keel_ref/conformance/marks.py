"""The mark by which a test names the clauses it shows.

A clause without a test, and a test without a clause, are both faults; the mark is what
makes either visible. It changes nothing in how the test runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

CLAUSE_ID = re.compile(r"[A-Z]{3}-\d{3}")
"""An area's prefix and a number that is never used again."""

_ATTRIBUTE = "__keel_clauses__"

Test = TypeVar("Test", bound=Callable[..., object])


def clause(*ids: str) -> Callable[[Test], Test]:
    """Say which clauses the test below shows, e.g. `@clause("MEM-014")`."""
    if not ids:
        raise ValueError("name at least one clause, e.g. @clause('MEM-014')")
    for name in ids:
        if CLAUSE_ID.fullmatch(name) is None:
            raise ValueError(f"{name!r} is no clause id; one looks like MEM-014")

    def mark(test: Test) -> Test:
        setattr(test, _ATTRIBUTE, ids + marked_clauses(test))
        return test

    return mark


def marked_clauses(test: object) -> tuple[str, ...]:
    """The clauses a test was marked with, in the order they are written; none if unmarked."""
    found: tuple[str, ...] = getattr(test, _ATTRIBUTE, ())
    return found
