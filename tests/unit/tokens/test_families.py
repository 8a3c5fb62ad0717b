"""Tables of families: what one has to be, and what is said of one that is not."""

from typing import Any

import pytest
from attrs import evolve

from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens.families import FAMILIES, LARGEST_COST, family_of

BASE = FAMILIES["any"]


@clause("EST-030")
def test_a_family_by_name_or_as_it_is() -> None:
    """A published name is enough; a table of one's own stands for itself."""
    own = evolve(BASE, name="own")

    assert BASE is family_of("any")
    assert own is family_of(own)
    with pytest.raises(InvalidArgumentError, match="'claud' is none of openai-cl100k"):
        family_of("claud")


@clause("EST-032")
@pytest.mark.parametrize("cost", [0, LARGEST_COST])
def test_costs_at_their_limits(cost: int) -> None:
    """Nothing, and the largest that sums can hold."""
    own = evolve(BASE, list_tokens=cost, row_tokens=cost, block_tokens=cost, image_tokens=cost)

    assert cost == own.image_tokens


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"row_tokens": -1}, "costs 0 to"),
        ({"image_tokens": LARGEST_COST + 1}, "costs 0 to"),
        ({"byte_weights": bytes(256)}, "at least 1"),
        ({"byte_weights": b"\1" * 255}, "256 byte weights"),
        ({"pair_weights": b"\1" * 101}, "100 pair weights"),
    ],
)
def test_what_is_no_table_is_refused(change: dict[str, Any], problem: str) -> None:
    """With what it should be."""
    with pytest.raises(InvalidArgumentError, match=problem):
        evolve(BASE, **change)
