"""Patterns of `claudeMdExcludes`."""

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT
from keel_ref.memory.exclusion import first_match, parse_exclusion
from keel_ref.strategies.contents import EXCLUDES
from keel_ref.strategies.text import any_text

NAMES = st.text("abA.é", min_size=1, max_size=3)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map(lambda names: "/" + "/".join(names))
PARTS = st.sampled_from(("a", "b", "*", "?", "**", "a*", "*b", ".a", "A"))
GLOBS = st.lists(PARTS, min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts))


def excludes(pattern: str, path: str) -> bool:
    """Does the pattern leave the path out, where no folder is a link?"""
    return parse_exclusion(pattern, lambda _: None, DEFAULT.pattern_cap).excludes(path)


@cache
def fits(parts: tuple[str, ...], names: tuple[str, ...]) -> bool:
    """A glob tried in every way."""
    if not parts:
        return not names
    if parts[0] == "**":
        return any(fits(parts[1:], names[skipped:]) for skipped in range(len(names) + 1))
    return bool(names) and fits_name(parts[0], names[0]) and fits(parts[1:], names[1:])


@cache
def fits_name(part: str, name: str) -> bool:
    """One component tried in every way."""
    if not part:
        return not name
    if part[0] == "*":
        return any(fits_name(part[1:], name[skipped:]) for skipped in range(len(name) + 1))
    return bool(name) and part[0] in (name[0], "?") and fits_name(part[1:], name[1:])


@clause("MEM-062")
@given(GLOBS, PATHS)
def test_a_glob_excludes_what_it_excludes_when_everything_is_tried(pattern: str, path: str) -> None:
    """Stars and question marks on a whole path mean what an exhaustive search finds, dots included, case apart."""
    parts, names = tuple(pattern.split("/")), tuple(path.split("/"))

    assert fits(parts, names) == excludes(pattern, path)


@clause("MEM-062")
@given(any_text(min_code_points=1, max_code_points=8).filter(lambda t: "/" not in t))
def test_an_escaped_path_excludes_itself_and_no_other(name: str) -> None:
    """A backslash before each character makes any name literal."""
    pattern = "/r/" + "".join("\\" + char for char in name)

    assert excludes(pattern, "/r/" + name)
    assert not excludes(pattern, f"/r/{name}x")


@clause("MEM-062")
@given(PATHS)
def test_case_decides(path: str) -> None:
    """A path excludes itself, and not what differs in the case of a letter."""
    loud = path.replace("a", "A")

    assert excludes(path, path)
    assert (loud == path) == excludes(path, loud)


@clause("MEM-064")
@given(any_text(max_code_points=12).filter(lambda t: not t.startswith(("/", "**", "!", "{", "\\"))), PATHS)
def test_a_relative_pattern_excludes_nothing(pattern: str, path: str) -> None:
    """What begins neither with a separator nor with two stars matches no path."""

    assert not excludes(pattern, path)


@clause("MEM-064")
@given(st.sampled_from(EXCLUDES) | GLOBS, PATHS)
def test_a_negated_pattern_excludes_exactly_the_others(pattern: str, path: str) -> None:
    """`!P` is the complement of `P`, and a second `!` takes back the first."""

    assert excludes(pattern, path) != excludes("!" + pattern, path)
    assert excludes(pattern, path) == excludes("!!" + pattern, path)


@clause("MEM-062")
@given(st.sampled_from(("a", "*", ".a", "ab*")), st.sampled_from(("b", "?", "", "A")), PATHS)
def test_braces_are_alternatives(one: str, other: str, path: str) -> None:
    """`{a,b}` excludes what either of its alternatives excludes, empty ones and wildcards too."""
    whole, first, second = (f"/**/{part}x" for part in (f"{{{one},{other}}}", one, other))

    assert (excludes(first, path + "x") or excludes(second, path + "x")) == excludes(whole, path + "x")


@clause("MEM-061", "MEM-064")
@given(st.lists(st.sampled_from(EXCLUDES) | GLOBS, max_size=4), PATHS)
def test_any_pattern_excludes(patterns: list[str], path: str) -> None:
    """Among several patterns there is no order: a file is left out when one of them leaves it out."""
    parsed = [parse_exclusion(pattern, lambda _: None, DEFAULT.pattern_cap) for pattern in patterns]

    assert any(excludes(pattern, path) for pattern in patterns) == (first_match(parsed, path) is not None)
    assert (first_match(parsed, path) is None) == (first_match(parsed[::-1], path) is None)


@clause("MEM-062")
@given(any_text(max_code_points=30), PATHS)
def test_no_pattern_is_undefined(pattern: str, path: str) -> None:
    """Every text is a pattern, brackets of every kind included: it excludes a path or it does not."""

    assert excludes(pattern, path) in {True, False}
