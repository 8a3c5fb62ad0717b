"""Each loss of the cached prefix has the surest cause that the record shows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.unit.session.sessions import MODEL, Writer

Between = Callable[[Writer], object]


def lost(between: Between, *, read: int = 0, model: str = MODEL, context: int = 31_000) -> list[tuple[str, int]]:
    """Cause and tokens of each loss: 30,000 tokens were cached, then something happens, then so many are read."""
    writer = Writer()
    writer.say("hello")
    writer.answer(30_000, read=10_000, write=20_000)
    between(writer)
    writer.say("go on")
    writer.answer(context, read=read, model=model)
    return [(one["cause"], one["lost"]) for one in writer.report()["cache"]["drops"]]


def nothing(_: Writer) -> None:
    """Nothing happens."""


CAUSES: list[tuple[str, Between, str]] = [
    ("compaction", lambda writer: writer.compact(30_010), MODEL),
    ("compaction", lambda writer: (writer.wait(90), writer.compact(30_010)), "another-model"),
    ("clear", lambda writer: writer.say("<command-name>/clear</command-name>"), MODEL),
    ("model", nothing, "another-model"),
    ("model", lambda writer: writer.wait(90), "another-model"),
    ("ttl-1h", lambda writer: writer.wait(60), MODEL),
    ("ttl-5m", lambda writer: writer.wait(5), MODEL),
    ("ttl-5m", lambda writer: (writer.wait(5), writer.attach("deferred_tools_delta")), MODEL),
    ("tools", lambda writer: writer.attach("deferred_tools_delta"), MODEL),
    ("tools", lambda writer: writer.attach("mcp_instructions_delta"), MODEL),
    ("unknown", lambda writer: writer.wait(4), MODEL),
    ("unknown", nothing, MODEL),
]


@pytest.mark.parametrize(("cause", "between", "model"), CAUSES)
def test_the_surest_cause_is_told(cause: str, between: Between, model: str) -> None:
    """Compaction before model, model before time, time before tools; what shows nothing is unknown."""

    assert [(cause, 30_000)] == lost(between, model=model)


def test_a_smaller_context_is_a_cause() -> None:
    """Something left, so it no longer begins alike."""

    assert [("content", 30_000)] == lost(nothing, context=20_000)


@pytest.mark.parametrize(("read", "losses"), [(30_000, 0), (30_500, 0), (28_977, 0), (28_976, 1), (0, 1)])
def test_less_than_is_ever_cached_is_no_loss(read: int, losses: int) -> None:
    """From 1,024 tokens on."""

    assert losses == len(lost(nothing, read=read))


def test_an_hour_less_a_moment_is_the_short_time() -> None:
    """The pause is counted from response to response: 59 minutes and some seconds."""

    assert [("ttl-5m", 30_000)] == lost(lambda writer: writer.wait(59))


def test_times_that_run_backwards_are_no_cause() -> None:
    """A pause below nothing."""

    assert [("unknown", 30_000)] == lost(lambda writer: writer.wait(-90))


def test_the_share_is_of_the_context() -> None:
    """In thousandths of all three terms of the input."""
    writer = Writer()
    writer.answer(30_000, read=10_000)
    writer.answer(31_000)

    assert [333, 0] == [one["cache_per_mille"] for one in writer.report()["responses"]]


def test_unknown_losses_are_a_finding() -> None:
    """With how much was read anew."""
    writer = Writer()
    writer.answer(30_000, write=30_000)
    writer.answer(31_000)

    (finding,) = writer.report()["findings"]
    assert ("S8", 2) == (finding["rule"], finding["line"])
    assert "30,000 tokens" in finding["text"]
