"""The size of a context: which row is the anchor, where its response begins, and what is left to estimate."""

from typing import Any

import pytest

from keel_ref.choices import Choices, Fragments
from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError, NotSerialisableError
from keel_ref.tokens import context_size

BOUNDARY = {"role": "system", "subtype": "compact_boundary"}


def said(name: Any = None, tokens: Any = None, **marks: Any) -> dict[str, Any]:
    """An assistant row of 8 units, which cost 2, with an id and a usage of so many tokens if these are given."""
    row: dict[str, Any] = {"role": "assistant", "text": "12345678", **marks}
    if name is not None:
        row["id"] = name
    return row if tokens is None else {**row, "usage": {"input_tokens": tokens}}


def heard(units: int = 4) -> dict[str, Any]:
    """A user row of so many units."""
    return {"role": "user", "text": "x" * units}


def size(*rows: Any, fragments: Fragments = Fragments.COUNT) -> tuple[int, int]:
    """What is measured and what is estimated."""
    found = context_size(list(rows), choices=Choices(fragments=fragments))
    return found.measured, found.estimated


@clause("EST-016", "EST-019")
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], (0, 0)),
        ([heard()], (0, 1)),
        ([heard(), said("m1")], (0, 3)),
        ([heard(), said("m1", 9)], (9, 0)),
        ([heard(), said("m1", 9), heard(), heard(2)], (9, 2)),
        ([said("m1", 9), said("m2", 5)], (5, 0)),
        ([said("m1", 9), heard(), said("m2")], (9, 3)),
        ([said("m1", 9), heard(), {**heard(), "usage": {"input_tokens": 77}}], (9, 2)),
    ],
)
def test_the_last_usage_and_what_came_after(rows: list[Any], expected: tuple[int, int]) -> None:
    """Without usage the plain sum; a usage on a row that is no assistant row is not looked at."""

    assert expected == size(*rows)


@clause("EST-015")
@pytest.mark.parametrize("usage", [{}, {"input_tokens": 0, "output_tokens": 0}, {"input_tokens": -5}, None, 12])
def test_a_usage_of_nothing_is_no_anchor(usage: Any) -> None:
    """The search goes on to the measurement before it."""

    assert (9, 2) == size(said("m1", 9), {**said("m2"), "usage": usage})


@clause("EST-015", "EST-016")
def test_reports_go_as_far_as_the_search() -> None:
    """A bad usage is reported from the end up to the anchor, with the anchor, and no further."""
    bad = {"input_tokens": 9, "output_tokens": "x"}
    rows = [{**said("m0"), "usage": 1}, {**said("m1"), "usage": bad}, {**said("m2"), "usage": 12}, None]
    found = context_size(rows)

    assert (9, 2) == (found.measured, found.estimated)
    assert [("bad-usage", 1), ("bad-usage", 2), ("bad-row", 3)] == [(one.reason, one.row) for one in found.reported]


@clause("EST-017", "EST-018")
@pytest.mark.parametrize(
    ("rows", "counted", "skipped"),
    [
        ([said("m1", 9), heard(), said("m1", 9), heard()], 1 + 2 + 1, 1 + 1),
        ([said("m1", 9), said("m1", 9), said("m1", 9)], 2 + 2, 0),
        ([said("m1"), heard(), said("m1", 9)], 1 + 2, 1),
        ([said("m1", 9), said("m2", 7), heard(), said("m1", 9)], 0, 0),
        ([said("m1", 9), said(None, 7), said("m1", 9)], 0, 0),
        ([said("m1", 9), heard(), said("m1"), said("m2"), said("m1")], 1 + 2 + 2 + 2, 1 + 2 + 2),
        ([heard(), BOUNDARY, said("m1", 9)], 0, 0),
        ([said("m1", 9), BOUNDARY, heard(), said("m1", 9)], 0, 0),
        ([said("m1", 9, error=True), heard(), said("m1", 9)], 1 + 2, 1),
    ],
)
def test_back_to_the_first_fragment(rows: list[Any], counted: int, skipped: int) -> None:
    """Rows of others are stepped over, another response or the start of the view ends the search."""

    assert (9, counted) == size(*rows)
    assert (9, skipped) == size(*rows, fragments=Fragments.SKIP)


@clause("EST-028")
@pytest.mark.parametrize("name", [None, "", 7, ["m"]])
@pytest.mark.parametrize("fragments", Fragments)
def test_a_row_without_an_id_is_its_own_response(name: Any, fragments: Fragments) -> None:
    """Nothing else belongs to it, before or behind."""

    assert (7, 3) == size(said(name, 9), said(name, 7), heard(), said(name), fragments=fragments)


@clause("EST-019", "EST-020")
@pytest.mark.parametrize("mark", ["error", "kept"])
@pytest.mark.parametrize(
    ("value", "is_void"), [(True, True), (False, False), (1, False), ("true", False), (None, False)]
)
def test_marks_that_make_a_usage_void(mark: str, value: Any, is_void: bool) -> None:
    """Only the value true does; the content counts either way."""
    rows = [said("m1", 9), said("m2", 5, **{mark: value})]

    assert ((9, 2) if is_void else (5, 0)) == size(*rows)


@clause("EST-020")
def test_nothing_from_before_the_last_boundary() -> None:
    """Neither usage nor text; with kept rows alone the view is estimated as a whole."""

    assert (0, 1) == size(said("m1", 9), heard(400), BOUNDARY, heard())
    assert (0, 3) == size(heard(400), BOUNDARY, said("m1", 9, kept=True), heard())
    assert (5, 1) == size(BOUNDARY, said("m1", 9, kept=True), said("m2", 5), heard())


@clause("EST-021", "EST-024")
def test_nothing_is_added() -> None:
    """No padding, no frame: 3 tokens stay 3, where four thirds would be 4."""

    assert (0, 3) == size(heard(12))


@clause("EST-016", "EST-027")
def test_only_what_is_estimated_is_looked_at() -> None:
    """A row that cannot be serialised does no harm in front of the first fragment."""
    odd = {"role": "user", "content": b"x"}

    assert (9, 0) == size(odd, said("m1", 9))
    with pytest.raises(NotSerialisableError, match=r"messages\[1\]:"):
        size(said("m1", 9), odd)


@clause("EST-016")
def test_what_is_no_list_is_refused() -> None:
    """As in every function of the area."""
    with pytest.raises(InvalidArgumentError, match="messages: a list of rows is expected, not dict"):
        context_size({})  # type: ignore[arg-type]
