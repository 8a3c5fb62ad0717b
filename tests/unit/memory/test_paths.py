"""Paths as text, in both flavours."""

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.paths import (
    Flavour,
    ancestors,
    is_absolute,
    is_inside,
    join,
    key,
    name_of,
    normalise,
    order_key,
    parent,
    relative,
)

POSIX, WINDOWS = Flavour.POSIX, Flavour.WINDOWS


@clause("MEM-070")
@pytest.mark.parametrize(
    ("normal", "path", "flavour"),
    [
        ("/a/b", "/a/./b/", POSIX),
        ("/b", "/a/../b", POSIX),
        ("/b", "/../../b", POSIX),
        ("/a", "//a", POSIX),
        ("/a/b", "/a//b", POSIX),
        ("/", "/..", POSIX),
        ("/a\\b", "/a\\b", POSIX),
        ("C:\\b", "C:\\a\\..\\b\\", WINDOWS),
        ("C:\\b", "C:/a/../../b", WINDOWS),
        ("\\\\host\\share\\a", "\\\\host\\share\\x\\..\\a", WINDOWS),
    ],
)
def test_parts_that_lead_back_are_worked_out_as_text(normal: str, path: str, flavour: Flavour) -> None:
    """`.` and doubled separators go, `..` takes the part before it along, and stays at the root."""

    assert normal == normalise(path, flavour)


@pytest.mark.parametrize(
    ("expected", "path", "flavour"),
    [
        (True, "/", POSIX),
        (False, "a/b", POSIX),
        (False, "~/a", POSIX),
        (False, "C:\\a", POSIX),
        (True, "C:\\a", WINDOWS),
        (True, "c:/a", WINDOWS),
        (True, "\\\\host\\share\\a", WINDOWS),
        (False, "C:a", WINDOWS),
        (False, "\\a", WINDOWS),
        (False, "a", WINDOWS),
    ],
)
def test_absolute_paths_start_at_a_root(expected: bool, path: str, flavour: Flavour) -> None:
    """At `/`, or at a drive or share with a separator behind it."""

    assert expected == is_absolute(path, flavour)


@pytest.mark.parametrize(
    ("expected", "path", "folder", "flavour"),
    [
        (True, "/a", "/a", POSIX),
        (True, "/a/b", "/a", POSIX),
        (False, "/ab", "/a", POSIX),
        (False, "/A/b", "/a", POSIX),
        (True, "/a", "/", POSIX),
        (True, "c:\\a\\b", "C:\\a", WINDOWS),
        (False, "C:\\A\\b", "C:\\a", WINDOWS),
        (True, "C:\\a", "C:\\", WINDOWS),
    ],
)
@clause("MEM-112")
def test_inside_goes_by_whole_components(expected: bool, path: str, folder: str, flavour: Flavour) -> None:
    """A folder is inside itself; only the letter of a drive is folded."""

    assert expected == is_inside(path, folder, flavour)


@pytest.mark.parametrize(
    ("expected", "path", "folder", "flavour"),
    [
        ("b/c", "/a/b/c", "/a", POSIX),
        (None, "/a", "/a", POSIX),
        (None, "/b", "/a", POSIX),
        ("a", "/a", "/", POSIX),
        ("b/c", "c:\\a\\b\\c", "C:\\a", WINDOWS),
        ("a", "C:\\a", "C:\\", WINDOWS),
    ],
)
def test_a_relative_path_is_parted_by_slashes(expected: str | None, path: str, folder: str, flavour: Flavour) -> None:
    """What lies below a folder, in either flavour; nothing for the folder itself and for what is outside."""

    assert expected == relative(path, folder, flavour)


def test_ancestors_begin_at_the_root() -> None:
    """The chain of a folder, outermost first, the root and the folder itself included."""

    assert ("/", "/a", "/a/b") == ancestors("/a/b", POSIX)
    assert ("/",) == ancestors("/", POSIX)
    assert ("C:\\", "C:\\a") == ancestors("C:\\a", WINDOWS)
    assert ("\\\\host\\share\\", "\\\\host\\share\\a") == ancestors("\\\\host\\share\\a", WINDOWS)


def test_a_name_is_put_below_a_folder() -> None:
    """One separator between them; an absolute name replaces the folder."""

    assert "/a/b" == join("/a", "b", POSIX)
    assert "/b" == join("/", "b", POSIX)
    assert "/b" == join("/a", "/b", POSIX)
    assert "C:\\a\\b\\c" == join("C:\\a", "b/c", WINDOWS)
    assert ("/a", "b") == (parent("/a/b", POSIX), name_of("/a/b", POSIX))
    assert "/" == parent("/", POSIX)


@clause("MEM-112")
def test_only_the_letter_of_a_drive_is_folded() -> None:
    """Other letters, and every letter of a POSIX path, keep their case, and composed forms stay apart."""

    assert key("C:\\A", WINDOWS) == key("c:\\A", WINDOWS)
    assert key("C:\\A", WINDOWS) != key("C:\\a", WINDOWS)
    assert key("C:/a", POSIX) != key("c:/a", POSIX)
    assert key("/é", POSIX) != key("/e\u0301", POSIX)


@clause("MEM-031", "MEM-112")
def test_names_stand_in_the_order_of_their_bytes() -> None:
    """Code points for UTF-8, and the bytes themselves for a name that is none."""
    names = ["10.md", "2.md", "B.md", "a.md", "é.md", "\uff5a.md", "\U0001f600.md", "\udcff.md"]

    assert names == sorted(dict.fromkeys(["a.md", *names]), key=order_key)
