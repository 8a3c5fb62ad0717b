"""Exact counts as the rules see them: a port that may have no answer, and what is taken then. Spec: EST-022."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from keel_ref.messages.rows import rows_of
from keel_ref.messages.view import view_start
from keel_ref.ports import TokenCounter
from keel_ref.tokens.estimate import estimate_messages
from keel_ref.tokens.families import ANY, Family
from keel_ref.tokens.measures import Method
from keel_ref.units import Tokens


@frozen(kw_only=True)
class Count:
    """What a list of rows costs, and how that is known."""

    tokens: Tokens
    is_exact: bool
    """Whether a counter said so; else it is an estimate."""


def count_or_estimate(
    messages: Sequence[Any],
    counter: TokenCounter | None = None,
    *,
    method: str = Method.DOCUMENTED,
    family: str | Family = ANY,
) -> Count:
    """What the view costs: the counter's answer, or the estimate where it has none that can be a count. Spec: EST-022.

    Of a list the part from the last boundary on is counted, as it would be sent (MSG-002), by whomever. Without a
    counter it is always the estimate. Raises `InvalidArgumentError` for what is no list and for names that do
    not exist, `NotSerialisableError` for a row that no request can hold.
    """
    rows = rows_of(messages)
    rows = rows[view_start(rows) :]  # [MSG-002] the same rows for every counter, and for the estimate
    answer = None if counter is None else counter.count(rows)  # [EST-022] nobody to ask is unavailable
    if is_count(answer):
        assert answer is not None
        return Count(tokens=Tokens(answer), is_exact=True)
    return Count(tokens=estimate_messages(rows, method=method, family=family).tokens, is_exact=False)  # [EST-022]


def is_count(answer: object) -> bool:
    """Whether an answer can be a count: a whole number of at least 0. Spec: EST-022."""
    return isinstance(answer, int) and not isinstance(answer, bool) and answer >= 0
