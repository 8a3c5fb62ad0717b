"""Patterns of path rules: commas, braces, and what they match."""

from functools import cache
from math import prod

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.choices import BraceNesting
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY
from keel_ref.memory.path_rules import matches_rule
from keel_ref.memory.patterns import expand_braces, rule_patterns, split_commas
from keel_ref.memory.yaml_block import BlockValue
from keel_ref.strategies.contents import PATTERNS
from keel_ref.strategies.text import any_text
from keel_ref.text import is_blank, trim_white_space

NESTINGS = st.sampled_from(BraceNesting)
WORDS = st.text("ab.*?/!\\", max_size=3)
GROUPS = st.lists(st.text("ab.", max_size=2), min_size=1, max_size=4)
NAMES = st.text("abA.", min_size=1, max_size=3)
PATHS = st.lists(NAMES.filter(lambda name: name.strip(".")), min_size=1, max_size=3).map("/".join)
PARTS = st.sampled_from(("a", "b", "*", "?", "**", "a*", "*b", ".a", "A"))
BODIES = st.lists(PARTS, min_size=1, max_size=3).map("/".join)
POSITIVE = st.builds("{}{}{}".format, st.sampled_from(("", "/")), BODIES, st.sampled_from(("", "/")))


def matches_literally(pattern: str, path: str) -> bool:
    """A pattern without classes, escapes and negation, tried in every way it could match a path or a folder of it."""
    body = pattern.rstrip("/")
    parts = body.removeprefix("/").split("/")
    if "/" not in body:
        parts = ["**", *parts]
    names = path.lower().split("/")
    for end in range(1, len(names) + 1):
        if (end < len(names) or not pattern.endswith("/")) and _fits(tuple(parts), tuple(names[:end])):
            return True
    return False


@cache
def _fits(parts: tuple[str, ...], names: tuple[str, ...]) -> bool:
    if not parts:
        return not names
    if parts[0] == "**":
        least = 1 if len(parts) == 1 else 0
        return any(_fits(parts[1:], names[skipped:]) for skipped in range(least, len(names) + 1))
    return bool(names) and _fits_name(parts[0].lower(), names[0]) and _fits(parts[1:], names[1:])


@cache
def _fits_name(part: str, name: str) -> bool:
    if not part:
        return not name
    if part[0] == "*":
        return any(_fits_name(part[1:], name[skipped:]) for skipped in range(len(name) + 1))
    return bool(name) and part[0] in (name[0], "?") and _fits_name(part[1:], name[1:])


@clause("MEM-050", "MEM-051", "MEM-052")
@given(POSITIVE, PATHS)
def test_a_pattern_matches_what_it_matches_when_everything_is_tried(pattern: str, path: str) -> None:
    """Stars, question marks, anchors and folders mean what an exhaustive search finds, dots and case included."""

    assert matches_literally(pattern, path) == matches_rule([pattern], path)


@clause("MEM-055")
@given(st.lists(st.tuples(WORDS.map(lambda w: w.replace("\\", "")), GROUPS), max_size=4), NESTINGS)
def test_groups_that_are_not_nested_multiply(parts: list[tuple[str, list[str]]], nesting: BraceNesting) -> None:
    """The number of expanded patterns is the product of the sizes of the groups, in the order of the alternatives."""
    pattern = "".join(f"{word}{{{','.join(group)}}}" for word, group in parts)
    expanded = expand_braces(pattern, nesting, DEFAULT.pattern_cap)
    expected = [""]
    for word, group in parts:
        expected = [head + word + choice for head in expected for choice in group]

    assert prod(len(group) for _, group in parts) == len(expected)
    assert tuple(expected) == expanded


@clause("MEM-055")
@given(st.text("ab{},\\", max_size=12), NESTINGS)
def test_expansion_ends_and_leaves_no_group(pattern: str, nesting: BraceNesting) -> None:
    """Whatever braces are in a pattern, expanding an expanded pattern changes nothing more."""
    for piece in expand_braces(pattern, nesting, DEFAULT.pattern_cap) or ():
        assert (piece,) == expand_braces(piece, nesting, DEFAULT.pattern_cap)


@clause("MEM-055", "MEM-056")
@given(st.lists(GROUPS | st.just(["a"]), max_size=20), NESTINGS)
def test_a_pattern_expands_within_the_bound_or_not_at_all(groups: list[list[str]], nesting: BraceNesting) -> None:
    """As many patterns as the bound are expanded, one more than that are not, however many groups have one member."""
    pattern = "/".join(f"{{{','.join(group)}}}" for group in groups)
    expanded = expand_braces(pattern, nesting, TINY.pattern_cap)

    assert (prod(map(len, groups)) <= TINY.pattern_cap) == (expanded is not None)


