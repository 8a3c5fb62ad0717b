"""Where the view of a list begins. Spec: MSG-002."""

from collections.abc import Sequence
from typing import Any

from keel_ref.messages.rows import is_boundary, rows_of


def view_start(messages: Sequence[Any]) -> int:
    """Index of the last boundary, which is the view's first row; 0 without one. Spec: MSG-002.

    Raises `InvalidArgumentError` if `messages` is no list.
    """
    rows = rows_of(messages)
    for index in range(len(rows) - 1, -1, -1):
        if is_boundary(rows[index]):
            return index  # [MSG-002] the last one, and it stays in the view
    return 0
