"""A text in pieces costs what the whole costs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref import fast
from keel_ref.conformance.marks import clause
from keel_ref.strategies.text import any_text
from keel_ref.tokens import FAMILIES, estimate_text
from keel_ref.tokens.running import RunningText


@clause("EST-001", "EST-002", "EST-003", "EST-031")
@pytest.mark.parametrize("measures", [{}, {"size_of": fast.size_utf16, "units_of": fast.bound_units}])
@given(texts=st.lists(any_text(), max_size=5), family=st.sampled_from(sorted(FAMILIES)))
def test_pieces_cost_what_the_whole_costs(measures: dict[str, Any], texts: list[str], family: str) -> None:
    """Both methods, for any pieces, empty ones and lone surrogates among them; the fast measures give the same."""
    running = RunningText(family=FAMILIES[family], **measures)
    for text in texts:
        running.add(text)
    whole = "".join(texts)

    assert estimate_text(whole, family=family) == running.bound()
    assert estimate_text(whole, method="documented") == running.documented(is_json=False)
    assert estimate_text(whole, method="documented", kind="json") == running.documented(is_json=True)


def test_the_bound_is_measured_only_where_it_is_asked_for() -> None:
    """Without a measure of the bound there is none, and asking for it is our own mistake."""
    running = RunningText(family=FAMILIES["any"], units_of=None)
    running.add("12345678")

    assert 2 == running.documented(is_json=False)
    with pytest.raises(AssertionError):
        running.bound()
