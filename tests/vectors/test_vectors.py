"""The reference holds to every vector of the suite, under every value of every choice."""

import pytest

from keel_ref.conformance.suite import load_suite
from keel_ref.conformance.vectors import Vector
from tests.vectors.in_process import findings

VECTORS = load_suite().vectors


@pytest.mark.parametrize("vector", VECTORS, ids=[vector.id for vector in VECTORS])
def test_the_reference_does_what_the_vector_says(vector: Vector) -> None:
    """No vector is broken, and the model agrees with it whatever was chosen."""

    assert () == vector.problems
    assert [] == [str(finding) for finding in findings(vector)]


def test_there_are_vectors_for_each_area_that_has_functions() -> None:
    """An empty folder would make the test above pass."""

    assert {"memory", "text"} <= {vector.area for vector in VECTORS}
    assert 150 <= sum(vector.area == "memory" for vector in VECTORS)
    assert 500 <= sum(vector.area == "window" for vector in VECTORS)
