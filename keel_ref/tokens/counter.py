"""Exact counts as the rules see them: a port that may have no answer, and what is taken then. Spec: EST-022."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from attrs import frozen

from keel_ref.messages.rows import rows_of
from keel_ref.tokens.estimate import estimate_messages
from keel_ref.tokens.families import ANY, Family
from keel_ref.tokens.measures import Method
from keel_ref.units import Tokens


class TokenCounter(Protocol):
    """Somebody who can count a list of rows exactly, and sometimes cannot. Spec: EST-022.

    No call raises for what goes wrong on its way: it answers None, which is `unavailable`.
    """

    def count(self, messages: Sequence[Any]) -> int | None:
        """Tokens of the rows, a whole number of at least 0; None where there is no count."""


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
    """The counter's answer, or the estimate where it has none or none that can be a count. Spec: EST-022.

    Without a counter it is always the estimate. Raises `InvalidArgumentError` for what is no list and for names that do
    not exist, `NotSerialisableError` for a row that no request can hold.
    """
    rows = rows_of(messages)
    answer = None if counter is None else counter.count(rows)  # [EST-022] nobody to ask is unavailable
    if is_count(answer):
        assert answer is not None
        return Count(tokens=Tokens(answer), is_exact=True)
    return Count(tokens=estimate_messages(rows, method=method, family=family).tokens, is_exact=False)  # [EST-022]


def is_count(answer: object) -> bool:
    """Whether an answer can be a count: a whole number of at least 0. Spec: EST-022."""
    return isinstance(answer, int) and not isinstance(answer, bool) and answer >= 0
