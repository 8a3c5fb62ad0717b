"""Paths as text."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.marks import clause
from keel_ref.paths import Flavour, ancestors, is_absolute, is_inside, join, key, name_of, normalise, parent, relative
from keel_ref.strategies.text import any_text

FLAVOURS = st.sampled_from(Flavour)
PIECES = st.lists(
    st.sampled_from(("a", "B", "..", ".", "", "C:", "é", "a b")) | any_text(max_code_points=3), max_size=5
)


def path_of(pieces: list[str], flavour: Flavour) -> str:
    """An absolute, normal path of these pieces."""
    if flavour is Flavour.POSIX:
        return normalise("/" + "/".join(pieces), flavour)
    names = [piece for piece in pieces if ":" not in piece]  # no name holds one there: it would name a drive
    return normalise("C:\\" + "\\".join(names), flavour)


@clause("MEM-070", "MEM-112")
@given(PIECES, FLAVOURS)
def test_a_normal_path_stays_as_it_is(pieces: list[str], flavour: Flavour) -> None:
    """Normalising a second time changes nothing, and an absolute path stays absolute."""
    path = path_of(pieces, flavour)

    assert path == normalise(path, flavour)
    assert is_absolute(path, flavour)


@clause("MEM-005", "MEM-112")
@given(PIECES, FLAVOURS)
def test_a_path_lies_inside_each_folder_of_its_chain(pieces: list[str], flavour: Flavour) -> None:
    """The chain begins at a root and ends with the path, each the folder of the next."""
    path = path_of(pieces, flavour)
    chain = ancestors(path, flavour)

    assert chain[-1] == path
    assert parent(chain[0], flavour) == chain[0]
    assert all(parent(inner, flavour) == outer for outer, inner in pairwise(chain))
    assert all(is_inside(path, folder, flavour) for folder in chain)


@clause("MEM-058", "MEM-112")
@given(PIECES, PIECES, FLAVOURS)
def test_inside_means_a_relative_path_without_a_way_out(one: list[str], other: list[str], flavour: Flavour) -> None:
    """What lies below a folder has a relative path that leads back to it, and nothing else has one."""
    path, folder = path_of(one, flavour), path_of(other, flavour)
    place = relative(path, folder, flavour)

    assert (place is not None) == (is_inside(path, folder, flavour) and key(path, flavour) != key(folder, flavour))
    assert place is None or key(join(folder, place, flavour), flavour) == key(path, flavour)


@given(PIECES.filter(lambda pieces: ":" not in "".join(pieces)), FLAVOURS)
def test_a_path_is_its_folder_and_its_name(pieces: list[str], flavour: Flavour) -> None:
    """Put together again they give the path; only a root has no name, and on Windows none holds a colon."""
    path = path_of(pieces, flavour)

    assert path == join(parent(path, flavour), name_of(path, flavour), flavour) or not name_of(path, flavour)


@clause("MEM-008", "MEM-112")
@given(PIECES, FLAVOURS, st.sampled_from(("x", " ", ".md", "é")))
def test_a_neighbour_whose_name_begins_alike_is_outside(pieces: list[str], flavour: Flavour, more: str) -> None:
    """What is inside goes by whole components, never by the letters of the text."""
    path = path_of([*pieces, "a"], flavour)

    assert not is_inside(path + more, path, flavour)
    assert relative(path + more, path, flavour) is None
