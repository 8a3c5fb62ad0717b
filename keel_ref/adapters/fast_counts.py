"""The counters of a session's settings at native speed; each gives what the model gives. Spec: EST-012, EST-016."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from keel_ref import fast
from keel_ref.choices import Choices
from keel_ref.constants import DEFAULT
from keel_ref.tokens.blocks import RowCounter
from keel_ref.tokens.context import context_size
from keel_ref.tokens.measures import Method, RoughMeasure


class _NativeCounter(RowCounter):
    """Counts a row by the documented rule, at native speed."""

    def count(self, index: int, row: object) -> int:  # noqa: ARG002 (where a report would point to)
        """Tokens of the row."""
        return fast.estimate_messages([row], method=Method.DOCUMENTED)


def fast_count(rows: Sequence[Any]) -> int:
    """The size of a context: usage, and the documented estimate of what came after it. Spec: EST-016."""
    return context_size(rows, counter=_NativeCounter(RoughMeasure(Choices(), DEFAULT))).tokens


def fast_cost(rows: Sequence[Any]) -> int:
    """The plain sum over rows, by the documented rule. Spec: EST-012."""
    return fast.estimate_messages(list(rows), method=Method.DOCUMENTED)