@clause("MEM-055")
@given(st.text("ab/*,.", max_size=12))
def test_without_braces_nothing_expands(pattern: str) -> None:
    """A pattern without braces is its own and only expansion, commas and all."""

    assert (pattern,) == expand_braces(pattern, BraceNesting.NESTED, DEFAULT.pattern_cap)


@clause("MEM-048")
@given(any_text())
def test_pieces_are_trimmed_and_never_blank(text: str) -> None:
    """No text makes a piece with white space at an end, or an empty one."""
    for piece in split_commas(text):
        assert not is_blank(piece)
        assert trim_white_space(piece) == piece


@clause("MEM-048")
@given(st.lists(st.text("ab*{}", min_size=1, max_size=5).filter(lambda t: t.count("{") == t.count("}")), max_size=4))
def test_pieces_without_commas_are_found_again(pieces: list[str]) -> None:
    """Pieces whose braces balance, parted by commas and blanks, come back as they were."""
    kept = [piece for piece in pieces if "}" not in piece.partition("{")[0] and _balances(piece)]

    assert tuple(kept) == split_commas(" , ".join(kept))


def _balances(piece: str) -> bool:
    depth = 0
    for char in piece:
        depth += {"{": 1, "}": -1}.get(char, 0)
        if depth < 0:
            return False
    return depth == 0


@clause("MEM-047", "MEM-049")
@given(st.lists(st.sampled_from(PATTERNS) | any_text(max_code_points=6), max_size=4), NESTINGS)
def test_a_rule_waits_for_something_or_loads_at_once(texts: list[str], nesting: BraceNesting) -> None:
    """Effective patterns are none at all, or a list without empty ones that says more than `**`."""
    value = BlockValue(items=tuple(BlockValue(text=text) for text in texts))
    patterns = rule_patterns(value, nesting, DEFAULT).patterns

    assert "" not in patterns
    assert not patterns or set(patterns) != {"**"}


@clause("MEM-050")
@given(st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=3), PATHS)
def test_case_never_decides(patterns: list[str], path: str) -> None:
    """A list matches a path in whatever case either is written; a class holds both cases of its letters."""
    upper = matches_rule(patterns, path.upper())

    assert upper == matches_rule(patterns, path.lower())
    assert upper == matches_rule([pattern.upper() for pattern in patterns], path)


@clause("MEM-051")
@given(st.lists(POSITIVE, min_size=1, max_size=3), PATHS, NAMES.filter(lambda name: name.strip(".")))
def test_what_lies_below_a_match_matches(patterns: list[str], path: str, name: str) -> None:
    """Where nothing is negated, everything below a matched path is matched."""

    assert not matches_rule(patterns, path) or matches_rule(patterns, f"{path}/{name}")


@clause("MEM-053")
@given(st.lists(POSITIVE.map(lambda pattern: "!" + pattern), min_size=1, max_size=3), PATHS)
def test_nothing_but_negations_match_nothing(patterns: list[str], path: str) -> None:
    """A list of nothing but `!` patterns takes back what was never matched."""

    assert not matches_rule(patterns, path)


@clause("MEM-053")
@given(POSITIVE, PATHS)
def test_a_pattern_that_is_taken_back_at_once_matches_nothing(pattern: str, path: str) -> None:
    """The last pattern that matches decides, and here it is always the negated one."""

    assert not matches_rule([pattern, "!" + pattern], path)


@clause("MEM-054")
@given(any_text(min_code_points=1, max_code_points=8).filter(lambda t: "/" not in t and t.strip(".")))
def test_an_escaped_name_matches_itself(name: str) -> None:
    """A backslash before each character makes any name literal, its wildcards and first characters too."""
    escaped = "".join("\\" + char for char in name)

    assert matches_rule(["/" + escaped], name)
    assert not matches_rule(["/" + escaped], name + "x")


@clause("MEM-050", "MEM-054")
@given(any_text(max_code_points=30), PATHS)
def test_no_pattern_is_undefined(pattern: str, path: str) -> None:
    """Every text is a pattern: it matches or it does not, and adding its negation takes its own match back."""

    assert matches_rule([pattern], path) in {True, False}


@clause("MEM-050")
@given(st.integers(10, 60))
def test_many_stars_take_no_longer_than_their_number(count: int) -> None:
    """A pattern of nothing but stars and one letter more than the name ends at once, without a match."""

    assert not matches_rule(["*a" * count + "b"], "a" * 3 * count)
    assert not matches_rule(["**/a/" * count + "b"], "/".join("a" * 3 * count))
