"""Estimates and rounds of a list of messages: native, the model, and what other packages do with the same list.

Run with `pytest --benchmark`. The lowest row of a group is the unit of the others, so a figure is a ratio of two times
measured in one run. A package that is not installed is left out.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benches.measure.messages import session, writers
from keel_ref import fast, tokens
from keel_ref.messages import rounds

SESSION = session()
SHORT_SESSION = session(messages=20)
ROUTES: dict[str, Callable[..., Any]] = {
    "fast": fast.estimate_messages,
    "model": lambda *arguments, **named: tokens.estimate_messages(*arguments, **named).tokens,
}


@pytest.mark.parametrize("route", ROUTES)
def bench_documented(benchmark: BenchmarkFixture, route: str) -> None:
    """A thousand messages by the documented rule."""
    benchmark.group = "1,000 messages"
    found = benchmark(partial(ROUTES[route], SESSION, method="documented"))

    assert fast.estimate_messages(SESSION, method="documented") == found


def bench_bound(benchmark: BenchmarkFixture) -> None:
    """A thousand messages by the bound, which looks at each byte."""
    benchmark.group = "1,000 messages"
    found = benchmark(fast.estimate_messages, SESSION)

    assert fast.estimate_messages(SESSION, method="documented") < found


@pytest.mark.parametrize("name", writers(SESSION))
def bench_others(benchmark: BenchmarkFixture, name: str) -> None:
    """The same thousand messages written as JSON, or counted by another estimator."""
    benchmark.group = "1,000 messages"

    assert benchmark(writers(SESSION)[name])


@pytest.mark.parametrize("route", ROUTES)
def bench_a_short_list(benchmark: BenchmarkFixture, route: str) -> None:
    """Twenty messages by the bound."""
    benchmark.group = "20 messages, bound"
    found = benchmark(partial(ROUTES[route], SHORT_SESSION))

    assert fast.estimate_messages(SHORT_SESSION) == found


@pytest.mark.parametrize("route", ["fast", "model"])
def bench_rounds(benchmark: BenchmarkFixture, route: str) -> None:
    """The rounds of a hundred thousand messages."""
    benchmark.group = "rounds of 100,000 messages"
    long_list = session(100_000, 200)
    found = benchmark({"fast": fast.api_rounds, "model": rounds.api_rounds}[route], long_list)

    assert 50_000 == len(found)
