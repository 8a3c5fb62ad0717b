"""A first handful of the examples that `make soak-tokens` takes a million of."""

import pytest

from tests.soak.soak_tokens import differs


@pytest.mark.parametrize("seed", range(0, 1_000, 100))
def test_native_and_model_agree(seed: int) -> None:
    """On each of a hundred random inputs."""

    assert [] == [found for found in map(differs, range(seed, seed + 100)) if found]
