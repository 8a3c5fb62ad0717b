"""The mark by which a test names its clauses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.marks import clause, marked_clauses


def test_a_mark_is_kept_and_the_test_runs_as_before() -> None:
    """The function is the same one, so names, fixtures and parameters are untouched."""

    def test() -> int:
        return 7

    marked = clause("MEM-001", "MEM-002")(test)

    assert test is marked
    assert 7 == marked()
    assert ("MEM-001", "MEM-002") == marked_clauses(marked)


def test_marks_add_up() -> None:
    """Two marks on one test are both kept, the upper one first."""

    @clause("MEM-002")
    @clause("MEM-001")
    def test() -> None: ...

    assert ("MEM-002", "MEM-001") == marked_clauses(test)


def test_a_generated_test_can_be_marked() -> None:
    """The mark stands above `@given`, as in the house style."""

    @clause("MEM-001")
    @given(st.booleans())
    def test(flag: bool) -> None:
        assert flag in {True, False}

    test()

    assert ("MEM-001",) == marked_clauses(test)


def test_what_is_not_marked_names_nothing() -> None:
    """No test cites by accident."""

    assert () == marked_clauses(test_marks_add_up)


@pytest.mark.parametrize("ids", [(), ("MEM-1",), ("mem-001",), ("MEM-001", "MEM-0001")])
def test_a_slip_in_an_id_is_told_where_it_is_written(ids: tuple[str, ...]) -> None:
    """A mark that cites nothing, or what cannot be an id, fails when the module is read."""

    with pytest.raises(ValueError, match=r"clause"):
        clause(*ids)
