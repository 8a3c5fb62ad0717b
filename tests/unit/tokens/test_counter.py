"""An exact counter is asked first, and nothing depends on its answer."""

from typing import Any

import pytest

from keel_ref.adapters.in_memory_counter import ScriptedCounter
from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError
from keel_ref.ports import TextCounter, TokenCounter
from keel_ref.tokens import Count, count_or_estimate, estimate_messages

ROWS = [{"role": "user", "content": "12345678"}]


@clause("EST-022")
@pytest.mark.parametrize("answer", [0, 1, 10**12])
def test_an_exact_count_is_taken(answer: int) -> None:
    """Whatever it is, 0 among it; the counter sees the rows."""
    counter = ScriptedCounter([answer])

    assert Count(tokens=answer, is_exact=True) == count_or_estimate(ROWS, counter)  # type: ignore[arg-type]
    assert [ROWS] == counter.asked


@clause("EST-022")
@pytest.mark.parametrize("answer", [None, -1, True, 2.0, "2"])
def test_what_is_no_count_gives_the_estimate(answer: Any) -> None:
    """Unavailable, or an answer that is no whole number of at least 0: the rough estimate, and no failure."""
    got = count_or_estimate(ROWS, ScriptedCounter([answer]))

    assert (2, False) == (got.tokens, got.is_exact)


@clause("EST-022", "MSG-002")
def test_the_view_is_counted() -> None:
    """The rows from the last boundary on, by a counter as by an estimate."""
    rows = [*ROWS, {"role": "system", "subtype": "compact_boundary"}, *ROWS]
    counter = ScriptedCounter([5])

    assert (5, 2) == (count_or_estimate(rows, counter).tokens, count_or_estimate(rows).tokens)
    assert [rows[1:]] == counter.asked


@clause("EST-022")
def test_without_a_counter_there_is_none() -> None:
    """The same as one that is always unavailable, by either method."""

    assert 2 == count_or_estimate(ROWS).tokens
    assert estimate_messages(ROWS).tokens == count_or_estimate(ROWS, method="bound").tokens
    with pytest.raises(InvalidArgumentError):
        count_or_estimate("rows", ScriptedCounter([1]))


@clause("EST-022")
def test_a_scripted_counter_is_both_ports() -> None:
    """It counts rows and texts as it is told to, and says why it does not."""
    counter = ScriptedCounter([3, None])
    on_texts: TextCounter = counter
    on_rows: TokenCounter = counter

    assert (3, None) == (on_texts.count_text("text"), on_texts.last_problem)
    assert (None, True) == (on_rows.count(ROWS), bool(on_texts.last_problem))
    assert None is on_texts.count_text("more")
    assert ["text", ROWS, "more"] == counter.asked
