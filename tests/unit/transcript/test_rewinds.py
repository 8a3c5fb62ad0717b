"""Branches that somebody went back from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.transcript.rewinds import Link, find_abandoned

NAMES = st.none() | st.sampled_from("abcdef")
GRAPHS = st.lists(st.builds(Link, uuid=NAMES, parent=NAMES, is_prompt=st.booleans()), max_size=12)


def abandoned(*rows: str) -> list[int]:
    """Places of what is left behind; a row is its name, its parent or `-`, and `!` where it is a prompt."""
    links = [Link(uuid=row[0], parent=None if row[1] == "-" else row[1], is_prompt=row.endswith("!")) for row in rows]
    return sorted(find_abandoned(links))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((), []),
        (("a-!", "ba", "cb!", "dc"), []),
        (("a-!", "ba", "cb!", "dc", "eb!", "fe"), [2, 3]),
        (("a-!", "ba", "cb!", "dc", "eb!", "fe", "gb!"), [2, 3, 4, 5]),
        (("a-!", "ba", "ca", "db!"), []),
        (("a-!", "ba", "cb", "db", "ec!"), []),
        (("a-!", "ba", "cb!", "dc", "eb!", "fx"), [2, 3]),
        (("a-!", "b-!", "cb"), []),
        (("ab!", "ba!"), []),
    ],
    ids=["none", "line", "rewind", "twice", "leaf", "parallel results", "missing parent", "two roots", "circle"],
)
def test_only_a_prompt_beside_a_prompt_is_a_rewind(rows: tuple[str, ...], expected: list[int]) -> None:
    """Everything that hangs on the earlier prompt goes with it; other forks are ways of recording."""

    assert expected == abandoned(*rows)


@given(GRAPHS)
def test_any_graph_ends_and_keeps_its_last_row(links: list[Link]) -> None:
    """Circles, missing parents and names given twice, too."""

    assert len(links) - 1 not in find_abandoned(links)


@given(st.integers(1, 300))
def test_a_conversation_without_forks_keeps_every_row(size: int) -> None:
    """However long it is."""
    links = [Link(uuid=f"{n}", parent=f"{n - 1}" if n else None, is_prompt=n % 2 == 0) for n in range(size)]

    assert frozenset() == find_abandoned(links)
