"""A first handful of the examples that `make soak-sessions` takes ten thousand of."""

import pytest

from tests.soak.soak_sessions import differs


@pytest.mark.parametrize("first", [0, 1, 2])
def test_readings_agree_with_what_was_written(first: int) -> None:
    """Legal and broken files, long and short."""
    seeds = range(first, 60, 3)

    assert [] == [found for found, _ in map(differs, seeds) if found]
